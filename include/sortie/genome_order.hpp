// The orders of files that tell of places in genomes, BED, VCF, GFF and GTF: by chromosome, then along it. For callers
// that take the names of these from a command line; what they get are a TextOrder and a header as others are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sortie/text_order.hpp>

namespace sortie {

enum class GenomeFile : std::uint8_t { kBed, kVcf, kGff, kGtf };

enum class ChromosomeOrder : std::uint8_t {
  kNatural,    ///< by the numbers within names, as -V: chr2, chr10, chrM, chrX
  kKaryotype,  ///< numbers, X, Y, M, then all others: TextKind::kKaryotype
  kBytes,      ///< chr10, chr2
  kHeader,     ///< as the header lists them (`##contig=<ID=...>` of VCF, `##sequence-region` of GFF): TextKind::kListed
  kUsual,      ///< of VCF as kHeader, or kNatural if the header lists none; of others kNatural
  kList,       ///< as TextKey::names of the first key: the caller fills it
};

/// The order of records: by chromosome and, as numbers, by start and end (BED), by start and by the end, greater ones
/// first, so that a gene comes before its parts (GFF, GTF), or by position, REF and ALT, as `bcftools sort` orders them
/// (VCF). Fields are separated by tabs. Records with equal keys keep their order. Lines among those of BED, GFF and GTF
/// that begin like a header's are comments (TextOrder::comment_prefixes). Throws Error for an order that the file
/// cannot have.
TextOrder genome_order(GenomeFile file, ChromosomeOrder chromosomes);

/// What lines of a header begin with: a value for SortOptions::header_prefixes.
std::vector<std::string> genome_header_prefixes(GenomeFile file);

}  // namespace sortie

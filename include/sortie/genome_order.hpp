// The orders of files that tell of places in genomes, BED and VCF: by chromosome, then along it. For callers that take
// the names of these from a command line; what they get are a TextOrder and a header as others are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sortie/text_order.hpp>

namespace sortie {

enum class GenomeFile : std::uint8_t { kBed, kVcf };

enum class ChromosomeOrder : std::uint8_t {
  kNatural,    ///< by the numbers within names, as -V: chr2, chr10, chrM, chrX
  kKaryotype,  ///< numbers, X, Y, M, then all others: TextKind::kKaryotype
  kBytes,      ///< chr10, chr2
  kHeader,     ///< of VCF: as the header's lines `##contig=<ID=...>` list them, then all others: TextKind::kListed
};

/// The order of records: of BED by chromosome, start and end, of VCF by chromosome and position. Fields are separated
/// by tabs. Records with equal keys keep their order. Throws Error for an order that the file cannot have.
TextOrder genome_order(GenomeFile file, ChromosomeOrder chromosomes);

/// What lines of a header begin with: a value for SortOptions::header_prefixes.
std::vector<std::string> genome_header_prefixes(GenomeFile file);

}  // namespace sortie

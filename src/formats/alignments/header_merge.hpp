// One header of those of several files, as `samtools merge` makes it: the first @HD line; references in the order in
// which the files bring them; @RG and @PG lines whose ID another file has had get a suffix, or are left out; all
// comments. Records of the second file on are changed to fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/alignments/alignment_record.hpp"
#include "formats/alignments/bam_header.hpp"

namespace sortie::formats::alignments {

/// What the numbers and names of one file are in the merged header.
struct Translation {
  std::vector<std::int32_t> references;
  std::map<std::string, std::string, std::less<>> read_groups;
  std::map<std::string, std::string, std::less<>> programs;
};

struct MergedHeader {
  BamHeader header;
  std::vector<Translation> translations;  ///< of each file
  std::uint64_t other_lengths = 0;        ///< references that have another length than in the first header with them
  std::string first_other_length;         ///< says which it is, and both lengths
};

/// Lines of several files with one ID that are taken for one: that of the first file stays, and no ID gets a suffix.
struct CombinedLines {
  bool read_groups = false;  ///< @RG
  bool programs = false;     ///< @PG
};

/// Reads the value of --combine. Throws Error for another word.
CombinedLines parse_combined(std::string_view word);

/// Precondition: two headers at least.
MergedHeader merge_headers(const std::vector<BamHeader>& headers, const CombinedLines& combined = {});

/// Appends the record as it is in the merged file: tags RG and PG at its end, as samtools has them. Those that its
/// header does not name are dropped; returns how many.
unsigned append_translated(const AlignmentRecord& record, std::span<const std::byte> bytes,
                           const Translation& translation, std::vector<std::byte>& out);

}  // namespace sortie::formats::alignments

// One header of those of several files, as `samtools merge` makes it: the first @HD line; references in the order in
// which the files bring them; @RG and @PG lines whose ID another file has had get a suffix, or are left out; all
// comments. Records of the second file on are changed to fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/alignments/alignment_record.hpp"
#include "formats/alignments/bam_header.hpp"

namespace sortie::formats::alignments {

/// What the numbers and names of one file are in the merged header.
struct Translation {
  std::vector<std::int32_t> references;
  std::optional<std::string> group_of_all;  ///< the read group of all reads, whichever they have had
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
  /// Each file is one read group, which is called as the file is: its first @RG line says what else is known of it.
  bool groups_of_files = false;
};

/// Reads the value of --combine. Throws Error for another word.
CombinedLines parse_combined(std::string_view word);

/// `paths`: of the files with these headers; not needed but for groups_of_files.
MergedHeader merge_headers(const std::vector<BamHeader>& headers, const CombinedLines& combined = {},
                           const std::vector<std::string>& paths = {});

/// Appends the record as it is in the merged file: tags RG and PG at its end, as samtools has them. Those that its
/// header does not name are dropped; returns how many. A group of all reads is in the place of any other.
unsigned append_translated(const AlignmentRecord& record, std::span<const std::byte> bytes,
                           const Translation& translation, std::vector<std::byte>& out);

}  // namespace sortie::formats::alignments

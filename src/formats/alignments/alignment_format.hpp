// Files of alignments of reads to sequences, as samtools has them: BAM, SAM and CRAM. README.md in this folder is
// the tour.
#pragma once

#include <memory>
#include <string_view>

#include "formats/alignments/alignment_begin.hpp"
#include "formats/file_format.hpp"

namespace sortie::formats::alignments {

inline constexpr std::string_view kTakes = "by combine index no-pg reference merge output-level";

/// As FileFormat has it.
std::unique_ptr<FormatFiles> open(const JobContext& context);

}  // namespace sortie::formats::alignments

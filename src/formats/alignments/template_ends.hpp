// Where the two reads of a template end in the reference, with the bases that were clipped off: what `samtools sort
// --template-coordinate` orders by. The end of the mate is told by the tag MC, its CIGAR.
#pragma once

#include <cstdint>

#include "formats/alignments/alignment_record.hpp"

namespace sortie::formats::alignments {

struct TemplateEnd {
  std::int32_t reference = INT32_MAX;  ///< of what is not mapped
  std::int64_t position = INT64_MAX;   ///< from 1, unclipped, where the read begins
  bool is_reverse = false;
};

struct TemplateEnds {
  TemplateEnd lower;
  TemplateEnd upper;
  bool is_upper = false;  ///< the record itself is the upper one
};

/// Throws Error for a pair without the tag MC.
TemplateEnds template_ends(const AlignmentRecord& record);

}  // namespace sortie::formats::alignments

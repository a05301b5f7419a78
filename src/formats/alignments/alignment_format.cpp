#include "formats/alignments/alignment_format.hpp"

#include "formats/alignments/alignment_files.hpp"

namespace sortie::formats::alignments {

std::unique_ptr<FormatFiles> open(const JobContext& context) { return std::make_unique<AlignmentFiles>(context); }

}  // namespace sortie::formats::alignments

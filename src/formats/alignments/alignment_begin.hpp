// How files of alignments begin. A file that is called .bam or .cram is one, though its begin may be damaged.
#pragma once

#include "formats/file_format.hpp"

namespace sortie::formats::alignments {

bool begins_bam(const FileBegin& begin);
/// A line of a header says so, whichever comes first, as htslib has it: other texts may begin with any letters.
bool begins_sam(const FileBegin& begin);
bool begins_cram(const FileBegin& begin);

}  // namespace sortie::formats::alignments

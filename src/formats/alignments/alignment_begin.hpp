// How files of alignments begin.
#pragma once

#include "formats/file_format.hpp"

namespace sortie::formats::alignments {

bool begins_bam(const FileBegin& begin);
/// Its header says so: a text may begin with any letters.
bool begins_sam(const FileBegin& begin);
bool begins_cram(const FileBegin& begin);

}  // namespace sortie::formats::alignments

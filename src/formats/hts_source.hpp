// Files that htslib reads, as the bytes of BAM or BCF.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "formats/contents_source.hpp"
#include "formats/file_format.hpp"
#include "formats/genomes_module.hpp"

namespace sortie::formats {

/// `what`: the file in messages, "a SAM file". Throws Error if there is no module that reads it.
std::unique_ptr<ContentsSource> make_hts_source(const JobContext& context, const std::string& path,
                                                HtsContents contents, const std::string& what);

/// Tells of those of `paths` that are text and end within a line: htslib takes what is there of it. They may be cut
/// short. Other files, and pipes, are passed over.
void tell_of_open_ends(const JobContext& context, const std::vector<std::string>& paths);

}  // namespace sortie::formats

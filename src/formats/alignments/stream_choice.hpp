// Which form the files of alignments have: inputs by their first bytes, by --format, or else by their names; the output
// by its name, by --format, or as the first input.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "formats/alignments/bam_header.hpp"
#include "formats/alignments/bam_sink.hpp"
#include "formats/contents_source.hpp"
#include "formats/file_format.hpp"

namespace sortie::formats::alignments {

/// Tells of inputs of which only the name says which form they have, and of SAM that may be cut short. `paths`: all
/// inputs. Whoever has chosen the format has told of the first one's name.
void tell_of_guesses(const JobContext& context, const std::vector<std::string>& paths);

/// Opens an input. `buffer_bytes`: for what is unpacked at once.
std::unique_ptr<ContentsSource> open_source(const JobContext& context, const std::string& path,
                                            std::uint64_t buffer_bytes);

/// Whether shares of the input may begin within it: it is BAM.
bool can_be_divided(const JobContext& context, const std::string& path);

/// Opens the output, and writes the header to it.
std::unique_ptr<BamSink> open_sink(const JobContext& context, const BamHeader& header);

}  // namespace sortie::formats::alignments

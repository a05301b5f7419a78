// Which form the files of alignments have: inputs by their first bytes, the output by its name or by --format.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "formats/alignments/bam_header.hpp"
#include "formats/alignments/bam_sink.hpp"
#include "formats/contents_source.hpp"
#include "formats/file_format.hpp"

namespace sortie::formats::alignments {

/// Opens an input. `buffer_bytes`: for what is unpacked at once.
std::unique_ptr<ContentsSource> open_source(const JobContext& context, const std::string& path,
                                            std::uint64_t buffer_bytes);

/// Whether shares of the input may begin within it: it is BAM.
bool can_be_divided(const JobContext& context, const std::string& path);

/// Opens the output, and writes the header to it.
std::unique_ptr<BamSink> open_sink(const JobContext& context, const BamHeader& header);

}  // namespace sortie::formats::alignments

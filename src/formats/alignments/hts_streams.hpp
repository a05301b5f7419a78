// SAM and CRAM, by the genomes' module.
#pragma once

#include <memory>
#include <string>

#include "formats/alignments/bam_stream.hpp"
#include "formats/file_format.hpp"

namespace sortie::formats::alignments {

/// `what`: "a CRAM file". Throws Error if there is no module.
std::unique_ptr<BamSource> make_hts_source(const JobContext& context, const std::string& path, const std::string& what);

/// Opens the output now.
std::unique_ptr<BamSink> make_hts_sink(const JobContext& context, bool is_cram);

}  // namespace sortie::formats::alignments

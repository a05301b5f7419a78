// An output of SAM or CRAM, by the genomes' module.
#pragma once

#include <memory>

#include "formats/alignments/bam_header.hpp"
#include "formats/alignments/bam_sink.hpp"
#include "formats/file_format.hpp"

namespace sortie::formats::alignments {

/// Opens the output now. Throws Error if there is no module.
std::unique_ptr<BamSink> make_hts_sink(const JobContext& context, const BamHeader& header, bool is_cram);

}  // namespace sortie::formats::alignments

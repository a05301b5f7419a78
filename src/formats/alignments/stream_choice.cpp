#include "formats/alignments/stream_choice.hpp"

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "formats/alignments/alignment_begin.hpp"
#include "formats/alignments/bam_output.hpp"
#include "formats/file_begin.hpp"

namespace sortie::formats::alignments {

std::unique_ptr<BamSource> open_source(const JobContext& context, const std::string& path, std::uint64_t buffer_bytes) {
  return make_bgzf_source(context.files.open_input(path), buffer_bytes);
}

std::unique_ptr<BamSink> open_sink(const JobContext& context) {
  std::optional<IndexKind> index;
  if (const auto word = context.setting("index")) index = parse_index_kind(*word);
  return std::make_unique<BamOutput>(context, index);
}

}  // namespace sortie::formats::alignments

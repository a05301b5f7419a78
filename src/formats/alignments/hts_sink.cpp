#include "formats/alignments/hts_sink.hpp"

#include "base/thread_team.hpp"
#include "formats/load_genomes_module.hpp"
#include "io/output/open_output.hpp"

namespace sortie::formats::alignments {
namespace {

/// SAM is text, which the name of the output may have packed.
Packing packing_of(const SortOptions& options, bool is_cram) {
  return is_cram ? kNotPacked : Packing{.level = options.output_level};
}

class HtsSink final : public BamSink {
 public:
  HtsSink(const GenomesModule& module, const JobContext& context, const BamHeader& header, bool is_cram)
      : output_(open_output(context.files, context.options.output, packing_of(context.options, is_cram),
                            context.options.temporary_names, context.options.scratch_directories)),
        writer_(module.write_alignments({is_cram, static_cast<unsigned>(parallel_threads()),
                                         context.setting("reference").value_or(""),
                                         [this](std::span<const std::byte> bytes) { output_->write(bytes); }})) {
    writer_->write(bytes_of(header));
  }

  void write(std::span<const std::span<const std::byte>> records) override {
    for (const std::span<const std::byte> record : records) writer_->write(record);
  }
  void finish() override {
    writer_->finish();
    output_->finish();
  }

 private:
  const std::unique_ptr<Output> output_;
  const std::unique_ptr<HtsWriter> writer_;  // destroyed first: it writes to the output
};

}  // namespace

std::unique_ptr<BamSink> make_hts_sink(const JobContext& context, const BamHeader& header, bool is_cram) {
  return std::make_unique<HtsSink>(genomes_module(is_cram ? "a CRAM file" : "a SAM file"), context, header, is_cram);
}

}  // namespace sortie::formats::alignments

#include "formats/alignments/hts_streams.hpp"

#include <utility>

#include "base/raw_bytes.hpp"
#include "base/thread_team.hpp"
#include "formats/load_genomes_module.hpp"
#include "io/output/open_output.hpp"

namespace sortie::formats::alignments {
namespace {

unsigned hts_threads() { return static_cast<unsigned>(parallel_threads()); }

class HtsSource final : public BamSource {
 public:
  HtsSource(std::unique_ptr<HtsAlignments> alignments) : alignments_(std::move(alignments)) {}

  bool read(RawBytes& contents) override { return alignments_->read(contents); }
  std::string place_of(std::uint64_t contents_offset) const override {
    return "offset " + std::to_string(contents_offset) + " of its records as BAM";
  }
  void forget_before(std::uint64_t) override {}

 private:
  const std::unique_ptr<HtsAlignments> alignments_;
};

class HtsSink final : public BamSink {
 public:
  HtsSink(const GenomesModule& module, const JobContext& context, bool is_cram)
      : output_(open_output(context.files, context.options.output, kNotPacked, context.options.temporary_names,
                            context.options.scratch_directories)),
        writer_(module.write_alignments({is_cram, hts_threads(), context.setting("reference").value_or(""),
                                         [this](std::span<const std::byte> bytes) { output_->write(bytes); }})) {}

  void begin(const BamHeader& header) override { writer_->write(bytes_of(header)); }
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

std::unique_ptr<BamSource> make_hts_source(const JobContext& context, const std::string& path,
                                           const std::string& what) {
  const GenomesModule& module = genomes_module(what);
  return std::make_unique<HtsSource>(
      module.open_alignments({path, hts_threads(), context.setting("reference").value_or("")}));
}

std::unique_ptr<BamSink> make_hts_sink(const JobContext& context, bool is_cram) {
  return std::make_unique<HtsSink>(genomes_module(is_cram ? "a CRAM file" : "a SAM file"), context, is_cram);
}

}  // namespace sortie::formats::alignments

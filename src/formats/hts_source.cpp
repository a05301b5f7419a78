#include "formats/hts_source.hpp"

#include <utility>

#include "base/thread_team.hpp"
#include "formats/load_genomes_module.hpp"

namespace sortie::formats {
namespace {

class HtsSource final : public ContentsSource {
 public:
  HtsSource(std::unique_ptr<HtsReader> reader, HtsContents contents)
      : reader_(std::move(reader)), contents_(contents) {}

  bool read(RawBytes& contents) override { return reader_->read(contents); }
  std::string place_of(std::uint64_t contents_offset) const override {
    return "offset " + std::to_string(contents_offset) + " of its records as " +
           (contents_ == HtsContents::kAlignments ? "BAM" : "BCF");
  }
  void forget_before(std::uint64_t) override {}

 private:
  const std::unique_ptr<HtsReader> reader_;
  const HtsContents contents_;
};

}  // namespace

std::unique_ptr<ContentsSource> make_hts_source(const JobContext& context, const std::string& path,
                                                HtsContents contents, const std::string& what) {
  const HtsInput input{path, contents, static_cast<unsigned>(parallel_threads()),
                       context.setting("reference").value_or("")};
  return std::make_unique<HtsSource>(genomes_module(what).open_input(input), contents);
}

}  // namespace sortie::formats

#include "formats/hts_source.hpp"

#include <utility>

#include "base/raw_bytes.hpp"
#include "base/thread_team.hpp"
#include "formats/load_genomes_module.hpp"

namespace sortie::formats {
namespace {

using HasRead = decltype(JobContext::has_read);

class HtsSource final : public ContentsSource {
 public:
  HtsSource(std::unique_ptr<HtsReader> reader, std::string path, HtsContents contents, HasRead has_read)
      : reader_(std::move(reader)), path_(std::move(path)), contents_(contents), has_read_(std::move(has_read)) {}

  bool read(RawBytes& contents) override {
    const bool has_more = reader_->read(contents);
    if (has_read_) has_read_(path_, reader_->file_bytes_read());
    return has_more;
  }
  std::string place_of(std::uint64_t contents_offset) const override {
    return "offset " + std::to_string(contents_offset) + " of its records as " +
           (contents_ == HtsContents::kAlignments ? "BAM" : "BCF");
  }
  void forget_before(std::uint64_t) override {}

 private:
  const std::unique_ptr<HtsReader> reader_;
  const std::string path_;
  const HtsContents contents_;
  const HasRead has_read_;
};

}  // namespace

std::unique_ptr<ContentsSource> make_hts_source(const JobContext& context, const std::string& path,
                                                HtsContents contents, const std::string& what) {
  const HtsInput input{path, contents, static_cast<unsigned>(parallel_threads()),
                       context.setting("reference").value_or("")};
  return std::make_unique<HtsSource>(genomes_module(what).open_input(input), path, contents, context.has_read);
}

}  // namespace sortie::formats

#include "formats/tar/tar_format.hpp"

#include <optional>
#include <string>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "formats/places/placed_format.hpp"
#include "formats/tar/tar_writer.hpp"

namespace sortie::formats::tar {
namespace {

SampleOrder order_asked_for(const JobContext& context) {
  const std::string by = context.setting("by").value_or("key");
  const bool is_shuffled = context.options.format.shuffle;
  if (by == "key") return is_shuffled ? SampleOrder::kRandom : SampleOrder::kKey;
  if (by == "content") return is_shuffled ? SampleOrder::kRandom : SampleOrder::kContent;
  throw Error("--by=" + by + ": samples of a tar archive order by key or by content");
}

class TarFiles final : public PlacedFormat<TarReader, TarWriter> {
 public:
  explicit TarFiles(const JobContext& context) : PlacedFormat(context), order_(order_asked_for(context)) {
    reader_.emplace(context, files_, order_);
    if (context.output_is_known) writer_.emplace(context, files_, order_);
  }

  std::string description() const override {
    const std::string order = order_ == SampleOrder::kRandom ? "shuffled"
                              : order_ == SampleOrder::kKey  ? "by their keys"
                                                             : "by a hash of their contents";
    return "samples of tar archives, " + order +
           "; plain files are copied from their places, others are carried through the sort\n";
  }

 private:
  void begin_writer(std::optional<std::uint64_t> total_bytes) override {
    if (!context_.reads) reader_->look_at_headers();
    writer_->begin(reader_->global_headers(), total_bytes);
  }

  SampleOrder order_;
};

}  // namespace

bool begins(const FileBegin& begin) { return has_checksum(begin.bytes); }

std::unique_ptr<FormatFiles> open(const JobContext& context) { return std::make_unique<TarFiles>(context); }

}  // namespace sortie::formats::tar

#include "formats/tar/tar_format.hpp"

#include <string>

#include <sortie/error.hpp>

#include "base/quote.hpp"
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

class TarFiles final : public FormatFiles {
 public:
  explicit TarFiles(const JobContext& context)
      : context_(context), order_(order_asked_for(context)), files_(context.files), reader_(context, files_, order_) {
    if (context.output_is_known) writer_.emplace(context, files_, order_ == SampleOrder::kKey);
  }

  std::string description() const override {
    const std::string order = order_ == SampleOrder::kRandom ? "shuffled"
                              : order_ == SampleOrder::kKey  ? "by their keys"
                                                             : "by a hash of their contents";
    return "samples of tar archives, " + order +
           "; plain files are copied from their places, others are carried through the sort\n";
  }

  bool read(std::vector<std::byte>& records) override { return reader_.read(records); }
  std::uint64_t records_read() const override { return reader_.records_read(); }

  void write(std::span<const std::byte> records) override {
    begin_writing();
    writer_->write(records);
  }
  std::uint64_t records_written() const override { return writer_->records_written(); }

  void finish() override {
    begin_writing();
    writer_->finish();
  }

 private:
  void begin_writing() {
    if (has_begun_) return;
    has_begun_ = true;
    const SortOptions& options = context_.options;
    const bool keeps_all = context_.reads && !options.unique && options.top_records == 0 && options.sample_records == 0;
    if (!context_.reads) reader_.look_at_headers();
    writer_->begin(reader_.global_headers(), keeps_all ? std::optional(reader_.bytes_read()) : std::nullopt);
  }

  const JobContext& context_;
  SampleOrder order_;
  PlacedFiles files_;
  TarReader reader_;
  std::optional<TarWriter> writer_;
  bool has_begun_ = false;
};

}  // namespace

bool begins(const FileBegin& begin) { return has_checksum(begin.bytes); }

std::unique_ptr<FormatFiles> open(const JobContext& context) { return std::make_unique<TarFiles>(context); }

}  // namespace sortie::formats::tar

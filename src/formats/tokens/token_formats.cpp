#include "formats/tokens/token_formats.hpp"

#include <optional>
#include <string>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "formats/tokens/npy_header.hpp"
#include "formats/tokens/token_writer.hpp"

namespace sortie::formats::tokens {
namespace {

DocumentOrder document_order(const JobContext& context) {
  const std::string by = context.setting("by").value_or("place");
  if (by != "place" && by != "content") {
    throw Error("--by=" + by + ": documents of tokens order by place or by content");
  }
  if (context.options.format.shuffle) return DocumentOrder::kRandom;
  if (by == "content") return DocumentOrder::kContent;
  if (context.options.unique) throw Error("-u tells documents by their tokens: give --by=content, too");
  return DocumentOrder::kPlace;
}

TokenWords words_of(const JobContext& context) {
  TokenWords words;
  if (const auto type = context.setting("token-type")) {
    words.type = type_of_name(*type);
    if (words.type == nullptr) {
      throw Error("--token-type=" + *type + ": tokens are u8, i8, u16, i16, u32, i32, u64 or i64");
    }
  }
  if (const auto end = context.setting("token-end")) {
    words.end = whole_number<std::int64_t>(*end);
    if (!words.end) throw Error("--token-end=" + *end + ": it is a whole number");
  }
  return words;
}

void refuse_idle_words(TokenForm form, const TokenWords& words) {
  if (form != TokenForm::kRaw && words.type != nullptr) {
    throw Error("--token-type is for bare tokens: these files say what theirs are");
  }
  if (form == TokenForm::kMegatron && words.end) {
    throw Error("--token-end is for files that do not say where documents end: the index of Megatron does");
  }
}

class TokenFiles final : public FormatFiles {
 public:
  TokenFiles(const JobContext& context, TokenForm form)
      : context_(context),
        order_(document_order(context)),
        files_(context.files),
        reader_(context, files_, form, order_, checked_words(context, form)) {
    if (context.output_is_known) writer_.emplace(context, files_, reader_, form);
  }

  std::string description() const override {
    const std::string order = order_ == DocumentOrder::kRandom  ? "shuffled"
                              : order_ == DocumentOrder::kPlace ? "as they stand"
                                                                : "by a hash of their tokens";
    return "documents of tokens, " + std::string(reader_.type().name) + ", " + order + "; copied from their places\n";
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
  static TokenWords checked_words(const JobContext& context, TokenForm form) {
    const TokenWords words = words_of(context);
    refuse_idle_words(form, words);
    return words;
  }

  void begin_writing() {
    if (has_begun_) return;
    has_begun_ = true;
    const SortOptions& options = context_.options;
    const bool keeps_all = context_.reads && !options.unique && options.top_records == 0 && options.sample_records == 0;
    writer_->begin(keeps_all ? std::optional(reader_.bytes_read()) : std::nullopt);
  }

  const JobContext& context_;
  DocumentOrder order_;
  PlacedFiles files_;
  TokenReader reader_;
  std::optional<TokenWriter> writer_;
  bool has_begun_ = false;
};

}  // namespace

bool begins_megatron(const FileBegin& begin) { return begins_megatron_index(begin.bytes); }

bool begins_array(const FileBegin& begin) { return begins_npy(begin.bytes); }

std::unique_ptr<FormatFiles> open_megatron(const JobContext& context) {
  return std::make_unique<TokenFiles>(context, TokenForm::kMegatron);
}

std::unique_ptr<FormatFiles> open_npy(const JobContext& context) {
  return std::make_unique<TokenFiles>(context, TokenForm::kNpy);
}

std::unique_ptr<FormatFiles> open_raw(const JobContext& context) {
  return std::make_unique<TokenFiles>(context, TokenForm::kRaw);
}

}  // namespace sortie::formats::tokens

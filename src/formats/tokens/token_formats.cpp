#include "formats/tokens/token_formats.hpp"

#include <optional>
#include <string>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "formats/places/placed_format.hpp"
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

class TokenFiles final : public PlacedFormat<TokenReader, TokenWriter> {
 public:
  TokenFiles(const JobContext& context, TokenForm form) : PlacedFormat(context), order_(document_order(context)) {
    const TokenWords words = words_of(context);
    refuse_idle_words(form, words);
    reader_.emplace(context, files_, form, order_, words);
    if (context.output_is_known) writer_.emplace(context, files_, *reader_, form);
  }

  std::string description() const override {
    const std::string order = order_ == DocumentOrder::kRandom  ? "shuffled"
                              : order_ == DocumentOrder::kPlace ? "as they stand"
                                                                : "by a hash of their tokens";
    return "documents of tokens, " + std::string(reader_->type().name) + ", " + order + "; copied from their places\n";
  }

 private:
  void begin_writer(std::optional<std::uint64_t> total_bytes) override { writer_->begin(total_bytes); }

  DocumentOrder order_;
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

#include <sortie/record_start.hpp>

#include <re2/re2.h>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/utf8.hpp"

namespace sortie {
namespace {

re2::RE2::Options quiet_options(RecordStart::Characters characters) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  if (characters == RecordStart::Characters::kBytes) options.set_encoding(re2::RE2::Options::EncodingLatin1);
  return options;
}

}  // namespace

struct RecordStart::Compiled {
  Compiled(const std::string& pattern, Characters given)
      : text(pattern),
        characters(given),
        expression(pattern, quiet_options(given)),
        of_bytes(pattern, quiet_options(Characters::kBytes)) {}

  std::string text;
  Characters characters;
  re2::RE2 expression;
  re2::RE2 of_bytes;  // for lines that are not valid UTF-8
};

RecordStart::RecordStart(const std::string& pattern, Characters characters)
    : compiled_(std::make_shared<const Compiled>(pattern, characters)) {
  if (!compiled_->expression.ok()) {
    throw Error("regular expression " + quote_word(pattern) + ": " + compiled_->expression.error());
  }
}

RecordStart::RecordStart(const RecordStart& other) = default;
RecordStart::RecordStart(RecordStart&& other) noexcept = default;
RecordStart& RecordStart::operator=(const RecordStart& other) = default;
RecordStart& RecordStart::operator=(RecordStart&& other) noexcept = default;
RecordStart::~RecordStart() = default;

const std::string& RecordStart::pattern() const {
  static const std::string none;
  return compiled_ ? compiled_->text : none;
}

RecordStart::Characters RecordStart::characters() const {
  return compiled_ ? compiled_->characters : Characters::kUtf8;
}

bool RecordStart::matches(std::string_view line) const {
  const re2::StringPiece text(line.data(), line.size());
  if (re2::RE2::PartialMatch(text, compiled_->expression)) return true;
  if (compiled_->characters == Characters::kBytes || is_utf8(line)) return false;
  return re2::RE2::PartialMatch(text, compiled_->of_bytes);
}

}  // namespace sortie

#include "record/starts/started_records.hpp"

#include <re2/re2.h>

#include <cstring>
#include <string_view>

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

/// `line` ends in '\n', or in "\r\n".
bool begins_record(const RecordStart& start, std::span<const std::byte> line) {
  std::string_view text(reinterpret_cast<const char*>(line.data()), line.size() - 1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return start.matches(text);
}

/// Offset behind the newline at `from` or behind it; bytes.size() + 1 if there is none.
std::size_t behind_newline(std::span<const std::byte> bytes, std::size_t from) {
  const void* const newline = std::memchr(bytes.data() + from, '\n', bytes.size() - from);
  if (newline == nullptr) return bytes.size() + 1;
  return static_cast<std::size_t>(static_cast<const std::byte*>(newline) - bytes.data()) + 1;
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

std::size_t start_at_or_after(const RecordStart& start, std::span<const std::byte> bytes, std::size_t position) {
  if (position >= bytes.size()) return bytes.size();
  std::size_t line = position == 0 ? 0 : behind_newline(bytes, position - 1);
  while (line < bytes.size()) {
    const std::size_t end = behind_newline(bytes, line);
    if (end > bytes.size()) break;
    if (begins_record(start, bytes.subspan(line, end - line))) return line;
    line = end;
  }
  return bytes.size();
}

std::size_t last_start(const RecordStart& start, std::span<const std::byte> bytes) {
  const auto behind_last_newline = [&](std::size_t before) {
    const void* const newline = before == 0 ? nullptr : ::memrchr(bytes.data(), '\n', before);
    return newline == nullptr ? 0 : static_cast<std::size_t>(static_cast<const std::byte*>(newline) - bytes.data()) + 1;
  };
  std::size_t end = behind_last_newline(bytes.size());
  while (end > 0) {
    const std::size_t line = behind_last_newline(end - 1);
    if (line == 0 || begins_record(start, bytes.subspan(line, end - line))) return line;
    end = line;
  }
  return 0;
}

}  // namespace sortie

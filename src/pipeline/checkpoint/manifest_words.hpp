// The words of a line of the manifest: numbers in decimal, checksums in hexadecimal digits, separated by single spaces.
// Used by the manifest; the names of a checkpoint's files hold numbers in the same digits.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/checkpoint/manifest.hpp"

namespace sortie {

/// Hexadecimal digits of a 64-bit number, with leading zeros.
inline constexpr std::size_t kHexDigits = 16;

inline std::string hex_digits(std::uint64_t value) { return to_string(Checksum{value, 0}).substr(kHexDigits); }

/// The number that `digits` are as a whole; nothing if they are none, or too large a number.
inline std::optional<std::uint64_t> parse_digits(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, value, base);
  return error == std::errc() && stopped == end ? std::optional(value) : std::nullopt;
}

class WordBuilder {
 public:
  explicit WordBuilder(std::string_view first) : text_(first) {}

  WordBuilder& number(std::uint64_t value) { return word(std::to_string(value)); }
  WordBuilder& hex(std::uint64_t value) { return word(hex_digits(value)); }
  WordBuilder& checksum(const Checksum& value) { return word(to_string(value)); }
  WordBuilder& totals(const RecordTotals& value) {
    return number(value.records).number(value.bytes).checksum(value.checksum);
  }
  WordBuilder& run(const KeptRun& value) {
    return number(value.number).number(value.file_bytes).hex(value.index_checksum).totals(value.dropped);
  }
  const std::string& text() const { return text_; }

 private:
  WordBuilder& word(const std::string& value) {
    text_.append(" ").append(value);
    return *this;
  }

  std::string text_;
};

/// A malformed word reads as zero and makes complete() false, so one check after all words are read is enough.
class WordCursor {
 public:
  explicit WordCursor(std::string_view text) : rest_(text) {}

  std::string_view word() {
    const std::size_t end = rest_.find(' ');
    const std::string_view found = rest_.substr(0, end);
    ended_ = end == std::string_view::npos;
    rest_ = ended_ ? std::string_view() : rest_.substr(end + 1);
    if (found.empty()) failed_ = true;
    return found;
  }
  std::uint64_t number() { return parse(word(), 10); }
  std::uint64_t hex() {
    const std::string_view digits = word();
    if (digits.size() != kHexDigits) failed_ = true;
    return parse(digits, 16);
  }
  Checksum checksum() {
    const std::string_view digits = word();
    if (digits.size() != 2 * kHexDigits) {
      failed_ = true;
      return {};
    }
    const std::uint64_t high = parse(digits.substr(0, kHexDigits), 16);
    return {parse(digits.substr(kHexDigits), 16), high};
  }
  RecordTotals totals() {
    RecordTotals value;
    value.records = number();
    value.bytes = number();
    value.checksum = checksum();
    return value;
  }
  KeptRun run() {
    KeptRun value;
    value.number = number();
    value.file_bytes = number();
    value.index_checksum = hex();
    value.dropped = totals();
    return value;
  }
  /// Whether exactly all words have been read and all were well formed.
  bool complete() const { return ended_ && !failed_; }

 private:
  std::uint64_t parse(std::string_view digits, int base) {
    const std::optional<std::uint64_t> value = parse_digits(digits, base);
    if (!value) failed_ = true;
    return value.value_or(0);
  }

  std::string_view rest_;
  bool ended_ = false;
  bool failed_ = false;
};

}  // namespace sortie

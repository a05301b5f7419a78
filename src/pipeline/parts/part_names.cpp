#include "pipeline/parts/part_names.hpp"

#include <algorithm>
#include <span>

#include <sortie/error.hpp>

#include "base/checksum.hpp"
#include "base/quote.hpp"
#include "base/utf8.hpp"
#include "base/whole_number.hpp"
#include "io/paths/paths.hpp"
#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

constexpr std::size_t kLongestName = 255;
constexpr std::size_t kWidestNumber = 20;

[[noreturn]] void refuse(const std::string& pattern, const std::string& reason, PartNames::Placeholder placeholder) {
  const bool numbers = placeholder == PartNames::Placeholder::kNumber;
  throw Error("the name of parts " + quote_word(pattern) + " " + reason + ": write one place for the " +
              (numbers ? "number, as in 'part-{:04d}'" : "value, as in 'part-{}'"));
}

bool is_control(unsigned char byte) { return byte < 0x20 || byte == 0x7F; }

void append_hex(std::string& text, unsigned char byte) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  text += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
}

std::string as_name(std::string_view value) {
  if (value.empty()) return "%";
  std::string name;
  for (const char letter : value) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '/' || letter == '%' || is_control(byte) || (letter == '.' && name.empty())) {
      append_hex(name, byte);
    } else {
      name += letter;
    }
  }
  return name;
}

/// The end of the character of UTF-8 that begins at `begin`, if it is one.
std::size_t character_end(std::string_view name, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < name.size() && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) ++end;
  return end;
}

/// At most `bytes` of a name, cut in front of a character of UTF-8 or a byte that is written otherwise.
std::string_view cut_name(std::string_view name, std::size_t bytes) {
  constexpr std::size_t kLongestCharacter = 4;
  constexpr std::size_t kEscapeBytes = 3;
  const auto goes_on = [&](std::size_t at) { return (static_cast<unsigned char>(name[at]) & 0xC0) == 0x80; };
  std::size_t begin = bytes;  // of the character that the cut is in
  while (begin > 0 && bytes - begin < kLongestCharacter && goes_on(begin)) --begin;
  if (begin < bytes && is_utf8(name.substr(begin, character_end(name, begin) - begin))) bytes = begin;
  for (std::size_t back = 1; back < kEscapeBytes && back <= bytes; ++back) {
    if (name[bytes - back] == '%') return name.substr(0, bytes - back);
  }
  return name.substr(0, bytes);
}

}  // namespace

PartNames::PartNames(const std::string& pattern, Placeholder placeholder)
    : directory_(directory_of(pattern)), before_(name_in_directory(pattern)), placeholder_(placeholder) {
  folder_ = pattern.substr(0, pattern.size() - before_.size());
  const std::size_t begin = before_.find('{');
  if (begin == std::string::npos) {
    const bool is_in_folder = directory_.find('{') != std::string::npos;
    refuse(pattern, is_in_folder ? "has its place in the folder, not in the file's name" : "has no place", placeholder);
  }
  const std::size_t end = before_.find('}', begin);
  if (end == std::string::npos) refuse(pattern, "has a brace without the other", placeholder);
  std::string_view form = std::string_view(before_).substr(begin + 1, end - begin - 1);
  behind_ = before_.substr(end + 1);
  if (behind_.find('{') != std::string::npos) refuse(pattern, "has two places", placeholder);
  const std::string shown = quote_word(before_.substr(begin, end + 1 - begin));
  if (!form.empty()) {
    const bool is_form = placeholder == Placeholder::kNumber && form[0] == ':';
    if (!is_form) refuse(pattern, "has a place of another form, " + shown, placeholder);
    form.remove_prefix(1);
    if (form.ends_with('d')) form.remove_suffix(1);
    if (!std::ranges::all_of(form, [](char byte) { return is_digit(byte); }))
      refuse(pattern, "has a place of another form, " + shown, placeholder);
    if (form.starts_with('0')) fill_ = '0';
    width_ = whole_number<std::size_t>(form.empty() ? "0" : form, 10).value_or(kLongestName);
    if (width_ > kWidestNumber) refuse(pattern, "has a place of more digits than any number has", placeholder);
  }
  before_.resize(begin);
  if (before_.size() + behind_.size() + std::max<std::size_t>(width_, 1) > kLongestName) {
    throw Error("the name of parts " + quote_word(pattern) + " is longer than that of a file may be: shorten it");
  }
}

std::string PartNames::with(std::string_view what) const { return folder_ + before_ + std::string(what) + behind_; }

std::string PartNames::for_number(std::uint64_t number) const {
  std::string digits = std::to_string(number);
  if (digits.size() < width_) digits.insert(0, width_ - digits.size(), fill_);
  return with(digits);
}

std::string PartNames::for_value(const KeyText& value) const {
  return with(value.type == JsonType::kMissing ? "%null" : fitted(value.bytes, 0));
}

std::string PartNames::for_quoted_value(const KeyText& value) const {
  constexpr std::string_view kQuote = "%22";
  return with(std::string(kQuote) + fitted(value.bytes, 2 * kQuote.size()) + std::string(kQuote));
}

std::string PartNames::for_other_value(const KeyText& value) const {
  constexpr std::string_view kMark = "%=";
  return with(std::string(kMark) + fitted(value.bytes, kMark.size()));
}

// The name of a value, shortened if it and `more_bytes` would be too long for a file.
std::string PartNames::fitted(std::string_view value, std::size_t more_bytes) const {
  std::string name = as_name(value);
  const std::size_t taken = before_.size() + behind_.size() + more_bytes;
  if (taken + name.size() <= kLongestName) return name;
  const std::string mark = "%~" + to_string(hash_record(std::as_bytes(std::span(value))));
  if (taken + mark.size() > kLongestName) {
    throw Error("the names of parts leave no room for the values of a key: shorten them");
  }
  return std::string(cut_name(name, kLongestName - taken - mark.size())) + mark;
}

std::string PartNames::value_in(const std::string& path) const {
  const std::string name = name_in_directory(path);
  return name.substr(before_.size(), name.size() - std::min(name.size(), before_.size() + behind_.size()));
}

bool PartNames::may_be_part(std::string_view name) const {
  if (name.size() <= before_.size() + behind_.size()) return false;
  if (!name.starts_with(before_) || !name.ends_with(behind_)) return false;
  if (placeholder_ == Placeholder::kValue) return true;
  const std::string_view number = name.substr(before_.size(), name.size() - before_.size() - behind_.size());
  return std::ranges::all_of(number, [](char byte) { return is_digit(byte) || byte == ' '; });
}

}  // namespace sortie

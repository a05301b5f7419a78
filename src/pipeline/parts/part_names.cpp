#include "pipeline/parts/part_names.hpp"

#include <algorithm>
#include <span>
#include <vector>

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
  using enum PartNames::Placeholder;
  throw Error("the name of parts " + quote_word(pattern) + " " + reason + ": write one place for the " +
              (placeholder == kNumber  ? "number, as in 'part-{:04d}'"
               : placeholder == kValue ? "value, as in 'part-{}'"
                                       : "value and one for the number, as in '{}-{:04d}'"));
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
  take_places(pattern);
  if (own_bytes() + (placeholder == Placeholder::kBoth ? 1 : std::max<std::size_t>(width_, 1)) > kLongestName) {
    throw Error("the name of parts " + quote_word(pattern) + " is longer than that of a file may be: shorten it");
  }
}

// Cuts the name at its places. The place of a value is {}; beside it, that of a number has a colon.
void PartNames::take_places(const std::string& pattern) {
  const bool has_both = placeholder_ == Placeholder::kBoth;
  const std::string name = before_;
  std::vector<std::string> texts;   // in front of places, and behind the last one
  std::vector<std::string> places;  // with their braces
  std::size_t at = 0;
  for (std::size_t begin = name.find('{'); begin != std::string::npos; begin = name.find('{', at)) {
    const std::size_t end = name.find('}', begin);
    if (end == std::string::npos) refuse(pattern, "has a brace without the other", placeholder_);
    texts.push_back(name.substr(at, begin - at));
    places.push_back(name.substr(begin, end + 1 - begin));
    at = end + 1;
    if (places.size() > (has_both ? 2U : 1U)) {
      refuse(pattern, has_both ? "has three places" : "has two places", placeholder_);
    }
  }
  texts.push_back(name.substr(at));
  if (places.empty()) {
    const bool is_in_folder = directory_.find('{') != std::string::npos;
    refuse(pattern, is_in_folder ? "has its place in the folder, not in the file's name" : "has no place",
           placeholder_);
  }
  if (has_both && places.size() == 1) refuse(pattern, "has one place", placeholder_);
  before_ = texts.front();
  behind_ = texts.back();
  if (has_both) {
    between_ = texts[1];
    number_is_first_ = places[0] != "{}";
    if (between_.empty() || (places[0] == "{}") == (places[1] == "{}")) {
      refuse(pattern, "has places that are not told apart", placeholder_);
    }
  }
  for (const std::string& place : places) {
    if (place != "{}") take_number_form(pattern, place);
  }
}

void PartNames::take_number_form(const std::string& pattern, std::string_view place) {
  const std::string shown = quote_word(place);
  std::string_view form = place.substr(1, place.size() - 2);
  if (placeholder_ == Placeholder::kValue || form[0] != ':') {
    refuse(pattern, "has a place of another form, " + shown, placeholder_);
  }
  form.remove_prefix(1);
  if (form.ends_with('d')) form.remove_suffix(1);
  if (!std::ranges::all_of(form, [](char byte) { return is_digit(byte); })) {
    refuse(pattern, "has a place of another form, " + shown, placeholder_);
  }
  if (form.starts_with('0')) fill_ = '0';
  width_ = whole_number<std::size_t>(form.empty() ? "0" : form, 10).value_or(kLongestName);
  if (width_ > kWidestNumber) refuse(pattern, "has a place of more digits than any number has", placeholder_);
}

std::size_t PartNames::own_bytes() const {
  const bool has_both = placeholder_ == Placeholder::kBoth;
  return before_.size() + behind_.size() + (has_both ? between_.size() + std::max(width_, kWidestNumber) : 0);
}

std::string PartNames::with(std::string_view what) const { return folder_ + before_ + std::string(what) + behind_; }

std::string PartNames::with_value(std::string_view value, std::uint64_t number) const {
  if (placeholder_ != Placeholder::kBoth) return with(value);
  const std::string digits = number_text(number);
  return with(number_is_first_ ? digits + between_ + std::string(value) : std::string(value) + between_ + digits);
}

std::string PartNames::number_text(std::uint64_t number) const {
  std::string digits = std::to_string(number);
  if (digits.size() < width_) digits.insert(0, width_ - digits.size(), fill_);
  return digits;
}

std::string PartNames::for_number(std::uint64_t number) const { return with(number_text(number)); }

std::string PartNames::for_value(const KeyText& value, std::uint64_t number) const {
  return with_value(value.type == JsonType::kMissing ? "%null" : fitted(value.bytes, 0), number);
}

std::string PartNames::for_quoted_value(const KeyText& value, std::uint64_t number) const {
  constexpr std::string_view kQuote = "%22";
  return with_value(std::string(kQuote) + fitted(value.bytes, 2 * kQuote.size()) + std::string(kQuote), number);
}

std::string PartNames::for_other_value(const KeyText& value, std::uint64_t number) const {
  constexpr std::string_view kMark = "%=";
  return with_value(std::string(kMark) + fitted(value.bytes, kMark.size()), number);
}

// The name of a value, shortened if it and `more_bytes` would be too long for a file.
std::string PartNames::fitted(std::string_view value, std::size_t more_bytes) const {
  std::string name = as_name(value);
  const std::size_t taken = own_bytes() + more_bytes;
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
  if (placeholder_ != Placeholder::kNumber) return true;
  const std::string_view number = name.substr(before_.size(), name.size() - before_.size() - behind_.size());
  return std::ranges::all_of(number, [](char byte) { return is_digit(byte) || byte == ' '; });
}

}  // namespace sortie

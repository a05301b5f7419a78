// The orders of text as GNU sort's manual defines them, written as plainly as possible and without keys. The fuzz
// targets compare encoded keys with them. In "C", or with the decimal point and separator of a TextLocale.
#pragma once

#include <cmath>
#include <compare>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/text_order.hpp>

#include "record/text/text_locale.hpp"

namespace sortie::fuzz {

using Order = std::weak_ordering;

inline bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
inline bool is_letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }
inline bool is_blank(char byte) { return byte == ' ' || byte == '\t' || byte == '\n'; }

inline std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

/// A decimal number. Its digits before the point have no leading zeros, those after it no trailing ones.
struct Decimal {
  bool negative = false;
  std::string integral;
  std::string fraction;

  bool zero() const { return integral.empty() && fraction.empty(); }
};

inline Decimal read_decimal(std::string_view text, const TextLocale& locale) {
  const auto separates = [&](char byte) { return static_cast<unsigned char>(byte) == locale.thousands_separator; };
  text = without_blanks(text);
  Decimal number;
  std::size_t at = 0;
  if (text.starts_with('-')) {
    number.negative = true;
    at = 1;
  }
  for (; at < text.size() && (is_digit(text[at]) || separates(text[at])); ++at) {
    if (is_digit(text[at]) && (text[at] != '0' || !number.integral.empty())) number.integral += text[at];
  }
  if (at < text.size() && static_cast<unsigned char>(text[at]) == locale.decimal_point) {
    for (++at; at < text.size() && is_digit(text[at]); ++at) number.fraction += text[at];
  }
  while (number.fraction.ends_with('0')) number.fraction.pop_back();
  return number;
}

inline Order compare_magnitudes(const Decimal& a, const Decimal& b) {
  if (a.integral.size() != b.integral.size()) return a.integral.size() <=> b.integral.size();
  if (a.integral != b.integral) return a.integral <=> b.integral;
  return a.fraction <=> b.fraction;
}

inline int sign_of(const Decimal& number) { return number.zero() ? 0 : (number.negative ? -1 : 1); }

inline Order compare_decimals(const Decimal& a, const Decimal& b) {
  if (sign_of(a) != sign_of(b)) return sign_of(a) <=> sign_of(b);
  return sign_of(a) < 0 ? compare_magnitudes(b, a) : compare_magnitudes(a, b);
}

inline Order compare_numbers(std::string_view a, std::string_view b, const TextLocale& locale) {
  return compare_decimals(read_decimal(a, locale), read_decimal(b, locale));
}

/// The power of a suffix in "C": 0 without suffix, 1 for K, and so on; negative for negative numbers.
inline int suffix_position(std::string_view text) {
  constexpr std::string_view kSuffixes = "KMGTPEZY";
  text = without_blanks(text);
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  std::size_t at = 0;
  while (at < text.size() && is_digit(text[at])) ++at;
  if (at < text.size() && text[at] == '.') {
    for (++at; at < text.size() && is_digit(text[at]);) ++at;
  }
  if (text.substr(0, at).find_first_of("123456789") == std::string_view::npos || at == text.size()) return 0;
  const std::size_t position = kSuffixes.find(text[at] == 'k' ? 'K' : text[at]);
  if (position == std::string_view::npos) return 0;
  return negative ? -static_cast<int>(position) - 1 : static_cast<int>(position) + 1;
}

inline Order compare_human_numbers(std::string_view a, std::string_view b) {
  if (suffix_position(a) != suffix_position(b)) return suffix_position(a) <=> suffix_position(b);
  return compare_numbers(a, b, c_text_locale());
}

/// Does not handle NaNs, which compare by their bytes.
inline Order compare_general_numbers(const std::string& a, const std::string& b) {
  const auto read = [](const std::string& text) {
    char* end = nullptr;
    const long double value = std::strtold(text.c_str(), &end);
    const int rank = end == text.c_str() ? 0 : (std::isnan(value) ? 1 : 2);
    return std::pair(rank, value);
  };
  const auto [rank_a, value_a] = read(a);
  const auto [rank_b, value_b] = read(b);
  if (rank_a != rank_b) return rank_a <=> rank_b;
  if (rank_a < 2 || value_a == value_b) return Order::equivalent;
  return value_a < value_b ? Order::less : Order::greater;
}

inline int month_of(std::string_view text) {
  constexpr std::string_view kMonths = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";
  std::string upper;
  for (const char byte : without_blanks(text).substr(0, 3)) {
    upper += static_cast<char>(byte >= 'a' && byte <= 'z' ? byte - 'a' + 'A' : byte);
  }
  for (int month = 0; month < 12; ++month) {
    if (upper == kMonths.substr(static_cast<std::size_t>(month) * 3, 3)) return month + 1;
  }
  return 0;
}

/// A part of a version: bytes that are no digits, then a number without leading zeros.
struct VersionPart {
  std::string_view others;
  std::string_view number;
};

inline std::vector<VersionPart> version_parts(std::string_view text) {
  std::vector<VersionPart> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() && !is_digit(text[at])) ++at;
    const std::size_t digits = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    std::string_view number = text.substr(digits, at - digits);
    while (number.starts_with('0')) number.remove_prefix(1);
    parts.push_back({text.substr(begin, digits - begin), number});
  }
  return parts;
}

/// '~' comes before the end of the text, then letters, then all other bytes.
inline Order compare_version_bytes(std::string_view a, std::string_view b) {
  const auto rank = [](std::string_view text, std::size_t at) {
    if (at >= text.size()) return 0;
    if (text[at] == '~') return -1;
    return static_cast<unsigned char>(text[at]) + (is_letter(text[at]) ? 1 : 1000);
  };
  for (std::size_t at = 0; at < a.size() || at < b.size(); ++at) {
    if (rank(a, at) != rank(b, at)) return rank(a, at) <=> rank(b, at);
  }
  return Order::equivalent;
}

inline Order compare_version_parts(std::string_view a, std::string_view b) {
  const std::vector<VersionPart> left = version_parts(a);
  const std::vector<VersionPart> right = version_parts(b);
  for (std::size_t i = 0; i < left.size() || i < right.size(); ++i) {
    const VersionPart part_a = i < left.size() ? left[i] : VersionPart{};
    const VersionPart part_b = i < right.size() ? right[i] : VersionPart{};
    const Order others = compare_version_bytes(part_a.others, part_b.others);
    if (others != 0) return others;
    if (part_a.number.size() != part_b.number.size()) return part_a.number.size() <=> part_b.number.size();
    if (part_a.number != part_b.number) return part_a.number <=> part_b.number;
  }
  return Order::equivalent;
}

/// Whether `text` consists of file suffixes only. A suffix is a dot, a letter or '~', then letters, digits and '~'.
inline bool all_suffixes(std::string_view text) {
  while (!text.empty()) {
    if (text.size() < 2 || text[0] != '.' || !(is_letter(text[1]) || text[1] == '~')) return false;
    text.remove_prefix(2);
    while (!text.empty() && (is_letter(text[0]) || is_digit(text[0]) || text[0] == '~')) text.remove_prefix(1);
  }
  return true;
}

inline std::string_view without_suffixes(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (all_suffixes(text.substr(at))) return text.substr(0, at);
  }
  return text;
}

inline Order compare_versions(std::string_view a, std::string_view b) {
  const auto rank = [](std::string_view text) {
    if (text.empty()) return 0;
    if (text == ".") return 1;
    if (text == "..") return 2;
    return text.starts_with('.') ? 3 : 4;
  };
  if (rank(a) != rank(b)) return rank(a) <=> rank(b);
  const Order stems = compare_version_parts(without_suffixes(a), without_suffixes(b));
  return stems != 0 ? stems : compare_version_parts(a, b);
}

/// The text of a key that -d, -i and -f leave.
inline std::string filtered(std::string_view text, const TextKey& key) {
  std::string kept;
  for (const char byte : text) {
    const bool word = is_blank(byte) || is_letter(byte) || is_digit(byte);
    const bool counts = key.dictionary ? word : !key.ignore_nonprinting || (byte >= ' ' && byte <= '~');
    const bool lower = key.fold_case && byte >= 'a' && byte <= 'z';
    if (counts) kept += static_cast<char>(lower ? byte - 'a' + 'A' : byte);
  }
  return kept;
}

/// Where the fields of a line end: before the separator, or, if that is empty, before the first of the blanks that
/// follow them.
inline std::vector<std::size_t> field_ends(std::string_view line, std::string_view separator) {
  std::vector<std::size_t> ends;
  for (std::size_t at = 0, free = 0; at < line.size(); ++at) {
    const bool ends_here = separator.empty() ? at > 0 && is_blank(line[at]) && !is_blank(line[at - 1])
                                             : at >= free && line.substr(at).starts_with(separator);
    if (!ends_here) continue;
    ends.push_back(at);
    free = at + separator.size();
  }
  return ends;
}

inline std::size_t offset_of(std::string_view line, const std::vector<std::size_t>& ends, const TextPosition& position,
                             std::size_t separator_bytes) {
  std::size_t at = 0;
  if (position.field > ends.size()) return line.size();
  if (position.field > 0) at = ends[position.field - 1] + separator_bytes;
  while (position.skip_blanks && at < line.size() && is_blank(line[at])) ++at;
  return position.byte < line.size() - at ? at + position.byte : line.size();
}

inline std::string_view key_text(std::string_view line, const std::vector<std::size_t>& ends, const TextKey& key,
                                 std::size_t separator_bytes) {
  const std::size_t begin = offset_of(line, ends, key.begin, separator_bytes);
  std::size_t end = line.size();
  if (key.end && key.end->byte > 0) {
    end = offset_of(line, ends, *key.end, separator_bytes);
  } else if (key.end && key.end->field <= ends.size()) {
    end = key.end->field == 0 ? 0 : ends[key.end->field - 1];
  }
  return end > begin ? line.substr(begin, end - begin) : std::string_view();
}

/// Compares the texts of one key. In random order, keys with equal text are equal; otherwise `less` may be anything.
inline Order compare_texts(const TextKey& key, std::string_view a, std::string_view b) {
  const std::string left = filtered(a, key);
  const std::string right = filtered(b, key);
  switch (key.kind) {
    case TextKind::kNumber:
      return compare_numbers(left, right, c_text_locale());
    case TextKind::kGeneralNumber:
      return compare_general_numbers(left, right);
    case TextKind::kHumanNumber:
      return compare_human_numbers(left, right);
    case TextKind::kMonth:
      return month_of(left) <=> month_of(right);
    case TextKind::kVersion:
      return compare_versions(left, right);
    default:
      return left.compare(right) <=> 0;
  }
}

}  // namespace sortie::fuzz

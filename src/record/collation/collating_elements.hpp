// What the GNU C library compares as one element: the characters of a locale, and the strings of several characters
// that it knows. strcoll() cuts text into these, always the longest that fits, and so do collation keys. They are read
// from the tables that strcoll() reads. Nothing is known of other C libraries.
#pragma once

#include <algorithm>
#include <clocale>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.hpp"

namespace sortie {

class CollatingElements {
 public:
  /// How characters are encoded in bytes.
  enum class Charset : std::uint8_t { kUtf8, kSingleBytes, kOther };

  explicit CollatingElements(locale_t locale);

  /// How many levels strcoll() compares in; 0: it compares bytes, or nothing is known.
  static std::uint32_t count_levels(locale_t locale);

  Charset charset() const { return charset_; }

  /// Whether strcoll() compares in levels, the first of them by the weights of all elements one after the other.
  bool first_level_is_plain() const { return first_level_is_plain_; }

  /// The elements of more than one character in UTF-8, or of more than one byte in charsets of single bytes.
  std::vector<std::string> take_joined() { return std::move(joined_); }

  /// Whether, in UTF-8, an element of several bytes begins with a byte that begins no character.
  bool begins_within_character() const { return begins_within_character_; }

 private:
  struct Tables;

  void read(const Tables& tables);
  void read_list(const Tables& tables, unsigned char first);
  bool first_levels_are_forward(const Tables& tables) const;
  bool is_joined(unsigned char first, std::size_t rest_bytes) const;
  void add(unsigned char first, std::string_view rest, std::int32_t entry);
  void add_range(unsigned char first, std::string_view from, std::string_view to, const std::int32_t* entries);

  Charset charset_ = Charset::kOther;
  bool first_level_is_plain_ = false;
  bool begins_within_character_ = false;
  std::int32_t greatest_entry_ = 0;
  std::vector<std::string> joined_;
};

/// How many bytes a character of UTF-8 has that begins with `first`; 1 if none does.
constexpr std::size_t utf8_bytes(unsigned char first) {
  return first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 1;
}

/// A weight. strxfrm() of the GNU C library writes levels with a 0x01 between them, each a sequence of weights in the
/// form of UTF-8, whose first byte says their length. Collation keys are made of the weights of the first level.
/// The value: the bytes of the weight, at most 6, from the highest byte down, so that it compares as they do. 0: no
/// weight.
using Weight = std::uint64_t;

inline constexpr char kLevelSeparator = '\x01';

constexpr std::size_t weight_bytes(unsigned char first) {
  return first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF8 ? 4 : first < 0xFC ? 5 : 6;
}

/// The first weight of `level`, which is taken from it; 0 if it is empty.
inline Weight take_weight(std::string_view& level) {
  if (level.empty()) return 0;
  const std::size_t bytes = std::min(weight_bytes(static_cast<unsigned char>(level.front())), level.size());
  const Weight weight = load_big_padded(reinterpret_cast<const std::byte*>(level.data()), bytes);
  level.remove_prefix(bytes);
  return weight;
}

}  // namespace sortie

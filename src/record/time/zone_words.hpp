// Which words behind a time of day are names of zones. Used by the reader of written zones.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace sortie {

/// Letters of the longest word that is known here.
inline constexpr std::size_t kLongestWord = 8;

/// A word in capitals; empty if it is longer than any that is known here.
struct UpperWord {
  explicit UpperWord(std::string_view word) {
    if (word.size() > letters.size()) return;
    size = word.size();
    std::ranges::transform(word, letters.begin(), [](char letter) { return static_cast<char>(letter & ~0x20); });
    has_capitals_only = std::equal(word.begin(), word.end(), letters.begin());
  }
  std::string_view text() const { return {letters.data(), size}; }

  std::array<char, kLongestWord> letters{};
  std::size_t size = 0;
  bool has_capitals_only = false;
};

/// Letters of the longest name that is_zone_word() knows.
inline constexpr std::size_t kLongestZoneWord = 6;

/// The letters that these names end with.
inline constexpr std::string_view kLastZoneLetters = "ABCDEKTZ";

/// Whether the word, in capitals, is a usual name of a zone. Names that are words of logs as well are none: GET, EAST.
bool is_zone_word(std::string_view word);

/// Whether the word, in capitals, is one that logs have behind times: INFO, GET.
bool is_word_of_logs(std::string_view word);

/// Whether `name`, in either case, is a place that the tz database names a zone after, without its region, or "Local":
/// Japan, Tokyo, New_York. Which zone that is is not known here.
bool is_zone_place(std::string_view name);

}  // namespace sortie

// The words that stand for a missing value where numbers are read, as TextOrder::missing_words has them. Keys and
// aggregates ask.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/grouping.hpp>
#include <sortie/text_order.hpp>

namespace sortie {

/// Whether text is read as a number. Words for a missing value may stand in its place.
inline bool is_number(TextKind kind) {
  return kind == TextKind::kNumber || kind == TextKind::kGeneralNumber || kind == TextKind::kHumanNumber;
}

inline bool is_of_numbers(AggregateKind kind) {
  using enum AggregateKind;
  return kind == kSum || kind == kMean || kind == kMin || kind == kMax;
}

/// Whether any key, or any aggregate of groups, is read as a number. `grouping`: null if there are no groups.
inline bool reads_missing_words(const TextOrder& order, const Grouping* grouping) {
  return std::ranges::any_of(order.keys, is_number, &TextKey::kind) ||
         (grouping != nullptr && std::ranges::any_of(grouping->aggregates, is_of_numbers, &Aggregate::kind));
}

inline std::string_view without_blanks_around(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

class MissingWords {
 public:
  MissingWords() = default;
  explicit MissingWords(std::vector<std::string> words) : words_(std::move(words)) {}

  bool empty() const { return words_.empty(); }

  /// Whether `text`, without blanks around it, is one of the words, or empty.
  bool contain(std::string_view text) const {
    text = without_blanks_around(text);
    return text.empty() || std::ranges::find(words_, text) != words_.end();
  }

 private:
  std::vector<std::string> words_;
};

}  // namespace sortie

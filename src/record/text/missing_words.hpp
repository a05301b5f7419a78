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

/// Whether words may stand in place of what is read as this kind.
inline bool may_be_missing(TextKind kind) {
  return kind == TextKind::kNumber || kind == TextKind::kGeneralNumber || kind == TextKind::kHumanNumber;
}

/// Whether any key, or any aggregate of groups, is read as a number. `grouping`: null if there are no groups.
inline bool reads_missing_words(const TextOrder& order, const Grouping* grouping) {
  const auto is_of_number = [](const Aggregate& aggregate) {
    using enum AggregateKind;
    return aggregate.kind == kSum || aggregate.kind == kMean || aggregate.kind == kMin || aggregate.kind == kMax;
  };
  return std::ranges::any_of(order.keys, [](const TextKey& key) { return may_be_missing(key.kind); }) ||
         (grouping != nullptr && std::ranges::any_of(grouping->aggregates, is_of_number));
}

class MissingWords {
 public:
  MissingWords() = default;
  explicit MissingWords(std::vector<std::string> words) : words_(std::move(words)) {}

  bool empty() const { return words_.empty(); }

  /// Whether `text`, without blanks around it, is one of the words, or empty.
  bool contain(std::string_view text) const {
    constexpr std::string_view kBlanks = " \t\r\n\v\f";
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
    return text.empty() || std::ranges::find(words_, text) != words_.end();
  }

 private:
  std::vector<std::string> words_;
};

}  // namespace sortie

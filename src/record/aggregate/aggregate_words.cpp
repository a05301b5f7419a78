// The words of aggregates: what they are, and where their values are.
#include <algorithm>
#include <array>

#include <sortie/error.hpp>
#include <sortie/grouping.hpp>
#include <sortie/text_keys.hpp>

#include "base/quote.hpp"
#include "base/whole_number.hpp"

namespace sortie {
namespace {

constexpr std::array<std::string_view, 7> kKinds = {"count", "sum", "min", "max", "mean", "first", "last"};

/// "3", or "3,3" as in a key, which no column is called.
std::optional<std::size_t> field_number(std::string_view word) {
  if (const std::size_t comma = word.find(','); comma != 0 && word.substr(0, comma) == word.substr(comma + 1)) {
    word = word.substr(0, comma);
  }
  return whole_number<std::size_t>(word);
}

TextKey key_of_field(std::size_t number) {
  if (number == 0) throw Error("fields are counted from 1: there is no field 0 to aggregate");
  TextKey key;
  key.begin.field = number - 1;
  key.end = TextPosition{.field = number};
  return key;
}

}  // namespace

std::string to_string(AggregateKind kind) { return std::string(kKinds.at(static_cast<std::size_t>(kind))); }

std::optional<AggregateKind> aggregate_kind(std::string_view word) {
  const auto found = std::ranges::find(kKinds, word);
  if (found == kKinds.end()) return std::nullopt;
  return static_cast<AggregateKind>(found - kKinds.begin());
}

Aggregate parse_aggregate(std::string_view word, const TextOrder& order) {
  const std::size_t colon = std::min(word.size(), word.find(':'));
  const std::optional<AggregateKind> kind = aggregate_kind(word.substr(0, colon));
  if (!kind || (*kind == AggregateKind::kCount) != (colon == word.size())) {
    throw Error("unknown aggregate " + quote_word(word) +
                ": write count, or sum, min, max, mean, first or last with a column, for example sum:2");
  }
  if (*kind == AggregateKind::kCount) return {};
  return {*kind, parse_aggregate_field(word.substr(colon + 1), order)};
}

TextKey parse_aggregate_field(std::string_view word, const TextOrder& order) {
  if (!order.json) {
    if (const auto number = field_number(word)) {
      TextKey key = key_of_field(*number);
      if (order.csv && word.find(',') == std::string_view::npos) {
        key.column = word;
        key.may_be_position = true;
      }
      return key;
    }
  }
  if (!order.json && !order.csv) {
    throw Error("an aggregate takes the number of a field, not " + quote_word(word) +
                ": columns have names in CSV and TSV, values have paths in JSON Lines");
  }
  const KeyDefinition definition = order.json ? parse_json_key(word) : parse_column_key(word);
  if (definition.options != OrderingOptions{}) {
    throw Error("an aggregate takes a column without type and direction, not " + quote_word(word));
  }
  TextKey key;
  key.column = definition.column;
  return key;
}

}  // namespace sortie

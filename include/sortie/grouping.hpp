// One record for each group of records with equal keys, with what is made of the whole group: sums, counts and others.
// Programs fill in a Grouping, or have the words of the command line parsed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/text_order.hpp>

namespace sortie {

enum class AggregateKind : std::uint8_t {
  kCount,  ///< the number of records
  kSum,    ///< the exact sum, with as many decimals as the value that has most
  kMin,    ///< the least value as it is written, by its number
  kMax,
  kMean,   ///< the exact sum divided by the number of values, rounded to 17 significant digits
  kFirst,  ///< the text of the first record, in the order of the input
  kLast,
};

/// A value is a decimal number: a sign, digits, a decimal point and an exponent, of which only digits must be there.
/// With more than 1000 digits in front of the point or behind it, once it is written without exponent, it is refused,
/// and so is every other text. Blanks around it do not count. Nothing, blanks alone, an empty string of JSON, null and
/// what is missing are no values; sum, least, greatest and mean of no values are empty, or null.
struct Aggregate {
  AggregateKind kind = AggregateKind::kCount;
  /// Where the text is, as of a key; its kind and options do not count. Not for kCount.
  TextKey field = {};

  friend bool operator==(const Aggregate&, const Aggregate&) = default;
};

/// "sum", "min" and so on.
std::string to_string(AggregateKind kind);
/// Nothing if there is no such word.
std::optional<AggregateKind> aggregate_kind(std::string_view word);

/// The output has a record for each group: the texts of the keys of its first record, in the order of the keys, and the
/// aggregates in their order. Those of lines are separated by the separator, or by a tab if fields are separated by
/// blanks; those of CSV are quoted where they must be; those of JSON Lines are members of an object.
struct Grouping {
  std::vector<Aggregate> aggregates;

  friend bool operator==(const Grouping&, const Grouping&) = default;
};

/// Parses "KIND:FIELD", or "count": KIND is sum, min, max, mean, first or last, FIELD as below. Throws Error.
Aggregate parse_aggregate(std::string_view word, const TextOrder& order);

/// The field that `word` names in lines of this order: its number, "3" or "3,3"; the name or number of a
/// column of CSV, where "3" may be both and "3,3" is a number; or the path of a value of JSON. Throws Error.
TextKey parse_aggregate_field(std::string_view word, const TextOrder& order);

}  // namespace sortie

// How fields of CSV are written: what separates them, and what quotes mean. Used by all that walks over records of CSV,
// reads their fields, or writes some.
#pragma once

#include <sortie/text_order.hpp>

namespace sortie {

struct CsvSyntax {
  // NOLINTNEXTLINE(google-explicit-constructor): most CSV has quotes as RFC 4180 has them
  constexpr CsvSyntax(char separator_of_fields = ',', Quoting meaning_of_quotes = Quoting::kCsv)
      : separator(separator_of_fields), quoting(meaning_of_quotes) {}

  char separator;
  Quoting quoting;

  bool has_quotes() const { return quoting != Quoting::kNone; }
  bool has_backslashes() const { return quoting == Quoting::kBackslash; }

  friend bool operator==(const CsvSyntax&, const CsvSyntax&) = default;
};

/// The syntax of records of CSV in this order.
inline CsvSyntax syntax_of(const TextOrder& order) {
  return {order.separator.empty() ? ',' : order.separator.front(), order.quoting};
}

}  // namespace sortie

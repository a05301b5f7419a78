// Cuts lines and records of CSV into their fields as they are written, quotes included. Used by joins.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sortie/text_order.hpp>

#include "record/csv/csv_syntax.hpp"
#include "record/record_order.hpp"

namespace sortie {

inline std::string_view as_text(Record record) { return {reinterpret_cast<const char*>(record.data()), record.size()}; }

class FieldSplitter {
 public:
  /// Fields are separated as the order says; without a separator, by blanks and newlines, of which those in front of
  /// the first field do not count.
  explicit FieldSplitter(const TextOrder& order)
      : separator_(order.separator), csv_(order.csv), syntax_(syntax_of(order)) {}

  /// `line` is without its end. Replaces what `fields` holds.
  void split(std::string_view line, std::vector<std::string_view>& fields) const;

 private:
  std::string separator_;
  bool csv_;
  CsvSyntax syntax_;
};

}  // namespace sortie

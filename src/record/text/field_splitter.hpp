// Cuts lines and records of CSV into their fields as they are written, quotes included. Used by joins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/text_order.hpp>

#include "record/csv/csv_syntax.hpp"

namespace sortie {

/// The fields of a line, where they lie in it. A line may have as many as it has bytes, so each takes little memory.
class SplitFields {
 public:
  /// Begins with a line, which must stay where it is. Throws Error for one of 4 GiB.
  void begin(std::string_view line);
  void add(const char* begin, const char* end) {
    fields_.emplace_back(static_cast<std::uint32_t>(begin - line_.data()), static_cast<std::uint32_t>(end - begin));
  }

  std::size_t size() const { return fields_.size(); }
  std::string_view operator[](std::size_t i) const { return line_.substr(fields_[i].first, fields_[i].second); }

 private:
  std::string_view line_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> fields_;  // begin and length
};

class FieldSplitter {
 public:
  /// Fields are separated as the order says; without a separator, by blanks and newlines, of which those in front of
  /// the first field do not count.
  explicit FieldSplitter(const TextOrder& order)
      : separator_(order.separator), csv_(order.csv), syntax_(syntax_of(order)) {}

  /// `line` is without its end. Replaces what `fields` holds.
  void split(std::string_view line, SplitFields& fields) const;

 private:
  std::string separator_;
  bool csv_;
  CsvSyntax syntax_;
};

}  // namespace sortie

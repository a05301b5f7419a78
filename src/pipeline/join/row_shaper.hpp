// Makes rows of pairs of records. What a row takes from a record is cut out once, however many rows it is part of: a
// row is made of stretches of consecutive fields that are of one side. Used by the merge join.
//
//   fields   | key  left | right  right | left |
//   pair     | stretch   | stretch      | stretch |      two of the left record, one of the right one
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/format.hpp>

#include "pipeline/join/row_plan.hpp"
#include "record/csv/csv_syntax.hpp"
#include "record/record_order.hpp"
#include "record/text/field_splitter.hpp"

namespace sortie {

/// How rows are written.
struct RowStyle {
  bool csv = false;
  CsvSyntax syntax = {};  ///< of CSV
  std::string separator = " ";
  std::string line_end = "\n";
  std::string empty = {};  ///< stands for empty and missing fields

  bool has_quotes() const { return csv && syntax.has_quotes(); }
};

class RowShaper {
 public:
  /// `format`: that of the inputs.
  RowShaper(const Format& format, RowPlan plan, RowStyle style, const JoinInput& left, const JoinInput& right);

  /// The stretches that a row takes from a record, one behind the other, each behind its length. They replace what
  /// `shaped` holds. Throws RefusedRecord for one with more fields than its input has columns.
  void shape_left(Record record, std::string& shaped) { shape(record, false, shaped); }
  void shape_right(Record record, std::string& shaped) { shape(record, true, shaped); }
  /// The left stretches of a row without a left record: the keys are those of the right one.
  void shape_keys_of_right(Record record, std::string& shaped);
  /// The right stretches of a row without a right record.
  const std::string& no_right() const { return no_right_; }

  /// Appends the row.
  void append_row(std::string_view left, std::string_view right, std::string& rows) const;
  /// The header of the output, of those of the inputs, which may be empty; empty if both are.
  std::string header(std::string_view left, std::string_view right);

 private:
  struct Stretch {
    bool is_of_right = false;
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  using Texts = std::vector<std::string_view>;

  void shape(Record record, bool is_right, std::string& shaped);
  void split(Record record, Texts& texts) const;
  void check_count(const Texts& texts, bool is_right, Record record) const;
  template <class AppendField>
  void append_stretches(bool is_right, std::string& shaped, const AppendField& append_field) const;
  void append_field(const RowField& field, std::size_t index, bool is_right, const Texts& texts,
                    std::string& row) const;
  void append_others(bool is_right, const Texts& texts, std::string& row) const;
  void append_text(std::string_view text, std::size_t index, std::string& row) const;
  std::string csv_header() const;

  RowPlan plan_;
  RowStyle style_;
  std::array<JoinInput, 2> inputs_;  // left, right
  std::array<std::vector<bool>, 2> is_key_;
  char delimiter_;
  FieldSplitter splitter_;
  std::vector<Stretch> stretches_;
  std::string no_right_;
  Texts texts_;  // of one record
};

}  // namespace sortie

// Makes rows of pairs of records, for the merge join. A row consists of stretches: consecutive fields of one side. The
// stretches of a record are cut out once, however many rows they are part of. A field that a row shows a second time is
// a stretch without a text of its own.
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
#include <sortie/join.hpp>

#include "pipeline/join/row_plan.hpp"
#include "record/csv/quoted_records.hpp"
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

RowStyle style_of(const JoinOptions& options, const InputBegin& left, const InputBegin& right);

class RowShaper {
 public:
  /// `format`: that of the inputs.
  RowShaper(const Format& format, RowPlan plan, RowStyle style, const JoinInput& left, const JoinInput& right);

  /// Replaces `shaped` by the stretches that a row takes from the record, each behind its length. Throws RefusedRecord
  /// for a record with more fields than its input has columns.
  void shape_left(Record record, std::string& shaped) { shape(record, false, shaped); }
  void shape_right(Record record, std::string& shaped) { shape(record, true, shaped); }
  /// The left stretches of a row without a left record: it shows the keys of the right one.
  void shape_keys_of_right(Record record, std::string& shaped);
  /// The right stretches of a row without a right record.
  const std::string& no_right() const { return no_right_; }

  /// Calls append(text) for the texts of the row in turn. Together they may be longer than memory: a row may show a
  /// field many times.
  template <class Append>
  void append_row(std::string_view left, std::string_view right, const Append& append);
  /// The header of the output, made of the headers of the inputs; empty if both are empty. Call once.
  std::string header(std::string_view left, std::string_view right);

 private:
  struct Stretch {
    bool is_of_right = false;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t same = kOwn;  // the stretch that has its text already
  };
  static constexpr std::size_t kOwn = static_cast<std::size_t>(-1);
  using Texts = SplitFields;

  void cut_into_stretches();
  static std::string_view take_stretch(std::string_view& shaped);
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
  std::vector<std::string_view> taken_;  // texts of the stretches of a row; none if all are their own
  std::string no_right_;
  Texts texts_;  // of one record
};

template <class Append>
void RowShaper::append_row(std::string_view left, std::string_view right, const Append& append) {
  bool is_empty = true;
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    const Stretch& stretch = stretches_[i];
    const std::string_view text =
        stretch.same == kOwn ? take_stretch(stretch.is_of_right ? right : left) : taken_[stretch.same];
    if (!taken_.empty()) taken_[i] = text;
    is_empty = is_empty && text.empty();
    append(text);
  }
  // A record of CSV with one empty field would be an empty line, which most readers pass over.
  if (style_.has_quotes() && is_empty) append(std::string_view("\"\""));
  append(std::string_view(style_.line_end));
}

/// Throws Error as plan_rows() does.
RowShaper make_row_shaper(const JoinOptions& options, const Format& left_format, const Format& right_format,
                          const InputBegin& left, const InputBegin& right);

}  // namespace sortie

#include "pipeline/join/row_plan.hpp"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

#include <sortie/error.hpp>

#include "base/byte_order_mark.hpp"
#include "base/quote.hpp"
#include "record/csv/quoted_records.hpp"
#include "record/text/field_splitter.hpp"

namespace sortie {
namespace {

using Source = RowField::Source;

std::optional<std::size_t> position(const std::vector<std::size_t>& numbers, std::size_t number) {
  const auto found = std::ranges::find(numbers, number);
  if (found == numbers.end()) return std::nullopt;
  return static_cast<std::size_t>(found - numbers.begin());
}

/// A record has fewer than 4 G fields.
RowField field(Source source, std::size_t number) { return {source, static_cast<std::uint32_t>(number)}; }

std::string_view without_end(std::string_view text, const Format& format) {
  if (format.text.csv) return without_line_end(text);
  return text.ends_with(format.delimiter) ? text.substr(0, text.size() - 1) : text;
}

/// `left`, `right`: the fields of the keys, as fields_of_keys() has them.
void expect_whole_fields(const std::vector<std::size_t>& left, const std::vector<std::size_t>& right) {
  if (left.empty() || right.empty()) {
    throw Error(
        "a key of the join is a part of a field, or goes to the end of the line: let it end with its field, or say "
        "which columns to write");
  }
  if (left.size() != right.size()) {
    throw Error("the keys of the join are of more fields on one side: say which columns to write");
  }
}

bool writes_keys(const std::vector<JoinColumn>& columns) {
  const auto is_keys = [](const JoinColumn& column) { return column.from == JoinColumn::From::kKeys; };
  return columns.empty() || std::ranges::any_of(columns, is_keys);
}

bool has_name(const TextKey& key) { return !key.column.empty(); }

/// As fields_of_keys(), where words of keys can be no names.
std::vector<std::size_t> fields_without_header(TextOrder order, const std::vector<TextKey>& keys) {
  order.keys = keys;
  return fields_of_keys(with_columns_found(std::move(order), {}).keys);
}

class RowPlanner {
 public:
  RowPlanner(const JoinInput& left, const JoinInput& right, bool shows_right)
      : left_(left), right_(right), shows_right_(shows_right) {}

  RowPlan of_columns(const std::vector<JoinColumn>& columns) {
    for (const JoinColumn& column : columns) add(column);
    return finish(false);
  }

  RowPlan of_lines() {
    add_keys();
    fields_.push_back({Source::kOtherLeft});
    if (shows_right_) fields_.push_back({Source::kOtherRight});
    return finish(false);
  }

  RowPlan of_csv() {
    expect_whole_fields();
    fields_.reserve(left_.field_count + left_.key_fields.size() + (shows_right_ ? right_.field_count : 0));
    if (left_.field_count == 0) add_keys();  // of records that the left input does not have
    for (std::size_t number = 0; number < left_.field_count; ++number) {
      const std::optional<std::size_t> key = position(left_.key_fields, number);
      fields_.push_back(key ? field(Source::kKey, *key) : field(Source::kLeft, number));
    }
    for (std::size_t number = 0; shows_right_ && number < right_.field_count; ++number) {
      if (!position(right_.key_fields, number)) fields_.push_back(field(Source::kRight, number));
    }
    return finish(true);
  }

 private:
  void expect_whole_fields() const { sortie::expect_whole_fields(left_.key_fields, right_.key_fields); }

  void add_keys() {
    expect_whole_fields();
    for (std::size_t i = 0; i < left_.key_fields.size(); ++i) fields_.push_back(field(Source::kKey, i));
  }

  void add(const JoinColumn& column) {
    switch (column.from) {
      case JoinColumn::From::kKeys:
        refuse_name_as_well("0", left_);
        refuse_name_as_well("0", right_);
        return add_keys();
      case JoinColumn::From::kEither:
        return add_either(column.name);
      case JoinColumn::From::kLeft:
        add_named(field(Source::kLeft, number_of(column, left_, "left")), column.name);
        return;
      case JoinColumn::From::kRight:
        add_named(field(Source::kRight, number_of(column, right_, "right")), column.name);
        return;
    }
  }

  void add_either(const std::string& name) {
    const bool in_left = left_.names.contains(name);
    const bool in_right = right_.names.contains(name);
    if (!in_left) return add({in_right ? JoinColumn::From::kRight : missing_side(name), 0, name});
    const std::size_t number = number_of({JoinColumn::From::kLeft, 0, name}, left_, "left");
    if (const auto key = position(left_.key_fields, number); key && *key < right_.key_fields.size()) {
      add_named(field(Source::kKey, *key), name);
    } else if (in_right) {
      throw Error("both inputs have a column " + quote_word(name) + ": write left." + name + " or right." + name);
    } else {
      add_named(field(Source::kLeft, number), name);
    }
  }

  // A word may be written as numbers are and be a name, too.
  static void refuse_name_as_well(const std::string& word, const JoinInput& input) {
    if (!input.names.contains(word)) return;
    throw Error(quote_word(word) + " is the name of a column, and stands for fields by their number, too: write '\"" +
                word + "\"' for the column, or name the others");
  }

  static void need_column(std::size_t field, const JoinInput& input, const std::string& side) {
    if (input.names.empty() || field < input.names.size()) return;
    throw Error("there is no column " + std::to_string(field + 1) + " in the " + side + " input: its header has " +
                std::to_string(input.names.size()));
  }

  void add_named(RowField field, const std::string& name) {
    if (!name.empty()) names_.emplace(fields_.size(), name);
    fields_.push_back(field);
  }

  // An input without records has no columns, and any name will do.
  JoinColumn::From missing_side(const std::string& name) const {
    if (left_.names.empty()) return JoinColumn::From::kLeft;
    if (right_.names.empty()) return JoinColumn::From::kRight;
    throw Error("no input has a column " + quote_word(name) + " to write");
  }

  static std::size_t number_of(const JoinColumn& column, const JoinInput& input, const std::string& side) {
    if (column.name.empty()) {
      refuse_name_as_well((side == "left" ? "1." : "2.") + std::to_string(column.field + 1), input);
      need_column(column.field, input, side);
      return column.field;
    }
    if (input.names.empty()) return kNoField;
    const std::size_t number = input.names.find(column.name);
    if (number == input.names.size()) throw Error("the " + side + " input has no column " + quote_word(column.name));
    if (input.names.find(column.name, number + 1) < input.names.size()) {
      throw Error("the " + side + " input has several columns " + quote_word(column.name) + ": give the number of one");
    }
    return number;
  }

  RowPlan finish(bool columns_are_fixed) {
    RowPlan plan;
    const std::vector<std::uint32_t> by_title = fields_by_title();
    std::set<std::string> changed;
    plan.title_ends.reserve(fields_.size());
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      std::string title(title_of(i));
      while (!title.empty() && (first_of(title, by_title) < i || changed.contains(title))) {
        title += fields_[i].is_of_right() ? "_right" : "_left";
      }
      if (title != title_of(i)) changed.insert(title);
      plan.titles += title;
      plan.title_ends.push_back(static_cast<std::uint32_t>(plan.titles.size()));
    }
    plan.fields = std::move(fields_);
    plan.columns_are_fixed = columns_are_fixed;
    return plan;
  }

  /// Numbers of the fields, those of equal titles in turn. There may be many fields: this takes less than a set.
  std::vector<std::uint32_t> fields_by_title() const {
    std::vector<std::uint32_t> numbers(fields_.size());
    std::iota(numbers.begin(), numbers.end(), std::uint32_t{0});
    std::ranges::sort(numbers, [this](std::uint32_t a, std::uint32_t b) {
      const auto order = title_of(a) <=> title_of(b);
      return std::is_neq(order) ? std::is_lt(order) : a < b;
    });
    return numbers;
  }

  /// The first field with that title; the number of fields if there is none.
  std::size_t first_of(std::string_view title, const std::vector<std::uint32_t>& by_title) const {
    const auto found =
        std::ranges::lower_bound(by_title, title, {}, [this](std::uint32_t number) { return title_of(number); });
    return found == by_title.end() || title_of(*found) != title ? fields_.size() : *found;
  }

  std::string_view title_of(std::size_t index) const {
    const auto named = names_.find(index);
    return named != names_.end() ? std::string_view(named->second) : name_of(fields_[index]);
  }

  std::string_view name_of(const RowField& field) const {
    const JoinInput& input =
        field.is_of_right() || (left_.names.empty() && field.source == Source::kKey) ? right_ : left_;
    const std::size_t number = field.source == Source::kKey && field.number < input.key_fields.size()
                                   ? input.key_fields[field.number]
                                   : field.number;
    return number < input.names.size() ? input.names[number] : std::string_view();
  }

  const JoinInput& left_;
  const JoinInput& right_;
  bool shows_right_;
  std::vector<RowField> fields_;
  std::map<std::size_t, std::string> names_;  // of fields that are asked for by name
};

}  // namespace

std::string_view without_mark(std::string_view header) {
  return as_text(without_byte_order_mark(std::as_bytes(std::span(header))));
}

InputBegin begin_of(const KeyedStream& records) {
  InputBegin begin{records.header(), std::nullopt};
  if (records.is_there()) begin.first_record = as_text(records.record());
  return begin;
}

JoinInput describe_input(const Format& format, const InputBegin& begin) {
  JoinInput input;
  const std::string_view header = without_mark(begin.header);
  SplitFields fields;
  if (!header.empty() || begin.first_record) {
    const std::string_view first = header.empty() ? *begin.first_record : header;
    FieldSplitter(format.text).split(without_end(first, format), fields);
  }
  input.field_count = fields.size();
  if (format.text.csv && !header.empty()) input.names = column_names(header, syntax_of(format.text));
  input.key_fields = fields_of_keys(with_columns_found(format.text, header).keys);
  return input;
}

void refuse_keys_that_cannot_be_shown(const JoinOptions& options) {
  const std::vector<TextKey>& left = options.sort.format.text.keys;
  const std::vector<TextKey>& right = options.right_keys.empty() ? left : options.right_keys;
  if (!writes_keys(options.columns)) return;
  const auto is_any = [&](const auto& is) { return std::ranges::any_of(left, is) || std::ranges::any_of(right, is); };
  const bool may_have_header =
      options.sort.header_lines > 0 || !options.sort.header_prefixes.empty() || is_any(needs_header);
  if (may_have_header && is_any(has_name)) return;  // the header decides
  expect_whole_fields(fields_without_header(options.sort.format.text, left),
                      fields_without_header(options.sort.format.text, right));
}

RowPlan plan_rows(const JoinOptions& options, const JoinInput& left, const JoinInput& right) {
  RowPlanner planner(left, right, options.kind != JoinKind::kAnti);
  if (!options.columns.empty()) return planner.of_columns(options.columns);
  return options.sort.format.text.csv ? planner.of_csv() : planner.of_lines();
}

std::vector<std::size_t> fields_of_keys(const std::vector<TextKey>& keys) {
  std::vector<std::size_t> fields;
  for (const TextKey& key : keys) {
    if (key.begin.byte != 0 || !key.end || key.end->byte != 0 || key.end->field <= key.begin.field) return {};
    for (std::size_t field = key.begin.field; field < key.end->field; ++field) fields.push_back(field);
  }
  return fields;
}

}  // namespace sortie

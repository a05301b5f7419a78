#include "record/csv/column_names.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include <sortie/error.hpp>

#include "base/name_list.hpp"
#include "base/quote.hpp"
#include "record/layout.hpp"
#include "record/record_scan.hpp"
#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

/// What the records of a header say of columns.
struct Columns {
  ColumnNames names;
  std::size_t count = 0;  ///< fields of the longest record; a title may stand above the names
};

Columns columns_in(std::string_view header, const TextOrder& order) {
  const CsvSyntax syntax = syntax_of(order);
  const Layout layout{.framing = syntax.has_quotes() ? Framing::kQuoted : Framing::kPlain, .syntax = syntax};
  Columns columns;
  while (!header.empty()) {
    const std::size_t bytes = first_records(layout, std::as_bytes(std::span(header)), 1);
    const std::string_view record = header.substr(0, bytes == 0 ? header.size() : bytes);
    ColumnNames fields = column_names(record, syntax);
    columns.count = std::max(columns.count, fields.size());
    if (columns.names.empty()) columns.names = std::move(fields);
    header.remove_prefix(record.size());
  }
  return columns;
}

/// As a key or an aggregate takes it.
std::string by_number(std::size_t field) { return std::to_string(field + 1) + "," + std::to_string(field + 1); }

std::string list_of(const ColumnNames& names) {
  return list_of_names(names.size(), [&](std::size_t i) { return names[i]; });
}

std::size_t find_column(const ColumnNames& names, const std::string& name) {
  const std::size_t number = names.find(name);
  if (number == names.size()) {
    throw Error("no column is called " + quote_word(name) + ": there are " + list_of(names));
  }
  if (names.find(name, number + 1) < names.size()) {
    throw Error("several columns are called " + quote_word(name) + ", of " + list_of(names) +
                ": give the number of one, for example " + by_number(number));
  }
  return number;
}

void need_position(const TextKey& key, const Columns& columns) {
  if (columns.count == 0 || key.begin.field < columns.count) return;
  throw Error("there is no column " + std::to_string(key.begin.field + 1) + ": the header has " +
              std::to_string(columns.count) + ", " + list_of(columns.names));
}

/// A word that may be a name or a position.
void decide(TextKey& key, const Columns& columns) {
  const bool is_name = columns.names.contains(key.column);
  const bool is_position = key.begin.field < columns.count;
  const bool is_number = std::ranges::all_of(key.column, is_digit);
  if (is_name && (is_position || !is_number)) {
    throw Error(quote_word(key.column) + " is the name of a column, and can be read as field " +
                std::to_string(key.begin.field + 1) + ": write '\"" + key.column + "\"' for the name, or " +
                by_number(key.begin.field) + " for the field");
  }
  key.may_be_position = false;
  if (is_name) {
    key.end.reset();
    return;
  }
  need_position(key, columns);
  key.column.clear();
}

TextOrder with_words_decided(TextOrder order, const Columns& columns) {
  for (TextKey& key : order.keys) {
    if (key.may_be_position) decide(key, columns);
    if (key.column.empty()) need_position(key, columns);
  }
  return order;
}

}  // namespace

ColumnNames::ColumnNames(UnquotedRecord names) : names_(std::move(names)) {
  names_.ends.push_back(names_.text.size());
  names_.ends.shrink_to_fit();
}

std::size_t ColumnNames::find(std::string_view name, std::size_t from) const {
  while (from < size() && (*this)[from] != name) ++from;
  return std::min(from, size());
}

ColumnNames column_names(std::string_view header, CsvSyntax syntax) {
  UnquotedRecord names;
  unquote_record(without_line_end(header), syntax, std::numeric_limits<std::size_t>::max(), names);
  return ColumnNames(std::move(names));
}

TextOrder with_words_decided(TextOrder order, std::string_view header) {
  const Columns columns = columns_in(header, order);
  return with_words_decided(std::move(order), columns);
}

TextOrder with_columns_found(TextOrder order, std::string_view header) {
  if (!order.csv) return order;
  const Columns columns = columns_in(header, order);
  order = with_words_decided(std::move(order), columns);
  for (TextKey& key : order.keys) {
    if (key.column.empty()) continue;
    const std::size_t field = columns.names.empty() ? 0 : find_column(columns.names, key.column);
    key.begin.field = field;
    key.begin.byte = 0;
    key.end = TextPosition{.field = field + 1};
    key.column.clear();
  }
  return order;
}

}  // namespace sortie

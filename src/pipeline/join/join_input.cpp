#include "pipeline/join/join_input.hpp"

#include <span>
#include <vector>

#include "base/byte_order_mark.hpp"
#include "record/csv/column_names.hpp"
#include "record/csv/quoted_records.hpp"
#include "record/text/field_splitter.hpp"

namespace sortie {
namespace {

std::string_view without_end(std::string_view text, const Format& format) {
  if (format.text.csv) return without_line_end(text);
  return text.ends_with(format.delimiter) ? text.substr(0, text.size() - 1) : text;
}

bool ends_in_carriage_return(const KeyedStream& records) {
  return (records.header().empty() ? as_text(records.record()) : records.header()).ends_with("\r\n");
}

}  // namespace

std::string_view without_mark(std::string_view header) {
  return as_text(without_byte_order_mark(std::as_bytes(std::span(header))));
}

JoinInput describe_input(const Format& format, const KeyedStream& records) {
  JoinInput input;
  const std::string_view header = without_mark(records.header());
  std::vector<std::string_view> fields;
  if (!header.empty() || records.is_there()) {
    const std::string_view first = header.empty() ? as_text(records.record()) : header;
    FieldSplitter(format.text).split(without_end(first, format), fields);
  }
  input.field_count = fields.size();
  if (format.text.csv && !header.empty()) input.names = column_names(header, syntax_of(format.text));
  input.key_fields = fields_of_keys(with_columns_found(format.text, header).keys);
  return input;
}

RowStyle style_of(const JoinOptions& options, const KeyedStream& left, const KeyedStream& right) {
  const Format& format = options.sort.format;
  RowStyle style;
  style.csv = format.text.csv;
  if (!format.text.separator.empty()) style.separator = format.text.separator;
  style.line_end = std::string(1, format.delimiter);
  const bool left_is_empty = left.header().empty() && !left.is_there();
  if (style.csv && ends_in_carriage_return(left_is_empty ? right : left)) style.line_end = "\r\n";
  style.syntax = syntax_of(format.text);
  if (style.csv) {
    append_csv_field(options.empty, style.syntax, style.empty);
  } else {
    style.empty = options.empty;
  }
  return style;
}

}  // namespace sortie

#include "cli/explain/explanation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/sort.hpp>

#include "base/byte_order_mark.hpp"
#include "base/quote.hpp"
#include "cli/explain/order_sentence.hpp"
#include "record/csv/column_names.hpp"
#include "record/csv/quoted_records.hpp"
#include "record/layout.hpp"
#include "record/record_scan.hpp"
#include "record/text/annotate.hpp"

namespace sortie::cli {
namespace {

constexpr std::uint64_t kRecordsShown = 3;

/// Records with what ends them, without a byte order mark that stays in front of them.
struct FirstRecords {
  /// The record that names the columns; empty if there is none.
  std::string names() const { return names_at < header.size() ? header[names_at] : std::string(); }
  /// That and what of the header follows it.
  std::string from_names() const {
    std::string text;
    for (std::size_t i = names_at; i < header.size(); ++i) text += header[i];
    return text;
  }

  std::vector<std::string> header;
  std::size_t names_at = 0;  ///< which of these names the columns; lines in front of CSV do not
  std::vector<std::string> records;
};

bool names_columns(const SortOptions& options) {
  const TextOrder& order = options.format.text;
  return order.csv && (!options.header_prefixes.empty() || std::ranges::any_of(order.keys, needs_header));
}

/// Cuts lines and records off `text` as long as they are of the header. The names of columns are in the record number
/// `names_at`.
std::vector<std::string> take_header(std::string_view& text, const SortOptions& options, std::size_t& names_at) {
  Format format = options.format;
  format.text.record_start = {};  // its records are lines
  const Layout layout = layout_of(format);
  std::vector<std::string> header;
  const auto begins_text = [&](const std::string& prefix) { return text.starts_with(prefix); };
  const auto take = [&](std::size_t bytes) {
    header.emplace_back(text.substr(0, bytes));
    text.remove_prefix(header.back().size());
  };
  while (!text.empty() && std::ranges::any_of(options.header_prefixes, begins_text)) {
    take(std::min(text.find(format.delimiter), text.size() - 1) + 1);
  }
  names_at = header.size();
  for (std::uint64_t i = 0; i < options.header_lines && !text.empty(); ++i) {
    take(first_records(layout, std::as_bytes(std::span(text)), 1));
  }
  return header;
}

std::vector<std::string> records_of(std::string_view text, const Layout& layout) {
  std::vector<std::string> records;
  for_each_record(layout, std::as_bytes(std::span(text)), [&](const std::byte* record, std::uint64_t bytes) {
    records.emplace_back(reinterpret_cast<const char*>(record), bytes);
  });
  return records;
}

/// What the sort writes.
std::string text_of(SortOptions options) {
  std::string text;
  options.sink = [&](std::span<const std::byte> bytes) {
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  sort(options);
  return text;
}

/// The same of JSON, which may be a document that is read as its elements. Lines that are no JSON are shown as they
/// are.
std::string json_text_of(const SortOptions& lines) {
  SortOptions json = lines;
  json.format.text.json = true;
  json.format.text.keys.emplace_back().column = ".";
  try {
    return text_of(json);
  } catch (const Error&) {
    if (lines.inputs.empty() || lines.inputs.front() == "-") throw;  // it cannot be read again
    return text_of(lines);
  }
}

/// The header of the first input, which has a record at least if keys name columns, and the `count` records behind it,
/// as they come; fewer if there are fewer. Reads no further than that. Precondition: the format is lines. Throws Error.
FirstRecords first_records(const SortOptions& options, std::uint64_t count) {
  SortOptions first;
  first.format = options.format;
  first.format.text.keys.clear();
  first.format.text.json = false;
  first.format.text.missing_words.clear();
  first.format.text.locale = false;
  first.format.descending = false;
  first.format.shuffle = false;
  if (!options.inputs.empty()) first.inputs = {options.inputs.front()};
  first.header_lines = std::max<std::uint64_t>(options.header_lines, names_columns(options) ? 1 : 0);
  first.header_prefixes = options.header_prefixes;
  first.unpack = options.unpack;
  first.engine = EngineChoice::kCpu;
  // A merge of one input passes its records on as they are, and reads no further than it must.
  first.merge_only = true;
  first.top_records = count;
  const std::string text = options.format.text.json ? json_text_of(first) : text_of(first);
  std::string_view rest = text;
  if (keeps_mark_in_front(options.format, options.header_prefixes)) rest = without_byte_order_mark(rest);
  FirstRecords found;
  found.header = take_header(rest, first, found.names_at);
  found.records = records_of(rest, layout_of(first.format));
  return found;
}

/// Keys and positions that may be names or positions become what the header says.
void decide_words(SortOptions& options, const std::string& header) {
  TextOrder& order = options.format.text;
  order = with_words_decided(order, header);
  if (!options.grouping) return;
  for (Aggregate& aggregate : options.grouping->aggregates) {
    TextOrder field = order;
    field.keys = {aggregate.field};
    if (aggregate.kind != AggregateKind::kCount) aggregate.field = with_words_decided(field, header).keys[0];
  }
}

/// Whether the name can be shown on a line of its own as it is. A key must have the bytes of the name.
bool can_be_shown(std::string_view name) {
  const auto is_control = [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F; };
  return std::ranges::none_of(name, is_control);
}

/// Whether a word could be a KEYDEF, which may begin with blanks and a plus.
bool is_like_keydef(char first) { return std::string_view("0123456789+ ").find(first) != std::string_view::npos; }

/// parse_table_key() takes what this returns for the column of this name.
std::string as_key(std::string_view name) {
  if (!is_like_keydef(name[0]) && name[0] != '"' && name.find(':') == std::string_view::npos) return std::string(name);
  return in_csv_quotes(name);
}

}  // namespace

std::string explanation(SortOptions options, const JoinOptions* join) {
  if (join != nullptr) {
    options.format.text.last_resort = false;
    options.format.text.locale = false;
  }
  const Format& format = options.format;
  const bool shows_records = !options.inputs.empty() && format.kind == RecordKind::kLines && !format.shuffle;
  FirstRecords first;
  if (shows_records) first = first_records(options, kRecordsShown);
  if (shows_records && format.text.csv) decide_words(options, first.from_names());
  std::string text = order_sentence(options) + (join != nullptr ? join_sentence(*join) : "") + "\n";
  if (!shows_records) return text;
  text += "\n";
  TextOrder order = format.text;
  if (order.csv) order = with_columns_found(order, first.from_names());
  if (first.records.empty()) return text;
  const Annotator annotator(std::move(order));
  for (const std::string& record : first.records) {
    text += annotator.annotated(std::string_view(record).substr(0, record.size() - 1));
  }
  return text;
}

std::string column_list(const SortOptions& options) {
  SortOptions with_header = options;
  with_header.header_lines = std::max<std::uint64_t>(1, options.header_lines);
  const FirstRecords first = first_records(with_header, 1);
  if (first.names().empty()) return "";
  const ColumnNames names = column_names(first.names(), syntax_of(options.format.text));
  std::vector<std::string_view> in_order(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) in_order[i] = names[i];
  std::ranges::sort(in_order);
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [begin, end] = std::equal_range(in_order.begin(), in_order.end(), names[i]);
    const bool leads_to_it = !names[i].empty() && end - begin == 1;
    list.append(std::to_string(i + 1)).append("\t");
    if (leads_to_it) list.append(can_be_shown(names[i]) ? as_key(names[i]) : quote_word(names[i]));
    list.append("\n");
  }
  return list;
}

}  // namespace sortie::cli

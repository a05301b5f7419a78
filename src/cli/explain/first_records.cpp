#include "cli/explain/first_records.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include <sortie/error.hpp>
#include <sortie/sort.hpp>

#include "base/byte_order_mark.hpp"
#include "record/csv/column_names.hpp"
#include "record/layout.hpp"
#include "record/record_scan.hpp"

namespace sortie::cli {
namespace {

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

}  // namespace

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

}  // namespace sortie::cli

#include "cli/explain/column_list.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/quote.hpp"
#include "cli/explain/first_records.hpp"
#include "record/csv/column_names.hpp"

namespace sortie::cli {
namespace {

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
  std::string quoted = "\"";
  for (const char character : name) quoted.append(character == '"' ? 2 : 1, character);
  return quoted + '"';
}

}  // namespace

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

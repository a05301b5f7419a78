#include "cli/explain/column_list.hpp"

#include <algorithm>
#include <vector>

#include "base/quote.hpp"
#include "cli/explain/first_records.hpp"
#include "record/csv/column_names.hpp"

namespace sortie::cli {
namespace {

/// parse_column_key() and add_key() take what this returns for the column of this name.
std::string as_key(const std::string& name) {
  const bool is_like_keydef = name[0] >= '0' && name[0] <= '9';
  if (!is_like_keydef && name[0] != '"' && name.find(':') == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char character : name) quoted.append(character == '"' ? 2 : 1, character);
  return quoted + '"';
}

}  // namespace

std::string column_list(const SortOptions& options) {
  SortOptions with_header = options;
  with_header.header_lines = std::max<std::uint64_t>(1, options.header_lines);
  const FirstRecords first = first_records(with_header, 1);
  if (first.header.empty()) return "";
  const std::vector<std::string> names = column_names(first.header.front(), options.format.text.separator.front());
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool leads_to_it = !names[i].empty() && std::ranges::count(names, names[i]) == 1;
    list.append(std::to_string(i + 1)).append("\t");
    list.append(leads_to_it ? escape_unprintable(as_key(names[i])) : "").append("\n");
  }
  return list;
}

}  // namespace sortie::cli

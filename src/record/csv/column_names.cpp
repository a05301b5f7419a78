#include "record/csv/column_names.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "record/csv/quoted_records.hpp"

namespace sortie {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list.append(list.empty() ? "" : ", ").append(quote_word(name));
  return list;
}

std::size_t find_column(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    throw Error("no column is called " + quote_word(name) + ": there are " + list_of(names));
  }
  const auto number = static_cast<std::size_t>(found - names.begin());
  if (std::find(found + 1, names.end(), name) != names.end()) {
    throw Error("several columns are called " + quote_word(name) + ", of " + list_of(names) +
                ": give the number of one, for example " + std::to_string(number + 1) + "," +
                std::to_string(number + 1));
  }
  return number;
}

}  // namespace

std::vector<std::string> column_names(std::string_view header, char separator) {
  return field_values(without_line_end(header), separator);
}

TextOrder with_columns_found(TextOrder order, std::string_view header) {
  if (std::ranges::all_of(order.keys, [](const TextKey& key) { return key.column.empty(); })) return order;
  const std::vector<std::string> names = column_names(header, order.separator.empty() ? ',' : order.separator.front());
  for (TextKey& key : order.keys) {
    if (key.column.empty()) continue;
    const std::size_t field = header.empty() ? 0 : find_column(names, key.column);
    key.begin.field = field;
    key.end = TextPosition{.field = field + 1};
    key.column.clear();
  }
  return order;
}

}  // namespace sortie

#include "table/key_target.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <sortie/table_sorter.hpp>

#include "base/name_list.hpp"
#include "base/quote.hpp"
#include "pipeline/public_call.hpp"

namespace sortie {
namespace table {
namespace {

using Names = std::span<const std::string>;

/// The number of the only name that is `word`; none if there is none.
std::optional<std::size_t> find_name(Names names, std::string_view word, const std::string& key) {
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end()) return {};
  if (std::find(found + 1, names.end(), word) != names.end()) {
    throw KeyError("key " + key + ": several columns have this name; rename all but one");
  }
  return static_cast<std::size_t>(found - names.begin());
}

/// The numbers that lead to `word`: a name, or names with dots between them. None if nothing is called so.
std::optional<std::vector<std::size_t>> find_path(Names names, std::span<const TableType> types, std::string_view word,
                                                  const std::string& key) {
  if (const auto number = find_name(names, word, key)) return std::vector{*number};
  // Longest names first.
  for (std::size_t dot = word.rfind('.'); dot != std::string_view::npos && dot > 0; dot = word.rfind('.', dot - 1)) {
    const auto number = find_name(names, word.substr(0, dot), key);
    if (!number || types[*number].storage != Storage::kStruct) continue;
    const TableType& inside = types[*number];
    auto path = find_path(inside.names, inside.children, word.substr(dot + 1), key);
    if (!path) continue;
    path->insert(path->begin(), *number);
    return path;
  }
  return {};
}

[[noreturn]] void refuse_missing(const TableSchema& schema, const std::string& word, const std::string& table) {
  for (std::size_t dot = word.rfind('.'); dot != std::string::npos && dot > 0; dot = word.rfind('.', dot - 1)) {
    const auto found = std::find(schema.names.begin(), schema.names.end(), word.substr(0, dot));
    if (found == schema.names.end()) continue;
    const TableType& type = schema.columns[static_cast<std::size_t>(found - schema.names.begin())];
    const std::string begin = "key " + quote_word(word) + ": column " + quote_word(*found) + " of " + table;
    if (type.storage != Storage::kStruct)
      throw KeyError(begin + " is of type " + type.shown() + ", which has no fields");
    throw KeyError(begin + " has no field " + quote_word(word.substr(dot + 1)) + "; it has " +
                   list_of_names(type.names));
  }
  throw KeyError("key " + quote_word(word) + ": " + table + " has no such column; it has " +
                 list_of_names(schema.names));
}

std::size_t find_position(const TableSchema& schema, std::int64_t position, const std::string& table) {
  const auto count = static_cast<std::int64_t>(schema.columns.size());
  const std::int64_t number = position < 0 ? position + count : position;
  if (number >= 0 && number < count) return static_cast<std::size_t>(number);
  throw KeyError("key " + std::to_string(position) + ": " + table + " has no such column; " +
                 (count == 0 ? "it has none" : "they are numbered from 0 to " + std::to_string(count - 1)));
}

}  // namespace

KeyTarget find_target(const TableSchema& schema, const TableKey& key, const std::string& table) {
  if (key.position) return {find_position(schema, *key.position, table), {}};
  const auto path = find_path(schema.names, schema.columns, key.column, quote_word(key.column));
  if (!path) refuse_missing(schema, key.column, table);
  return {path->front(), {path->begin() + 1, path->end()}};
}

const TableType& type_of(const TableSchema& schema, const KeyTarget& target) {
  const TableType* type = &schema.columns[target.column];
  for (const std::size_t field : target.fields) type = &type->children[field];
  return *type;
}

std::string quote_key(const TableKey& key) {
  return key.position ? std::to_string(*key.position) : quote_word(key.column);
}

}  // namespace table

KeyTarget find_key(const ArrowSchema& schema, const TableKey& key, const std::string& table) {
  return public_call([&] { return table::find_target(table::read_schema(schema), key, table); });
}

}  // namespace sortie

// Which column, or which field of the structs in a column, a key of the caller means. Used when rows are laid out.
#pragma once

#include <string>

#include <sortie/table_sorter.hpp>

#include "table/table_type.hpp"

namespace sortie::table {

/// See sortie::find_key().
KeyTarget find_target(const TableSchema& schema, const TableKey& key, const std::string& table = "the table");

/// The type of what a key means.
const TableType& type_of(const TableSchema& schema, const KeyTarget& target);

/// How messages call a key.
std::string quote_key(const TableKey& key);

}  // namespace sortie::table

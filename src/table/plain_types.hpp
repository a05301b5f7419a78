// Types without children, by the format that the Arrow C data interface has for them.
#pragma once

#include <optional>
#include <string_view>

#include "table/table_type.hpp"

namespace sortie::table {

/// The type that `format` names; nothing if it is not known, or has children.
std::optional<TableType> plain_type(std::string_view format);

}  // namespace sortie::table

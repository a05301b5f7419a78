// Types without children, by the format that the Arrow C data interface has for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "table/table_type.hpp"

namespace sortie::table {

/// The type that `format` tells; nothing if it is not known, or has children.
std::optional<TableType> plain_type(std::string_view format);

/// The number that `text` is; nothing if it is none.
std::optional<std::int64_t> whole_number(std::string_view text);

}  // namespace sortie::table

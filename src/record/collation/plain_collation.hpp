// Collation keys of texts of plain bytes, by table: what append_collation_levels() makes of their strxfrm(), some ten
// times as fast.
#pragma once

#include <string>
#include <string_view>

#include "record/collation/collation_table.hpp"

namespace sortie {

/// Appends the key of `text` if all of its bytes are plain, and returns whether they are.
bool append_plain_collation(const CollationTable& table, std::string_view text, std::string& out);

}  // namespace sortie

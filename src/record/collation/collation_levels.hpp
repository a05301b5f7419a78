// Collation keys from what strxfrm() writes: the same levels in fewer bytes. Of most texts the second level is one
// weight over and over, the third says which letters are capitals, and the last repeats what the first and third tell.
//
//   | first level, coded | end | runs of the second | runs of the third | runs of the last |
#pragma once

#include <string>
#include <string_view>

#include "record/collation/collation_table.hpp"

namespace sortie {

/// Appends the key of the text whose strxfrm() is `transformed`, but for its second level, which is `second`. No key is
/// the begin of another.
void append_collation_levels(const CollationTable& table, std::string_view transformed, std::string_view second,
                             std::string& out);

}  // namespace sortie

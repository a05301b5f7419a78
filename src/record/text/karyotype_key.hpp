// Keys of chromosomes' names in the order of a karyotype: numbers, X, Y, the mitochondrion's, then all others. The key
// step calls it for each such key.
#pragma once

#include <string>
#include <string_view>

namespace sortie {

/// Appends bytes to `out` whose memcmp order is that of the names. What a name is shows with "chr" in front of it, too;
/// numbers among themselves, and others, are ordered as versions. Thread-safe. Time: linear in `name`.
void append_karyotype_key(std::string_view name, std::string& out);

}  // namespace sortie

// Whether two arrays hold the same values, told by a hash of the bytes in which these lie: that takes less time than a
// look at each value. Dictionaries that come again with every batch are known by it.
#pragma once

#include <optional>

#include <sortie/arrow_c_data.hpp>
#include <sortie/report.hpp>

#include "table/table_type.hpp"

namespace sortie::table {

/// Arrays of one type with the same fingerprint have the same values; with another one they may have them, too. Nothing
/// for arrays without values, and for types whose values are not in the order of their bytes: unions, runs, list views
/// and dictionaries. Precondition: check_values() takes the array.
std::optional<Checksum> array_fingerprint(const TableType& type, const ArrowArray& array);

}  // namespace sortie::table

// How many rows a sorted batch may have by the types of its columns: run ends of 16 bits number no more than 32767
// values. The table sorter asks before it takes a row.
#pragma once

#include <cstdint>

#include "table/table_type.hpp"

namespace sortie::table {

/// Returns the greatest number if there is no limit. Throws Error that names the column if any number of rows might be
/// too many.
std::uint64_t most_batch_rows(const TableSchema& schema);

}  // namespace sortie::table

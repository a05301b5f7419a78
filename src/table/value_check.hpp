// Whether what the values of a batch lead to is there: offsets, views, positions and run ends of a damaged batch would
// be read as addresses otherwise. And whether what must not be null is not. The sorter asks before it reads any row.
// Indexes of dictionaries and type ids are looked at where they are used.
#pragma once

#include <sortie/arrow_c_data.hpp>

#include "table/table_type.hpp"

namespace sortie::table {

/// Throws Error that names the column. Parallel. Precondition: check_batch() takes the batch. How many bytes lie behind
/// the offsets of texts the C data interface does not say, so this is not known.
void check_values(const TableSchema& schema, const ArrowArray& batch);

}  // namespace sortie::table

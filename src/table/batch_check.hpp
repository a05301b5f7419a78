// Whether a batch has the form that the schema describes: as far as the C data interface shows it, so that no mistake
// of a caller is read as an address.
#pragma once

#include <sortie/arrow_c_data.hpp>

#include "table/table_type.hpp"

namespace sortie::table {

/// Throws Error that names the column.
void check_batch(const TableSchema& schema, const ArrowArray& batch);

}  // namespace sortie::table

// Reads the schema of a table as it comes through the Arrow C data interface.
#pragma once

#include <sortie/arrow_c_data.hpp>

#include "table/table_type.hpp"

namespace sortie::table {

/// Reads the schema of a table, which is a struct. Throws Error that names the column if its type is not known, or is
/// nested too deep.
TableSchema read_schema(const ArrowSchema& schema);

}  // namespace sortie::table

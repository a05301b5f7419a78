// Columns handed to the caller as an array of the Arrow C data interface, without a copy.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <sortie/arrow_c_data.hpp>

#include "table/column_data.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// A struct array with these columns, for the caller to release. `dictionaries`: by number.
ArrowArray export_batch(const TableSchema& schema, std::vector<ColumnData> columns, std::int64_t rows,
                        std::span<const std::shared_ptr<const ColumnData>> dictionaries);

}  // namespace sortie::table

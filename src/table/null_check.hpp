// Nulls where the schema declares that there are none: sorted batches have the same schema, and readers trust it. The
// value check asks first whether a bitmap has any, as most have none; here each value is looked at.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sortie/arrow_c_data.hpp>

#include "table/table_type.hpp"

namespace sortie::table {

/// Whether one of the values from index `first` on, `count` of them, is null itself.
bool has_null(const TableType& type, const ArrowArray& array, std::int64_t first, std::int64_t count);

/// Throws Error that names the column and what is null in it. What lies in a value that is null does not count.
/// Parallel. Precondition: the value check takes the column.
void check_nulls(const TableSchema& schema, const ArrowArray& batch, std::size_t column);

}  // namespace sortie::table

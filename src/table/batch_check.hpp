// What is asked of a batch before any of its rows is read, so that no mistake of a caller is read as an address, and
// sorted batches keep what their schema says.
#pragma once

#include <cstdint>

#include <sortie/arrow_c_data.hpp>

#include "table/table_type.hpp"

namespace sortie::table {

/// Whether a batch has the form that the schema describes, as far as the C data interface shows it. Throws Error that
/// names the column.
void check_batch(const TableSchema& schema, const ArrowArray& batch);

/// Whether what the values of a batch lead to is there: offsets, views, positions and run ends; and whether what must
/// not be null is not. Indexes of dictionaries and type ids of sparse unions are looked at where they are used; how
/// many bytes lie behind the offsets of texts the C data interface does not say. Throws Error that names the column.
/// Parallel. Precondition: check_batch() takes the batch.
void check_values(const TableSchema& schema, const ArrowArray& batch);

/// Throws Error if a value of a column is null, or what it holds, which the schema declares not null. What lies in a
/// value that is null does not count. check_values() asks first whether a bitmap has any, as most have none; here each
/// value is looked at. Parallel.
void check_nulls(const TableType& type, const ArrowArray& batch, const ArrowArray& array);

/// Whether one of the values from index `first` on, `count` of them, is null itself.
bool has_null(const TableType& type, const ArrowArray& array, std::int64_t first, std::int64_t count);

}  // namespace sortie::table

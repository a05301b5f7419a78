// Columns of rows that stay in memory while only their places are sorted: values of batches are copied behind one
// another, and taken by their places in the end. Used by HeldRows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <sortie/arrow_c_data.hpp>

#include "table/column_data.hpp"
#include "table/column_rows.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// Whether the functions below take columns of the type: those of fixed width, and texts.
bool can_be_held(const TableType& type);

/// Upper bound on the bytes that the values of some rows take in a held column. Precondition: check_batch() takes the
/// batch. It is too large to hold where offsets or views are damaged.
std::uint64_t held_bytes(const TableType& type, const ArrowArray& array, std::int64_t first, std::int64_t count);

/// Puts the values of the rows behind those of `column`. What is null becomes zeros, as in a record.
void hold_values(const TableType& type, const BatchRows& rows, std::size_t number, ColumnData& column);

/// A column of the held values at these places. Parallel.
ColumnData taken_column(const TableType& type, const ColumnData& held, std::span<const std::int64_t> places);

/// Adds the bytes of texts to `sizes`, by row. Precondition: type.is_text().
void add_text_bytes(const TableType& type, const ColumnData& column, std::size_t first, std::span<std::uint64_t> sizes);

}  // namespace sortie::table

// Columns of bytes of any length, one value a row: what nested_writer.hpp and nested_reader.hpp do with such columns,
// in the same form but without their ranges. Most rows that have no fixed length have such columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <sortie/arrow_c_data.hpp>

#include "table/column_data.hpp"
#include "table/column_rows.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// Whether values are bytes of any length.
bool holds_texts(const TableType& type);

/// Adds to `sizes`, by row, the bytes that write_text_column() writes. What is null takes none. `first`: the index of
/// the first row's value.
void measure_text_column(const TableType& type, const ArrowArray& array, std::int64_t first, const ColumnRows& column,
                         std::span<std::uint64_t> sizes);

/// Writes the values to `cursors`, by row, and moves these.
void write_text_column(const TableType& type, const ArrowArray& array, std::int64_t first, const ColumnRows& column,
                       std::span<std::byte*> cursors);

/// Reads the values from `cursors`, which it moves, and puts them behind those of `column`, whose bitmap has been
/// filled. `valid`: a byte for each row; none if nothing is null.
void read_text_column(const TableType& type, std::span<const std::uint8_t> valid, std::span<const std::byte*> cursors,
                      ColumnData& column);

}  // namespace sortie::table

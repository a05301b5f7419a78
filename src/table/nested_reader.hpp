// Reads what nested_writer.hpp has written, many rows at once, and puts it behind the values of a column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "table/column_data.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// Values that belong to one row, `slot`.
struct ReadRange {
  std::int64_t count = 0;
  std::uint32_t slot = 0;
  bool is_absent = false;  ///< they are hidden by a null, and were not written
};

/// Reads values from `cursors`, by slot, and moves these. Of types that have a bitmap of nulls, that of `column` has
/// been filled before. Throws Error if they are too many for the type.
void read_values(const TableType& type, std::span<const ReadRange> ranges, const std::byte** cursors,
                 ColumnData& column);

/// The same for parts.
void read_parts(const TableType& type, std::span<const ReadRange> ranges, const std::byte** cursors,
                ColumnData& column);

}  // namespace sortie::table

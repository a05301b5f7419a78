// Makes columns of records again. Any number of threads may do so at once, each for columns of its own.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "table/column_data.hpp"
#include "table/row_layout.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

class RowDecoder {
 public:
  RowDecoder(const TableSchema& schema, const RowLayout& layout) : schema_(schema), layout_(layout) {}

  std::vector<ColumnData> empty_columns() const;
  void clear(std::vector<ColumnData>& columns) const;

  /// Puts the rows that `records` point to behind those of `columns`. Throws Error if there are too many for a type.
  void read(std::span<const std::byte* const> records, std::vector<ColumnData>& columns) const;

 private:
  void read_keys(std::span<const std::byte* const> records, std::span<const std::byte* const> ends,
                 std::vector<ColumnData>& columns) const;

  const TableSchema& schema_;
  const RowLayout& layout_;
};

}  // namespace sortie::table

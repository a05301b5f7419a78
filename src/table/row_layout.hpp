// How a row of a table becomes a record: the keys in front, then what is not made of them again. Rows whose columns all
// have a fixed width are records of fixed length; others are length-prefixed.
//
//   fixed      │ keys │ null bits │ cells │
//   prefixed   │ lengths │ keys │ null bits │ cells │ values of the other columns (nested_values.hpp), one by one │
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <sortie/format.hpp>
#include <sortie/table_sorter.hpp>

#include "table/key_column.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// A column that is stored behind the keys.
struct StoredColumn {
  std::size_t column = 0;
  std::uint8_t null_bit = 0;  ///< in its byte, as a mask; 1: null. None if the type has no bitmap
  std::size_t null_byte = 0;  ///< from the end of the keys
  bool is_cell = false;
  std::size_t cell = 0;  ///< from the end of the keys
};

struct RowLayout {
  bool is_fixed = false;
  std::vector<KeyColumn> keys;
  std::vector<StoredColumn> stored;
  std::size_t key_bytes = 0;     ///< rows of fixed length
  std::size_t record_bytes = 0;  ///< the same
  std::size_t null_bytes = 0;
  std::size_t cells_end = 0;  ///< of null bits and cells, from the end of the keys
};

/// Calls visit() with the width of cells: a constant if it is a usual one, so that a copy is one instruction.
template <class Visit>
void visit_width(std::size_t width, const Visit& visit) {
  switch (width) {
    case 1:
      return visit(std::integral_constant<std::size_t, 1>());
    case 2:
      return visit(std::integral_constant<std::size_t, 2>());
    case 4:
      return visit(std::integral_constant<std::size_t, 4>());
    case 8:
      return visit(std::integral_constant<std::size_t, 8>());
    case 16:
      return visit(std::integral_constant<std::size_t, 16>());
    default:
      visit(width);
  }
}

/// Bytes of a column's cell; 0: it has none.
std::size_t cell_bytes(const TableType& type);

/// Throws Error if a key means no column or field, or several, or one whose type has no order.
RowLayout make_row_layout(const TableSchema& schema, std::span<const TableKey> keys);

/// The format that sorts such rows.
Format record_format(const RowLayout& layout);

}  // namespace sortie::table

// Values of any type as bytes, which nested_reader.hpp reads back. Work goes column by column: a call writes a column's
// values of many rows, each row's to where that row has come to.
//
//   part        what is null | values                   types without a bitmap of nulls have values only
//   null        0: nothing | 1: all, and no values follow | 2 bits
//   values      bits, or bytes of fixed width
//               length | bytes, for each                length: a byte, or FF and 8 bytes
//               count, for each | part of each list that is not empty
//               part of each child                      structs, lists of fixed size (one part for all)
//               type ids | part of each child           of each value that is the child's, in dense unions
//               size (4) | part, for each               run-end encoded
//               number (4), for each                    dictionaries
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <sortie/arrow_c_data.hpp>

#include "table/dictionary_values.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// Values of an array that belong to one row: `first` is an index of the array, `slot` is the row.
struct WriteRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::uint32_t slot = 0;
};

/// Adds to `sizes`, by slot, the bytes that write_values() writes. Throws Error as it does.
void measure_values(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges,
                    const TableDictionaries& dictionaries, std::uint64_t* sizes);
/// Writes the values to `cursors`, by slot, and moves these. Values that are null must be valid all the same, but for
/// their contents. Throws Error if an index or a type id leads nowhere.
void write_values(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges,
                  const TableDictionaries& dictionaries, std::byte** cursors);

/// The same for parts.
void measure_parts(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges,
                   const TableDictionaries& dictionaries, std::uint64_t* sizes);
void write_parts(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges,
                 const TableDictionaries& dictionaries, std::byte** cursors);

}  // namespace sortie::table

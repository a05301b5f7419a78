// One column of the order: its values as bytes at the front of each row, and back. A call works on many rows.
//
//   in rows of fixed length       number | flag                   null: all bytes 00 or FF, and another flag
//   in others, 1 and 2 bytes,
//   floats, bytes of fixed width  80 | number                     null: 30 or C0, alone
//   in others, integers           lead | the bytes that count     as above; the lead says the sign and their number
//   in others, bytes              text_code.hpp
//
// What is descending is complemented, but for what stands for null.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sortie/arrow_c_data.hpp>

#include "table/column_data.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// The values of a key in some rows.
struct KeySource {
  const ArrowArray* values = nullptr;
  std::int64_t first = 0;                 ///< index of the first row's value
  const std::int64_t* indexes = nullptr;  ///< indexes of all values, if they do not follow one another
  const std::uint8_t* valid = nullptr;    ///< a byte for each row, 0: null; none if nothing is null
  std::size_t count = 0;
};

/// Bytes of a key in rows of fixed length.
std::size_t fixed_key_bytes(const TableType& type);

/// Adds to `sizes`, by row, the bytes that write_key() writes. For rows of any length.
void measure_key(const KeyColumn& key, const KeySource& source, std::uint64_t* sizes);

/// Writes the keys to `cursors` and moves these.
void write_key(const KeyColumn& key, const KeySource& source, std::byte** cursors);

/// Reads keys from `cursors`, which it moves, and puts their values behind those of `column`. `ends`: where the keys of
/// each row end; rows have 8 bytes or more in front of their keys unless they have a fixed length.
void read_key(const KeyColumn& key, std::size_t count, const std::byte** cursors, const std::byte* const* ends,
              ColumnData& column);

}  // namespace sortie::table

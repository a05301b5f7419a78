// Values of any type as bytes, and back. Work goes column by column: a call writes or reads a column's values of many
// rows, each row's where that row has come to.
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
#include <string_view>
#include <vector>

#include <sortie/arrow_c_data.hpp>

#include "table/column_data.hpp"
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
                    const DictionarySet& dictionaries, std::uint64_t* sizes);
/// Writes the values to `cursors`, by slot, and moves these. Values that are null must be valid all the same, but for
/// their contents. Throws Error if an index or a type id leads nowhere.
void write_values(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges,
                  const DictionarySet& dictionaries, std::byte** cursors);

/// Values that belong to one row, `slot`, when they are read.
struct ReadRange {
  std::int64_t count = 0;
  std::uint32_t slot = 0;
  bool is_absent = false;  ///< they are hidden by a null, and were not written
};

/// Reads values from `cursors`, by slot, moves these, and puts the values behind those of `column`. Of types that have
/// a bitmap of nulls, that of `column` has been filled before. Throws Error if they are too many for the type.
void read_values(const TableType& type, std::span<const ReadRange> ranges, const std::byte** cursors,
                 ColumnData& column);

/// Parts of single values, one behind the other.
struct EncodedParts {
  std::vector<std::byte> bytes;
  std::vector<std::uint64_t> ends;

  std::string_view operator[](std::size_t number) const {
    const std::uint64_t begin = number == 0 ? 0 : ends[number - 1];
    return {reinterpret_cast<const char*>(bytes.data()) + begin, static_cast<std::size_t>(ends[number] - begin)};
  }
};

/// `ranges`: of one value each; the slot of each is its number. Throws Error as write_values() does.
EncodedParts encode_parts(const TableType& type, const ArrowArray& array, std::span<const WriteRange> ranges,
                          const DictionarySet& dictionaries);

/// Puts the values of such parts behind those of `column`.
void read_parts(const TableType& type, std::span<const std::string_view> parts, ColumnData& column);

// How lengths and counts are written: a byte, as nearly all are short, or FF and 8 bytes.

inline constexpr std::uint8_t kLongCount = 0xFF;

inline std::size_t count_bytes(std::uint64_t count) { return count < kLongCount ? 1 : 1 + sizeof count; }

/// Returns the byte behind it.
inline std::byte* store_count(std::byte* out, std::uint64_t count) {
  *out = static_cast<std::byte>(count < kLongCount ? count : kLongCount);
  if (count >= kLongCount) store_as(out + 1, count);
  return out + count_bytes(count);
}

/// Moves the cursor behind it.
inline std::uint64_t load_count(const std::byte*& cursor) {
  const auto byte = std::to_integer<std::uint8_t>(*cursor++);
  if (byte != kLongCount) return byte;
  cursor += sizeof(std::uint64_t);
  return load_as<std::uint64_t>(cursor - sizeof(std::uint64_t));
}

}  // namespace sortie::table

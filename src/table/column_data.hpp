// The values of a column while they grow, in the form of Arrow: what rows are decoded to. Columns are filled by all
// threads in strips, which are then put one behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// Bytes that grow at their end, and are not cleared first.
class ByteBuffer {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::byte* data() { return bytes_.get(); }
  const std::byte* data() const { return bytes_.get(); }

  /// Adds `count` bytes that hold anything; returns the first. Throws std::bad_alloc.
  std::byte* extend(std::size_t count) {
    if (count > capacity_ - size_) grow(count);
    std::byte* const added = bytes_.get() + size_;
    size_ += count;
    return added;
  }
  void append(const void* bytes, std::size_t count) {
    if (count > 0) std::memcpy(extend(count), bytes, count);
  }
  template <class Value>
  void push(Value value) {
    store_as(extend(sizeof value), value);
  }
  /// Makes room for `count` bytes in all, so that no more are copied until then. Throws std::bad_alloc.
  void reserve(std::size_t count) {
    if (count > capacity_) resize_memory(count);
  }
  /// Takes bytes off the end. Keeps the memory, as clear() does.
  void shorten(std::size_t count) { size_ -= count; }
  void clear() { size_ = 0; }

 private:
  void grow(std::size_t count);
  void resize_memory(std::size_t capacity);

  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };

  std::unique_ptr<std::byte, Free> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

struct ColumnData {
  std::int64_t length = 0;
  std::int64_t null_count = 0;
  ByteBuffer validity;  ///< bits; none as long as nothing is null
  ByteBuffer values;    ///< what is fixed for a value: its bytes or bits, its offset, view, type id or index
  ByteBuffer sizes;     ///< list views: sizes; dense unions: offsets
  ByteBuffer bytes;     ///< what offsets and views point to
  std::vector<ColumnData> children;  ///< not the values of a dictionary
};

/// How large the buffers of a column are.
struct ColumnSizes {
  std::size_t validity = 0;
  std::size_t values = 0;
  std::size_t sizes = 0;
  std::size_t bytes = 0;
  std::vector<ColumnSizes> children;
};

ColumnSizes sizes_of(const ColumnData& column);

/// Makes room for somewhat more than `sizes` say, those of a column of the same type.
void reserve_like(ColumnData& column, const ColumnSizes& sizes);

/// A column without values.
ColumnData empty_column(const TableType& type);

/// Takes all values out, and keeps the memory.
void clear_column(const TableType& type, ColumnData& column);

/// Puts the values of `tail` behind those of `column`. Throws Error if there are too many for the type.
void append_column(const TableType& type, ColumnData& column, const ColumnData& tail);

/// This and the functions below are steps of filling a column. They do not count `length`; validity comes before it is
/// counted.
void append_valid(ColumnData& column, std::int64_t count);
void append_nulls(ColumnData& column, std::int64_t count);
/// `valid`: a byte for each value, 1 or 0.
void append_validity(ColumnData& column, std::span<const std::uint8_t> valid);
/// `bits`: of which the first `skipped` are not meant.
void append_validity_bits(ColumnData& column, const std::byte* bits, std::int64_t skipped, std::int64_t count);

/// Puts bytes behind the values of a column that holds bytes of any length, but does not count them.
void append_text(const TableType& type, ColumnData& column, const std::byte* text, std::size_t bytes);

/// Adds `count` of `bits` behind the `old_count` that are in `buffer`.
void append_bits(ByteBuffer& buffer, std::int64_t old_count, const std::byte* bits, std::int64_t skipped,
                 std::int64_t count);
void append_equal_bits(ByteBuffer& buffer, std::int64_t old_count, bool bit, std::int64_t count);
/// `values`: a byte for each bit, 1 or 0.
void append_bytes_as_bits(ByteBuffer& buffer, std::int64_t old_count, std::span<const std::uint8_t> values);

/// Throws Error: a batch with so many values of `type` cannot be.
[[noreturn]] void refuse_size(const TableType& type);

/// Adds an offset or a run end of the type's width. Throws Error if it is too large.
inline void push_offset(const TableType& type, ByteBuffer& buffer, std::uint64_t offset) {
  if (type.width == sizeof(std::uint64_t)) return buffer.push(offset);
  if (offset > (type.width == 2 ? INT16_MAX : INT32_MAX)) refuse_size(type);
  if (type.width == 2) return buffer.push(static_cast<std::int16_t>(offset));
  buffer.push(static_cast<std::int32_t>(offset));
}

/// An integer of `width` bytes: a dictionary's index, a run's end, a number of a key.
inline std::int64_t load_integer(const std::byte* bytes, std::size_t width, bool is_signed) {
  switch (width) {
    case 1:
      return is_signed ? load_as<std::int8_t>(bytes) : static_cast<std::int64_t>(load_as<std::uint8_t>(bytes));
    case 2:
      return is_signed ? load_as<std::int16_t>(bytes) : static_cast<std::int64_t>(load_as<std::uint16_t>(bytes));
    case 4:
      return is_signed ? load_as<std::int32_t>(bytes) : static_cast<std::int64_t>(load_as<std::uint32_t>(bytes));
    default:
      return load_as<std::int64_t>(bytes);
  }
}

/// The bit at `index`.
inline bool bit_at(const std::byte* bits, std::int64_t index) {
  return ((std::to_integer<unsigned>(bits[index / 8]) >> (index % 8)) & 1U) != 0;
}

}  // namespace sortie::table

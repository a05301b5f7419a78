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
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// Bytes that grow at their end, and are not cleared first.
class ByteBuffer {
 public:
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
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
  /// Makes room for `count` more bytes, and for as many as half of all if memory must be had. From some MiB on it is of
  /// huge pages, for reads at random places. Throws std::bad_alloc.
  void make_huge_room(std::size_t count);
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
  // As Buffer tells.
  ByteBuffer validity;  ///< none as long as nothing is null
  ByteBuffer values;
  ByteBuffer sizes;
  ByteBuffer bytes;
  std::vector<ColumnData> children;  ///< not the values of a dictionary
};

/// By Buffer.
inline constexpr ByteBuffer ColumnData::*kBuffersOfColumn[] = {&ColumnData::validity, &ColumnData::values,
                                                               &ColumnData::sizes, &ColumnData::bytes};

/// Calls visit() for the buffers of columns and of their children, always in the same order.
template <class Visit>
void for_each_buffer(std::span<ColumnData> columns, const Visit& visit) {
  for (ColumnData& column : columns) {
    for (ByteBuffer ColumnData::*const buffer : kBuffersOfColumn) visit(column.*buffer);
    for_each_buffer(column.children, visit);
  }
}

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

/// Puts values behind those of a column that holds bytes of any length.
void append_texts(const TableType& type, ColumnData& column, std::span<const std::string_view> texts);
/// Makes a value of the bytes of such a column from `begin` on, which have just been put there.
void finish_text(const TableType& type, ColumnData& column, std::size_t begin);

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

/// How many of `count` bits from index `first` on are set.
std::int64_t count_bits(const std::byte* bits, std::int64_t first, std::int64_t count);

/// A view of bytes as Arrow has it: short ones lie in it, others in a buffer.
///
///   length (4) | bytes, up to 12, then zeros
///   length (4) | first 4 bytes | number of the buffer (4) | position in it (4)
struct ByteView {
  static constexpr std::size_t kBytes = 16;
  static constexpr std::uint32_t kMostInline = 12;

  static std::uint32_t length(const std::byte* view) { return load_as<std::uint32_t>(view); }
  static bool is_inline(const std::byte* view) { return length(view) <= kMostInline; }
  static const std::byte* inline_bytes(const std::byte* view) { return view + 4; }
  static std::uint32_t buffer(const std::byte* view) { return load_as<std::uint32_t>(view + 8); }
  static std::uint32_t offset(const std::byte* view) { return load_as<std::uint32_t>(view + 12); }

  static void set_offset(std::byte* view, std::uint32_t offset) { store_as(view + 12, offset); }

  /// Makes the view of `text`. `offset`: where that is in the first buffer, if it is not short.
  static void make(std::byte* view, std::string_view text, std::uint32_t offset) {
    store_as(view, static_cast<std::uint32_t>(text.size()));
    std::memset(view + 4, 0, kBytes - 4);
    if (text.size() <= kMostInline) {
      if (!text.empty()) std::memcpy(view + 4, text.data(), text.size());
      return;
    }
    std::memcpy(view + 4, text.data(), 4);
    set_offset(view, offset);
  }
};

}  // namespace sortie::table

#include "table/column_data.hpp"

#include <algorithm>
#include <bit>

#include <sortie/error.hpp>

#include "base/memory_region.hpp"

namespace sortie::table {
namespace {

std::size_t bytes_of_bits(std::int64_t count) { return static_cast<std::size_t>((count + 7) / 8); }

/// Makes room for bits up to `count`, and clears those that are new.
std::byte* bits_with_room(ByteBuffer& buffer, std::int64_t count) {
  const std::size_t bytes = bytes_of_bits(count);
  if (bytes > buffer.size()) {
    const std::size_t added = bytes - buffer.size();
    std::memset(buffer.extend(added), 0, added);
  }
  return buffer.data();
}

void set_bit(std::byte* bits, std::int64_t index) { bits[index / 8] |= static_cast<std::byte>(1U << (index % 8)); }

/// All values so far are valid: now there is a bitmap that says so.
void require_bitmap(ColumnData& column) {
  if (column.validity.empty()) append_equal_bits(column.validity, 0, true, column.length);
}

/// The tail's offsets count from its own bytes; its first, 0, is left out.
void append_offsets(const TableType& type, ByteBuffer& offsets, const ByteBuffer& tail, std::uint64_t base) {
  const std::size_t count = tail.size() / type.width;
  if (type.width == 8) {
    std::byte* out = offsets.extend((count - 1) * 8);
    for (std::size_t i = 1; i < count; ++i, out += 8) store_as(out, load_as<std::uint64_t>(tail.data() + 8 * i) + base);
    return;
  }
  const auto last = static_cast<std::uint64_t>(load_as<std::int32_t>(tail.data() + 4 * (count - 1)));
  if (last + base > INT32_MAX) refuse_size(type);
  std::byte* out = offsets.extend((count - 1) * 4);
  for (std::size_t i = 1; i < count; ++i, out += 4) {
    store_as(out, load_as<std::uint32_t>(tail.data() + 4 * i) + static_cast<std::uint32_t>(base));
  }
}

void append_views(const TableType& type, ColumnData& column, const ColumnData& tail) {
  const std::size_t base = column.bytes.size();
  if (base + tail.bytes.size() > INT32_MAX) refuse_size(type);
  const std::size_t begin = column.values.size();
  column.values.append(tail.values.data(), tail.values.size());
  for (std::size_t at = begin; at < column.values.size(); at += ByteView::kBytes) {
    std::byte* const view = column.values.data() + at;
    if (ByteView::is_inline(view)) continue;
    ByteView::set_offset(view, ByteView::offset(view) + static_cast<std::uint32_t>(base));
  }
  column.bytes.append(tail.bytes.data(), tail.bytes.size());
}

/// Elements that list views and dense unions refer to lie behind those of `column`.
void append_positions(const TableType& type, ByteBuffer& positions, const ByteBuffer& tail, std::uint64_t base) {
  for (std::size_t at = 0; at < tail.size(); at += type.width) {
    const auto position = static_cast<std::uint64_t>(load_integer(tail.data() + at, type.width, true));
    push_offset(type, positions, position + base);
  }
}

void append_dense_union(const TableType& type, ColumnData& column, const ColumnData& tail) {
  for (std::int64_t i = 0; i < tail.length; ++i) {
    const auto id = load_as<std::uint8_t>(tail.values.data() + i);
    const ColumnData& child = column.children[static_cast<std::size_t>(type.child_of_id[id])];
    const auto position = load_as<std::int32_t>(tail.sizes.data() + 4 * i);
    push_offset(type, column.sizes, static_cast<std::uint64_t>(position) + static_cast<std::uint64_t>(child.length));
  }
  column.values.append(tail.values.data(), tail.values.size());
}

void append_run_ends(const TableType& type, ColumnData& column, const ColumnData& tail) {
  append_positions(type, column.children[0].values, tail.children[0].values, static_cast<std::uint64_t>(column.length));
  column.children[0].length += tail.children[0].length;
  append_column(type.children[1], column.children[1], tail.children[1]);
}

void append_own_values(const TableType& type, ColumnData& column, const ColumnData& tail) {
  switch (type.storage) {
    case Storage::kBits:
      return append_bits(column.values, column.length, tail.values.data(), 0, tail.length);
    case Storage::kBinary:
      append_offsets(type, column.values, tail.values, column.bytes.size());
      return column.bytes.append(tail.bytes.data(), tail.bytes.size());
    case Storage::kBinaryView:
      return append_views(type, column, tail);
    case Storage::kList:
      return append_offsets(type, column.values, tail.values, static_cast<std::uint64_t>(column.children[0].length));
    case Storage::kListView:
      append_positions(type, column.values, tail.values, static_cast<std::uint64_t>(column.children[0].length));
      return column.sizes.append(tail.sizes.data(), tail.sizes.size());
    case Storage::kDenseUnion:
      return append_dense_union(type, column, tail);
    default:
      return column.values.append(tail.values.data(), tail.values.size());
  }
}

}  // namespace

void ByteBuffer::grow(std::size_t count) {
  constexpr std::size_t kLeast = 64;
  resize_memory(std::max({size_ + count, capacity_ + capacity_ / 2, kLeast}));
}

void ByteBuffer::make_huge_room(std::size_t count) {
  constexpr std::size_t kLeastHuge = std::size_t{4} << 20;
  if (count <= capacity_ - size_) return;
  resize_memory(std::max(size_ + count, capacity_ + capacity_ / 2));
  if (capacity_ >= kLeastHuge) prefer_huge_pages({bytes_.get() + size_, capacity_ - size_});
}

void ByteBuffer::resize_memory(std::size_t capacity) {
  auto* const bytes = static_cast<std::byte*>(std::realloc(bytes_.get(), capacity));
  if (bytes == nullptr) throw std::bad_alloc();
  static_cast<void>(bytes_.release());
  bytes_.reset(bytes);
  capacity_ = capacity;
}

ColumnData empty_column(const TableType& type) {
  ColumnData column;
  if (type.storage != Storage::kDictionary) {
    for (const TableType& child : type.children) column.children.push_back(empty_column(child));
  }
  clear_column(type, column);
  return column;
}

void clear_column(const TableType& type, ColumnData& column) {
  column.length = 0;
  column.null_count = 0;
  for (ByteBuffer ColumnData::*const buffer : kBuffersOfColumn) (column.*buffer).clear();
  for (std::size_t i = 0; i < column.children.size(); ++i) clear_column(type.children[i], column.children[i]);
  if (type.storage == Storage::kBinary || type.storage == Storage::kList) push_offset(type, column.values, 0);
}

void append_column(const TableType& type, ColumnData& column, const ColumnData& tail) {
  if (tail.length == 0) return;
  if (type.has_validity()) {
    if (tail.validity.empty()) {
      append_valid(column, tail.length);
    } else {
      require_bitmap(column);
      append_bits(column.validity, column.length, tail.validity.data(), 0, tail.length);
      column.null_count += tail.null_count;
    }
  }
  if (type.storage == Storage::kRunEnd) {
    append_run_ends(type, column, tail);
  } else {
    append_own_values(type, column, tail);
    for (std::size_t i = 0; i < column.children.size(); ++i) {
      append_column(type.children[i], column.children[i], tail.children[i]);
    }
  }
  column.length += tail.length;
}

void append_valid(ColumnData& column, std::int64_t count) {
  if (!column.validity.empty()) append_equal_bits(column.validity, column.length, true, count);
}

void append_nulls(ColumnData& column, std::int64_t count) {
  require_bitmap(column);
  append_equal_bits(column.validity, column.length, false, count);
  column.null_count += count;
}

void append_validity(ColumnData& column, std::span<const std::uint8_t> valid) {
  const auto nulls = std::count(valid.begin(), valid.end(), std::uint8_t{0});
  if (nulls == 0) return append_valid(column, static_cast<std::int64_t>(valid.size()));
  require_bitmap(column);
  append_bytes_as_bits(column.validity, column.length, valid);
  column.null_count += nulls;
}

void append_validity_bits(ColumnData& column, const std::byte* bits, std::int64_t skipped, std::int64_t count) {
  require_bitmap(column);
  append_bits(column.validity, column.length, bits, skipped, count);
  column.null_count += count - count_bits(bits, skipped, count);
}

void append_texts(const TableType& type, ColumnData& column, std::span<const std::string_view> texts) {
  if (type.storage == Storage::kBinaryView) {
    for (const std::string_view text : texts) {
      const std::size_t begin = column.bytes.size();
      column.bytes.append(text.data(), text.size());
      finish_text(type, column, begin);
    }
    return;
  }
  std::uint64_t end = column.bytes.size();
  std::uint64_t bytes = 0;
  for (const std::string_view text : texts) bytes += text.size();
  const bool is_wide = type.width == sizeof(std::uint64_t);
  if (!is_wide && end + bytes > INT32_MAX) refuse_size(type);
  std::byte* out = column.bytes.extend(bytes);
  std::byte* offset = column.values.extend(texts.size() * type.width);
  for (const std::string_view text : texts) {
    if (!text.empty()) std::memcpy(out, text.data(), text.size());
    out += text.size();
    end += text.size();
    is_wide ? store_as(offset, end) : store_as(offset, static_cast<std::uint32_t>(end));
    offset += type.width;
  }
}

void finish_text(const TableType& type, ColumnData& column, std::size_t begin) {
  const std::size_t bytes = column.bytes.size() - begin;
  if (type.storage != Storage::kBinaryView) return push_offset(type, column.values, column.bytes.size());
  if (column.bytes.size() > INT32_MAX) refuse_size(type);
  ByteView::make(column.values.extend(ByteView::kBytes),
                 {reinterpret_cast<const char*>(column.bytes.data()) + begin, bytes},
                 static_cast<std::uint32_t>(begin));
  if (bytes <= ByteView::kMostInline) column.bytes.shorten(bytes);
}

void append_bits(ByteBuffer& buffer, std::int64_t old_count, const std::byte* bits, std::int64_t skipped,
                 std::int64_t count) {
  if (count == 0) return;
  std::byte* const target = bits_with_room(buffer, old_count + count);
  if (old_count % 8 == 0 && skipped % 8 == 0) {
    std::memcpy(target + old_count / 8, bits + skipped / 8, bytes_of_bits(count));
    if (count % 8 != 0) target[(old_count + count) / 8] &= static_cast<std::byte>((1U << (count % 8)) - 1);
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    if (bit_at(bits, skipped + i)) set_bit(target, old_count + i);
  }
}

void append_equal_bits(ByteBuffer& buffer, std::int64_t old_count, bool bit, std::int64_t count) {
  std::byte* const target = bits_with_room(buffer, old_count + count);
  if (!bit) return;
  std::int64_t at = old_count;
  const std::int64_t end = old_count + count;
  for (; at < end && at % 8 != 0; ++at) set_bit(target, at);
  const std::int64_t whole = (end - at) / 8;
  if (whole > 0) std::memset(target + at / 8, 0xFF, static_cast<std::size_t>(whole));
  for (at += 8 * whole; at < end; ++at) set_bit(target, at);
}

void append_bytes_as_bits(ByteBuffer& buffer, std::int64_t old_count, std::span<const std::uint8_t> values) {
  std::byte* const target = bits_with_room(buffer, old_count + static_cast<std::int64_t>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int64_t at = old_count + static_cast<std::int64_t>(i);
    target[at / 8] |= static_cast<std::byte>(unsigned{values[i]} << (at % 8));
  }
}

std::int64_t count_bits(const std::byte* bits, std::int64_t first, std::int64_t count) {
  std::int64_t set = 0;
  const std::int64_t end = first + count;
  for (; first < end && first % 8 != 0; ++first) set += bit_at(bits, first) ? 1 : 0;
  for (; first + 64 <= end; first += 64) set += std::popcount(load_as<std::uint64_t>(bits + first / 8));
  for (; first < end; ++first) set += bit_at(bits, first) ? 1 : 0;
  return set;
}

void refuse_size(const TableType& type) {
  throw Error("a sorted batch has too many values for a " + type.shown() + ": take batches of fewer rows (batch_rows)");
}

}  // namespace sortie::table

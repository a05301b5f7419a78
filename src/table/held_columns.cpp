#include "table/held_columns.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <string_view>
#include <vector>

#include "base/parallel.hpp"
#include "base/size.hpp"
#include "table/array_parts.hpp"
#include "table/row_layout.hpp"

namespace sortie::table {
namespace {

/// Rows whose texts and null bytes are listed at once: the lists stay in the cache.
constexpr std::size_t kListedRows = 8192;
/// Places that one thread takes at once: a multiple of 8, so that no two threads write to one byte of bits.
constexpr std::size_t kTakenRows = 1 << 15;

using Places = std::span<const std::int64_t>;

void hold_fixed(const TableType& type, const ColumnRows& nulls, const BatchRows& rows, const ArrowArray& array,
                ColumnData& column) {
  const auto first = static_cast<std::size_t>(array.offset + rows.first_index());
  const std::size_t bytes = rows.count * type.width;
  if (bytes == 0) return;
  std::byte* const values = column.values.extend(bytes);
  const std::byte* const given = buffer_of(array, 1);
  if (given == nullptr) {  // all are null
    std::memset(values, 0, bytes);
    return;
  }
  std::memcpy(values, given + first * type.width, bytes);
  if (!nulls.has_nulls()) return;
  for (std::size_t i = 0; i < rows.count; ++i) {
    if (!nulls.is_valid(i)) std::memset(values + i * type.width, 0, type.width);
  }
}

void hold_bits(const ColumnRows& nulls, const BatchRows& rows, const ArrowArray& array, ColumnData& column) {
  const std::int64_t first = array.offset + rows.first_index();
  if (!nulls.has_nulls()) {
    return append_bits(column.values, column.length, buffer_of(array, 1), first, static_cast<std::int64_t>(rows.count));
  }
  std::vector<std::uint8_t> bits(rows.count);
  for (std::size_t i = 0; i < rows.count; ++i) {
    bits[i] = nulls.is_valid(i) && bit_at(buffer_of(array, 1), first + static_cast<std::int64_t>(i)) ? 1 : 0;
  }
  append_bytes_as_bits(column.values, column.length, bits);
}

/// Texts between offsets, all at once: none is null, so that all bytes between the first and the last belong to them.
template <class Offset>
void hold_range(const BatchRows& rows, const ArrowArray& array, const IndexRange& range, ColumnData& column) {
  const auto moved = static_cast<Offset>(column.bytes.size()) - static_cast<Offset>(range.first);
  if (range.count > 0) column.bytes.append(buffer_of(array, 2) + range.first, static_cast<std::size_t>(range.count));
  const auto first = static_cast<std::size_t>(array.offset + rows.first_index());
  const std::byte* const ends = buffer_of(array, 1) + (first + 1) * sizeof(Offset);
  std::byte* const out = column.values.extend(rows.count * sizeof(Offset));
  for (std::size_t at = 0; at < rows.count * sizeof(Offset); at += sizeof(Offset)) {
    store_as(out + at, static_cast<Offset>(load_as<Offset>(ends + at) + moved));
  }
}

void hold_texts(const TableType& type, const ColumnRows& nulls, const BatchRows& rows, const ArrowArray& array,
                ColumnData& column) {
  if (type.storage == Storage::kBinary && !nulls.has_nulls()) {
    const IndexRange range = between_offsets(type, array, {rows.first_index(), static_cast<std::int64_t>(rows.count)});
    if (type.width == sizeof(std::int32_t)) return hold_range<std::int32_t>(rows, array, range, column);
    return hold_range<std::int64_t>(rows, array, range, column);
  }
  std::vector<std::string_view> texts(rows.count);
  visit_texts(type, array, [&](const auto& text_at) {
    for (std::size_t i = 0; i < rows.count; ++i) {
      if (nulls.is_valid(i)) texts[i] = text_at(array.offset + rows.first_index() + static_cast<std::int64_t>(i));
    }
  });
  append_texts(type, column, texts);
}

void hold_listed(const TableType& type, const BatchRows& rows, std::size_t number, ColumnData& column) {
  const ArrowArray& array = rows.column(number);
  const ColumnRows nulls(type, rows, number);
  if (type.has_validity()) {
    if (nulls.has_nulls()) {
      std::vector<std::uint8_t> valid(rows.count);
      for (std::size_t i = 0; i < rows.count; ++i) valid[i] = nulls.is_valid(i) ? 1 : 0;
      append_validity(column, valid);
    } else {
      append_valid(column, static_cast<std::int64_t>(rows.count));
    }
  }
  if (type.storage == Storage::kFixed) hold_fixed(type, nulls, rows, array, column);
  if (type.storage == Storage::kBits) hold_bits(nulls, rows, array, column);
  if (type.is_text()) hold_texts(type, nulls, rows, array, column);
  column.length += static_cast<std::int64_t>(rows.count);
}

/// Calls body(places, first) for strips of the places; `first` is the index of the strip's first one. Parallel.
template <class Body>
void for_each_strip(Places places, const Body& body) {
  parallel_for(0, divide_up(places.size(), kTakenRows), [&](std::size_t strip) {
    const std::size_t first = strip * kTakenRows;
    body(places.subspan(first, std::min(kTakenRows, places.size() - first)), first);
  });
}

void take_bits(const std::byte* bits, Places places, ByteBuffer& taken) {
  std::byte* const out = taken.extend(divide_up(places.size(), std::size_t{8}));
  for_each_strip(places, [&](Places strip, std::size_t first) {
    std::byte* byte = out + first / 8;
    for (; !strip.empty(); strip = strip.subspan(std::min<std::size_t>(8, strip.size()))) {
      unsigned eight = 0;
      for (std::size_t i = 0; i < std::min<std::size_t>(8, strip.size()); ++i) {
        eight |= unsigned{bit_at(bits, strip[i])} << i;
      }
      *byte++ = static_cast<std::byte>(eight);
    }
  });
}

template <class Width>
void copy_cells(const std::byte* values, Places places, Width width, std::byte* out) {
  for (const std::int64_t place : places) {
    std::memcpy(out, values + static_cast<std::size_t>(place) * width, width);
    out += static_cast<std::size_t>(width);
  }
}

void take_cells(const ColumnData& held, Places places, std::size_t width, ByteBuffer& taken) {
  if (width == 0) return;
  taken.make_huge_room(places.size() * width);
  std::byte* const out = taken.extend(places.size() * width);
  visit_width(width, [&](auto usual_width) {
    for_each_strip(places, [&](Places strip, std::size_t first) {
      copy_cells(held.values.data(), strip, usual_width, out + first * width);
    });
  });
}

/// Texts that lie behind one another, between offsets.
template <class Offset>
struct OffsetCells {
  static constexpr std::size_t kBytes = sizeof(Offset);

  explicit OffsetCells(const ColumnData& held) : offsets(held.values.data()), texts(held.bytes.data()) {}

  std::size_t begin_of(std::int64_t place) const {
    return static_cast<std::size_t>(load_as<Offset>(offsets + static_cast<std::size_t>(place) * kBytes));
  }
  /// Bytes of the text at a place that lie apart from its cell.
  std::size_t bytes_of(std::int64_t place) const { return begin_of(place + 1) - begin_of(place); }
  /// Writes a cell and those bytes, which are to lie from `begin` on; returns where they end.
  std::size_t write(std::int64_t place, std::size_t begin, std::byte* bytes, std::byte* cell) const {
    const std::size_t count = bytes_of(place);
    if (count > 0) std::memcpy(bytes + begin, texts + begin_of(place), count);
    store_as(cell, static_cast<Offset>(begin + count));
    return begin + count;
  }

  const std::byte* offsets;
  const std::byte* texts;
};

struct ViewCells {
  static constexpr std::size_t kBytes = ByteView::kBytes;

  explicit ViewCells(const ColumnData& held) : views(held.values.data()), texts(held.bytes.data()) {}

  const std::byte* view_of(std::int64_t place) const { return views + static_cast<std::size_t>(place) * kBytes; }
  std::size_t bytes_of(std::int64_t place) const {
    return ByteView::is_inline(view_of(place)) ? 0 : ByteView::length(view_of(place));
  }
  std::size_t write(std::int64_t place, std::size_t begin, std::byte* bytes, std::byte* cell) const {
    std::memcpy(cell, view_of(place), kBytes);
    if (ByteView::is_inline(cell)) return begin;
    std::memcpy(bytes + begin, texts + ByteView::offset(cell), ByteView::length(cell));
    ByteView::set_offset(cell, static_cast<std::uint32_t>(begin));
    return begin + ByteView::length(cell);
  }

  const std::byte* views;
  const std::byte* texts;
};

template <class Cells>
void take_texts(const Cells& cells, Places places, ColumnData& taken) {
  std::vector<std::size_t> begins(divide_up(places.size(), kTakenRows) + 1);
  for_each_strip(places, [&](Places strip, std::size_t first) {
    std::size_t bytes = 0;
    for (const std::int64_t place : strip) bytes += cells.bytes_of(place);
    begins[first / kTakenRows + 1] = bytes;
  });
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  taken.bytes.make_huge_room(begins.back());
  taken.values.make_huge_room(places.size() * Cells::kBytes);
  std::byte* const bytes = taken.bytes.extend(begins.back());
  std::byte* const out = taken.values.extend(places.size() * Cells::kBytes);
  for_each_strip(places, [&](Places strip, std::size_t first) {
    std::byte* cell = out + first * Cells::kBytes;
    std::size_t begin = begins[first / kTakenRows];
    for (const std::int64_t place : strip) {
      begin = cells.write(place, begin, bytes, cell);
      cell += Cells::kBytes;
    }
  });
}

/// Calls use() with what finds the texts of a held column.
template <class Use>
void visit_text_cells(const TableType& type, const ColumnData& held, const Use& use) {
  if (type.storage == Storage::kBinaryView) return use(ViewCells(held));
  if (type.width == sizeof(std::int32_t)) return use(OffsetCells<std::int32_t>(held));
  use(OffsetCells<std::int64_t>(held));
}

/// Those of null values, which may hold anything, are counted, too.
std::uint64_t view_bytes(const ArrowArray& array, std::int64_t first, std::int64_t count) {
  if (buffer_of(array, 1) == nullptr) return 0;
  const std::byte* view = buffer_of(array, 1) + static_cast<std::size_t>(array.offset + first) * ByteView::kBytes;
  std::uint64_t bytes = 0;
  for (std::int64_t i = 0; i < count; ++i, view += ByteView::kBytes) bytes += ByteView::length(view);
  return bytes;
}

}  // namespace

bool can_be_held(const TableType& type) {
  return type.storage == Storage::kNull || type.storage == Storage::kBits || type.storage == Storage::kFixed ||
         type.is_text();
}

std::uint64_t held_bytes(const TableType& type, const ArrowArray& array, std::int64_t first, std::int64_t count) {
  const std::uint64_t validity = type.has_validity() ? static_cast<std::uint64_t>(count) / 8 + 1 : 0;
  const std::uint64_t values = static_cast<std::uint64_t>(count) * type.width + validity;
  if (count == 0 || !type.is_text()) return values;
  if (type.storage == Storage::kBinaryView) return values + view_bytes(array, first, count);
  const std::int64_t texts = between_offsets(type, array, {first, count}).count;
  return texts < 0 ? std::numeric_limits<std::uint64_t>::max() / 2 : values + static_cast<std::uint64_t>(texts);
}

void hold_values(const TableType& type, const BatchRows& rows, std::size_t number, ColumnData& column) {
  if (type.storage == Storage::kFixed || type.is_text()) column.values.make_huge_room(rows.count * type.width);
  for (std::size_t begin = 0; begin < rows.count; begin += kListedRows) {
    const std::size_t count = std::min(kListedRows, rows.count - begin);
    hold_listed(type, {rows.batch, rows.first + static_cast<std::int64_t>(begin), count}, number, column);
  }
}

ColumnData taken_column(const TableType& type, const ColumnData& held, std::span<const std::int64_t> places) {
  ColumnData taken = empty_column(type);
  if (!held.validity.empty()) take_bits(held.validity.data(), places, taken.validity);
  if (type.storage == Storage::kFixed) take_cells(held, places, type.width, taken.values);
  if (type.storage == Storage::kBits) take_bits(held.values.data(), places, taken.values);
  if (type.is_text()) visit_text_cells(type, held, [&](const auto& cells) { take_texts(cells, places, taken); });
  taken.length = held.length;
  taken.null_count = held.null_count;
  return taken;
}

void add_text_bytes(const TableType& type, const ColumnData& column, std::size_t first,
                    std::span<std::uint64_t> sizes) {
  visit_text_cells(type, column, [&](const auto& cells) {
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] += cells.bytes_of(static_cast<std::int64_t>(first + i));
  });
}

}  // namespace sortie::table

#include "table/held_columns.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

#include "base/parallel.hpp"
#include "table/array_parts.hpp"
#include "table/row_layout.hpp"

namespace sortie::table {
namespace {

/// Rows whose texts and null bytes are listed at once: the lists stay in the cache.
constexpr std::size_t kListedRows = 8192;

using Places = std::span<const std::int64_t>;

/// Finds texts of a column that is held.
class HeldTexts {
 public:
  HeldTexts(const TableType& type, const ColumnData& held)
      : type_(type), values_(held.values.data()), bytes_(reinterpret_cast<const char*>(held.bytes.data())) {}

  std::string_view operator()(std::int64_t place) const {
    const std::byte* const value = values_ + static_cast<std::size_t>(place) * type_.width;
    if (type_.storage == Storage::kBinaryView) {
      if (!ByteView::is_inline(value)) return {bytes_ + ByteView::offset(value), ByteView::length(value)};
      return {reinterpret_cast<const char*>(ByteView::inline_bytes(value)), ByteView::length(value)};
    }
    const auto begin = static_cast<std::size_t>(load_integer(value, type_.width, true));
    const auto end = static_cast<std::size_t>(load_integer(value + type_.width, type_.width, true));
    return {bytes_ + begin, end - begin};
  }

 private:
  const TableType& type_;
  const std::byte* values_;
  const char* bytes_;
};

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

void hold_texts(const TableType& type, const ColumnRows& nulls, const BatchRows& rows, const ArrowArray& array,
                ColumnData& column) {
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

void take_validity(const ColumnData& held, Places places, ColumnData& column) {
  if (held.validity.empty()) return append_valid(column, static_cast<std::int64_t>(places.size()));
  std::vector<std::uint8_t> valid(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) valid[i] = bit_at(held.validity.data(), places[i]) ? 1 : 0;
  append_validity(column, valid);
}

void take_fixed(const TableType& type, const ColumnData& held, Places places, ColumnData& column) {
  constexpr std::size_t kGrain = 1 << 14;
  std::byte* const out = column.values.extend(places.size() * type.width);
  const std::byte* const values = held.values.data();
  visit_width(type.width, [&](auto width) {
    parallel_for_ranges(0, places.size(), kGrain, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        std::memcpy(out + i * width, values + static_cast<std::size_t>(places[i]) * width, width);
      }
    });
  });
}

void take_bits(const ColumnData& held, Places places, ColumnData& column) {
  std::vector<std::uint8_t> bits(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) bits[i] = bit_at(held.values.data(), places[i]) ? 1 : 0;
  append_bytes_as_bits(column.values, column.length, bits);
}

void take_listed(const TableType& type, const ColumnData& held, Places places, ColumnData& column) {
  if (type.has_validity()) take_validity(held, places, column);
  if (type.storage == Storage::kFixed) take_fixed(type, held, places, column);
  if (type.storage == Storage::kBits) take_bits(held, places, column);
  if (type.is_text()) {
    const HeldTexts text_at(type, held);
    std::vector<std::string_view> texts(places.size());
    std::ranges::transform(places, texts.begin(), text_at);
    append_texts(type, column, texts);
  }
  column.length += static_cast<std::int64_t>(places.size());
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
  for (std::size_t begin = 0; begin < rows.count; begin += kListedRows) {
    const std::size_t count = std::min(kListedRows, rows.count - begin);
    hold_listed(type, {rows.batch, rows.first + static_cast<std::int64_t>(begin), count}, number, column);
  }
}

void add_text_bytes(const TableType& type, const ColumnData& held, std::span<const std::int64_t> places,
                    std::uint64_t* sizes) {
  const HeldTexts text_at(type, held);
  for (std::size_t i = 0; i < places.size(); ++i) sizes[i] += text_at(places[i]).size();
}

void take_values(const TableType& type, const ColumnData& held, std::span<const std::int64_t> places,
                 ColumnData& column) {
  if (type.storage == Storage::kFixed && held.validity.empty()) return take_listed(type, held, places, column);
  for (; !places.empty(); places = places.subspan(std::min(kListedRows, places.size()))) {
    take_listed(type, held, places.first(std::min(kListedRows, places.size())), column);
  }
}

}  // namespace sortie::table

#include "table/row_encoder.hpp"

#include <cstring>
#include <limits>
#include <string>

#include <sortie/error.hpp>

#include "record/prefixed/prefixed_records.hpp"
#include "table/array_parts.hpp"
#include "table/column_errors.hpp"
#include "table/column_rows.hpp"
#include "table/nested_writer.hpp"
#include "table/text_columns.hpp"

namespace sortie::table {
namespace {

void refuse_long_rows(const RowStrip& strip) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = 0; i < strip.count; ++i) {
    if (strip.key_bytes[i] <= kMost && strip.payload_bytes[i] <= kMost) continue;
    throw Error("row " + std::to_string(strip.first + static_cast<std::int64_t>(i) + 1) +
                " of a batch takes more than 4 GiB: split its values or leave them out");
  }
}

/// The values of a column that are to be stored, each in a slot of its own.
std::vector<WriteRange> ranges_of(const ColumnRows& column, const BatchRows& rows) {
  std::vector<WriteRange> ranges;
  ranges.reserve(rows.count);
  for (std::size_t i = 0; i < rows.count; ++i) {
    if (!column.is_valid(i)) continue;
    ranges.push_back({rows.first_index() + static_cast<std::int64_t>(i), 1, static_cast<std::uint32_t>(i)});
  }
  return ranges;
}

/// Writes cells of `kBytes`. What is null becomes zeros.
template <std::size_t kBytes>
void write_cells(const ColumnRows& column, const std::byte* values, std::size_t cell,
                 std::span<std::byte* const> rows) {
  if (!column.has_nulls()) {
    for (std::size_t i = 0; i < rows.size(); ++i) std::memcpy(rows[i] + cell, values + i * kBytes, kBytes);
    return;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (column.is_valid(i)) {
      std::memcpy(rows[i] + cell, values + i * kBytes, kBytes);
    } else {
      std::memset(rows[i] + cell, 0, kBytes);
    }
  }
}

void write_wide_cells(const ColumnRows& column, const std::byte* values, std::size_t width, std::size_t cell,
                      std::span<std::byte* const> rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (column.is_valid(i)) {
      std::memcpy(rows[i] + cell, values + i * width, width);
    } else {
      std::memset(rows[i] + cell, 0, width);
    }
  }
}

void write_fixed_cells(const ColumnRows& column, const std::byte* values, std::size_t width, std::size_t cell,
                       std::span<std::byte* const> rows) {
  switch (width) {
    case 1:
      return write_cells<1>(column, values, cell, rows);
    case 2:
      return write_cells<2>(column, values, cell, rows);
    case 4:
      return write_cells<4>(column, values, cell, rows);
    case 8:
      return write_cells<8>(column, values, cell, rows);
    case 16:
      return write_cells<16>(column, values, cell, rows);
    default:
      return write_wide_cells(column, values, width, cell, rows);
  }
}

/// Writes one column's null bits and cells. `rows`: where the keys of each row end.
void write_column(const TableType& type, const StoredColumn& stored, const ColumnRows& column, const BatchRows& batch,
                  const TableDictionaries& dictionaries, std::span<std::byte* const> rows) {
  if (stored.has_null_bit && column.has_nulls()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!column.is_valid(i)) rows[i][stored.null_byte] |= std::byte{stored.null_bit};
    }
  }
  if (!stored.is_cell) return;
  const ArrowArray& array = batch.column(stored.column);
  const std::int64_t first = array.offset + batch.first_index();
  if (type.storage == Storage::kFixed) {
    const std::byte* const values = buffer_of(array, 1) + static_cast<std::size_t>(first) * type.width;
    return write_fixed_cells(column, values, type.width, stored.cell, rows);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int64_t position = first + static_cast<std::int64_t>(i);
    if (type.storage == Storage::kBits) {
      const bool bit = column.is_valid(i) && bit_at(buffer_of(array, 1), position);
      rows[i][stored.cell] = bit ? std::byte{1} : std::byte{0};
    } else {
      const DictionaryValues& dictionary = dictionaries.of(type);
      const std::uint32_t number =
          column.is_valid(i) ? dictionary.number_of(checked_dictionary_index(type, array, position, dictionary)) : 0;
      store_as(rows[i] + stored.cell, number);
    }
  }
}

}  // namespace

void RowEncoder::measure(const ArrowArray& batch, RowStrip& strip) const {
  if (layout_.is_fixed) {
    strip.record_bytes = strip.count * layout_.record_bytes;
    return;
  }
  const BatchRows rows{&batch, strip.first, strip.count};
  strip.key_bytes.assign(strip.count, 0);
  strip.payload_bytes.assign(strip.count, layout_.cells_end);
  for (const KeyColumn& key : layout_.keys) {
    work_on_column(schema_.names[key.column], [&] {
      ColumnRows column(schema_.columns[key.column], rows, key.column);
      measure_key(key, column.key_source(dictionaries_), strip.key_bytes.data());
    });
  }
  for (const StoredColumn& stored : layout_.stored) {
    if (stored.is_cell) continue;
    const TableType& type = schema_.columns[stored.column];
    work_on_column(schema_.names[stored.column], [&] {
      const ColumnRows column(type, rows, stored.column);
      const ArrowArray& array = rows.column(stored.column);
      if (holds_texts(type)) {
        return measure_text_column(type, array, rows.first_index(), column, strip.payload_bytes);
      }
      measure_values(type, array, ranges_of(column, rows), dictionaries_, strip.payload_bytes.data());
    });
  }
  refuse_long_rows(strip);
  strip.record_bytes = 0;
  for (std::size_t i = 0; i < strip.count; ++i) strip.record_bytes += record_bytes(strip, i);
}

void RowEncoder::write(const ArrowArray& batch, const RowStrip& strip, std::size_t begin, std::size_t end,
                       std::byte* records) const {
  const BatchRows rows{&batch, strip.first + static_cast<std::int64_t>(begin), end - begin};
  std::vector<std::byte*> keys(rows.count);
  std::vector<std::byte*> payloads(rows.count);
  for (std::size_t i = 0; i < rows.count; ++i) {
    if (layout_.is_fixed) {
      keys[i] = records;
      payloads[i] = records + layout_.key_bytes;
    } else {
      const std::uint64_t key_bytes = strip.key_bytes[begin + i];
      PrefixedHeader{static_cast<std::uint32_t>(key_bytes), static_cast<std::uint32_t>(strip.payload_bytes[begin + i])}
          .store(records);
      keys[i] = records + PrefixedHeader::kBytes;
      payloads[i] = keys[i] + key_bytes;
    }
    std::memset(payloads[i], 0, layout_.null_bytes);
    records += record_bytes(strip, begin + i);
  }
  if (layout_.is_fixed) {
    for (std::byte* const key : keys) *key = std::byte{0};  // perhaps nothing else is the key
  }
  for (const KeyColumn& key : layout_.keys) {
    work_on_column(schema_.names[key.column], [&] {
      ColumnRows column(schema_.columns[key.column], rows, key.column);
      write_key(key, column.key_source(dictionaries_), keys.data());
    });
  }
  std::vector<std::byte*> cursors(payloads);
  for (std::byte*& cursor : cursors) cursor += layout_.cells_end;
  for (const StoredColumn& stored : layout_.stored) {
    const TableType& type = schema_.columns[stored.column];
    work_on_column(schema_.names[stored.column], [&] {
      const ColumnRows column(type, rows, stored.column);
      write_column(type, stored, column, rows, dictionaries_, payloads);
      if (stored.is_cell) return;
      const ArrowArray& array = rows.column(stored.column);
      if (holds_texts(type)) return write_text_column(type, array, rows.first_index(), column, cursors);
      write_values(type, array, ranges_of(column, rows), dictionaries_, cursors.data());
    });
  }
}

}  // namespace sortie::table

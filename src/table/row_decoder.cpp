#include "table/row_decoder.hpp"

#include <cstdint>
#include <cstring>

#include "base/bytes.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "table/column_errors.hpp"
#include "table/nested_reader.hpp"
#include "table/text_columns.hpp"

namespace sortie::table {
namespace {

using RecordPointers = std::span<const std::byte* const>;

template <std::size_t kBytes>
void read_cells(RecordPointers rows, std::size_t cell, std::byte* out) {
  for (const std::byte* const row : rows) {
    std::memcpy(out, row + cell, kBytes);
    out += kBytes;
  }
}

void read_fixed_cells(const TableType& type, RecordPointers rows, std::size_t cell, ColumnData& column) {
  std::byte* out = column.values.extend(rows.size() * type.width);
  switch (type.width) {
    case 1:
      return read_cells<1>(rows, cell, out);
    case 2:
      return read_cells<2>(rows, cell, out);
    case 4:
      return read_cells<4>(rows, cell, out);
    case 8:
      return read_cells<8>(rows, cell, out);
    case 16:
      return read_cells<16>(rows, cell, out);
    default:
      for (const std::byte* const row : rows) {
        std::memcpy(out, row + cell, type.width);
        out += type.width;
      }
  }
}

void read_bits(RecordPointers rows, std::size_t cell, ColumnData& column) {
  std::vector<std::uint8_t> booleans(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) booleans[i] = std::to_integer<std::uint8_t>(rows[i][cell]);
  append_bytes_as_bits(column.values, column.length, booleans);
}

/// Indexes of the shared dictionary, as wide as those that came.
void read_numbers(const TableType& type, RecordPointers rows, std::size_t cell, ColumnData& column) {
  std::byte* out = column.values.extend(rows.size() * type.width);
  for (const std::byte* const row : rows) {
    const std::uint64_t number = load_as<std::uint32_t>(row + cell);
    std::memcpy(out, &number, type.width);
    out += type.width;
  }
}

/// Which rows are valid, as bytes; none if all are.
std::vector<std::uint8_t> read_validity(const StoredColumn& stored, RecordPointers rows) {
  std::byte any{};
  for (const std::byte* const row : rows) any |= row[stored.null_byte];
  if ((any & std::byte{stored.null_bit}) == std::byte{}) return {};
  std::vector<std::uint8_t> valid(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    valid[i] = (rows[i][stored.null_byte] & std::byte{stored.null_bit}) == std::byte{} ? 1 : 0;
  }
  return valid;
}

/// `rows`: where the keys of each row end. `cursors`: where its values without cells have been read to.
void read_column(const TableType& type, const StoredColumn& stored, RecordPointers rows,
                 std::span<const std::byte*> cursors, ColumnData& column) {
  std::vector<std::uint8_t> valid;
  if (stored.has_null_bit) {
    valid = read_validity(stored, rows);
    if (valid.empty()) {
      append_valid(column, static_cast<std::int64_t>(rows.size()));
    } else {
      append_validity(column, valid);
    }
  }
  if (holds_texts(type)) return read_text_column(type, valid, cursors, column);
  if (!stored.is_cell) {
    std::vector<ReadRange> ranges(rows.size());
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      ranges[i] = {1, static_cast<std::uint32_t>(i), !valid.empty() && valid[i] == 0};
    }
    return read_values(type, ranges, cursors.data(), column);
  }
  if (type.storage == Storage::kFixed) {
    read_fixed_cells(type, rows, stored.cell, column);
  } else if (type.storage == Storage::kBits) {
    read_bits(rows, stored.cell, column);
  } else {
    read_numbers(type, rows, stored.cell, column);
  }
  column.length += static_cast<std::int64_t>(rows.size());
}

}  // namespace

std::vector<ColumnData> RowDecoder::empty_columns() const {
  std::vector<ColumnData> columns;
  for (const TableType& type : schema_.columns) columns.push_back(empty_column(type));
  return columns;
}

void RowDecoder::clear(std::vector<ColumnData>& columns) const {
  for (std::size_t i = 0; i < columns.size(); ++i) clear_column(schema_.columns[i], columns[i]);
}

void RowDecoder::read(RecordPointers records, std::vector<ColumnData>& columns) const {
  std::vector<const std::byte*> payloads(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    payloads[i] = layout_.is_fixed ? records[i] + layout_.key_bytes
                                   : records[i] + PrefixedHeader::kBytes + PrefixedHeader::load(records[i]).key_bytes;
  }
  read_keys(records, payloads, columns);
  std::vector<const std::byte*> cursors(payloads);
  for (const std::byte*& cursor : cursors) cursor += layout_.cells_end;
  for (const StoredColumn& stored : layout_.stored) {
    work_on_column(schema_.names[stored.column], [&] {
      read_column(schema_.columns[stored.column], stored, payloads, cursors, columns[stored.column]);
    });
  }
}

void RowDecoder::read_keys(RecordPointers records, RecordPointers ends, std::vector<ColumnData>& columns) const {
  std::vector<const std::byte*> cursors(records.begin(), records.end());
  if (!layout_.is_fixed) {
    for (const std::byte*& cursor : cursors) cursor += PrefixedHeader::kBytes;
  }
  for (const KeyColumn& key : layout_.keys) {
    // One that is not restored is passed over: others may stand behind it.
    ColumnData unused = empty_column(*key.type);
    work_on_column(schema_.names[key.column], [&] {
      ColumnData& column = key.is_restored ? columns[key.column] : unused;
      read_key(key, records.size(), cursors.data(), ends.data(), column);
    });
  }
}

}  // namespace sortie::table

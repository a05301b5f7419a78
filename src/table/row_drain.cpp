#include "table/row_drain.hpp"

#include <algorithm>
#include <cstring>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "table/column_errors.hpp"
#include "table/nested_values.hpp"

namespace sortie::table {
namespace {

/// What threads decode before it is put together should still be in their caches then.
constexpr std::size_t kDecodedRows = 2048;
constexpr std::size_t kDecodedStripsOfThread = 2;

/// So many rows with lists tell how large they are in columns: of nulls in a list a record holds little.
constexpr std::uint64_t kFirstRows = 16;
/// A batch is full if no more than this part of its rows would find place behind them.
constexpr std::uint64_t kShareOfRest = 8;

using RecordPointers = std::span<const std::byte* const>;

/// Cells of fixed width; the indexes of the shared dictionary become as wide as those that came.
void read_cells(const TableType& type, const StoredColumn& stored, RecordPointers rows, ColumnData& column) {
  if (type.storage == Storage::kBits) {
    std::vector<std::uint8_t> booleans(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) booleans[i] = std::to_integer<std::uint8_t>(rows[i][stored.cell]);
    return append_bytes_as_bits(column.values, column.length, booleans);
  }
  std::byte* out = column.values.extend(rows.size() * type.width);
  if (type.storage == Storage::kFixed) {
    return visit_width(type.width, [rows, out, cell = stored.cell](auto width) {
      for (std::size_t i = 0; i < rows.size(); ++i) std::memcpy(out + i * width, rows[i] + cell, width);
    });
  }
  for (const std::byte* const row : rows) {
    const std::uint64_t number = load_as<std::uint32_t>(row + stored.cell);
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
  if (stored.null_bit != 0) {
    valid = read_validity(stored, rows);
    if (valid.empty()) {
      append_valid(column, static_cast<std::int64_t>(rows.size()));
    } else {
      append_validity(column, valid);
    }
  }
  if (!stored.is_cell) {
    std::vector<ReadRange> ranges(rows.size());
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      ranges[i] = {1, static_cast<std::uint32_t>(i), !valid.empty() && valid[i] == 0};
    }
    return read_values(type, ranges, cursors.data(), column);
  }
  read_cells(type, stored, rows, column);
  column.length += static_cast<std::int64_t>(rows.size());
}

}  // namespace

std::vector<ColumnData> RowDrain::empty_columns() const {
  std::vector<ColumnData> columns;
  for (const TableType& type : schema_.columns) columns.push_back(empty_column(type));
  return columns;
}

SortedRows RowDrain::next(const BatchLimit& limit) {
  SortedRows rows;
  for (std::size_t i = 0; i < schema_.columns.size(); ++i) rows.columns.push_back(pool_->take(i, schema_.columns[i]));
  const std::size_t* last_size = last_sizes_.data();
  for_each_buffer(rows.columns, [&](ByteBuffer& buffer) {
    if (last_sizes_.empty()) return;
    buffer.reserve(*last_size + *last_size / 16);
    ++last_size;
  });
  BatchLimit left = limit;
  while (left.rows > 0) {
    if (sorted_.empty()) sorted_ = more_();
    find_records(left, fitting_rows(rows, limit), rows.count == 0);
    if (records_.empty()) break;
    decode(rows);
    if (!plan_.has_lists) continue;
    std::uint64_t bytes = 0;
    for_each_buffer(rows.columns, [&bytes](const ByteBuffer& buffer) { bytes += buffer.size(); });
    row_bytes_ = bytes / rows.count + 1;
  }
  last_sizes_.clear();
  for_each_buffer(rows.columns, [&](const ByteBuffer& buffer) { last_sizes_.push_back(buffer.size()); });
  return rows;
}

std::uint64_t RowDrain::fitting_rows(const SortedRows& rows, const BatchLimit& limit) const {
  if (!plan_.has_lists) return limit.rows;
  if (row_bytes_ == 0) return kFirstRows;
  const std::uint64_t most = limit.bytes / row_bytes_;
  if (rows.count == 0) return std::max<std::uint64_t>(most, 1);
  const std::uint64_t fitting = most - std::min(most, rows.count);
  return fitting > rows.count / kShareOfRest ? fitting : 0;
}

// Finds the next records that fit; a batch takes its first one in any case.
void RowDrain::find_records(BatchLimit& left, std::uint64_t most_rows, bool is_begin_of_batch) {
  records_.clear();
  const std::size_t at_once = kDecodedRows * kDecodedStripsOfThread * parallel_threads();
  const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>({left.rows, most_rows, at_once}));
  while (records_.size() < count && !sorted_.empty()) {
    const std::size_t size = layout_.is_fixed ? layout_.record_bytes : first_prefixed_record(sorted_).size();
    const std::uint64_t bytes = std::max<std::uint64_t>(size, plan_.least_row_bytes);
    const bool is_first = is_begin_of_batch && records_.empty();
    if (bytes > left.bytes && !is_first) break;
    records_.push_back(sorted_.data());
    left.bytes -= std::min(bytes, left.bytes);
    sorted_ = sorted_.subspan(size);
  }
  left.rows -= records_.size();
}

void RowDrain::decode(SortedRows& rows) {
  const std::span<const std::byte* const> records(records_);
  rows.count += records.size();
  const std::size_t strips = (records.size() + kDecodedRows - 1) / kDecodedRows;
  if (is_alone() || strips == 1) return read(records, rows.columns);
  while (strips_.size() < strips) strips_.push_back(empty_columns());
  parallel_for(0, strips, [&](std::size_t i) {
    for (std::size_t column = 0; column < schema_.columns.size(); ++column) {
      clear_column(schema_.columns[column], strips_[i][column]);
    }
    const std::size_t begin = i * kDecodedRows;
    read(records.subspan(begin, std::min(kDecodedRows, records.size() - begin)), strips_[i]);
  });
  parallel_for(0, rows.columns.size(), [&](std::size_t column) {
    work_on_column(schema_.names[column], [&] {
      for (std::size_t i = 0; i < strips; ++i) {
        append_column(schema_.columns[column], rows.columns[column], strips_[i][column]);
      }
    });
  });
}

void RowDrain::read(RecordPointers records, std::vector<ColumnData>& columns) const {
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

void RowDrain::read_keys(RecordPointers records, RecordPointers ends, std::vector<ColumnData>& columns) const {
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

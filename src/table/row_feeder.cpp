#include "table/row_feeder.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "table/array_parts.hpp"
#include "table/column_errors.hpp"
#include "table/column_rows.hpp"
#include "table/nested_values.hpp"

namespace sortie::table {
namespace {

/// Few enough that what a column reads of them is still in the cache when the next one writes.
constexpr std::int64_t kEncodedRows = 1024;
constexpr std::uint64_t kPieceBytes = 4 << 20;
constexpr std::size_t kMostStrips = 256;
/// So many values of a batch, or within a column, and bytes of a column take some microseconds.
constexpr std::int64_t kFewValues = 8192;
constexpr std::int64_t kFewBytes = 256 << 10;

void refuse_long_row(std::int64_t row) {
  throw Error("row " + std::to_string(row + 1) +
              " of a batch takes more than 4 GiB: split its values or leave them out");
}

/// The values of a column that are to be stored, each in a slot of its own.
std::vector<WriteRange> ranges_of(const ColumnRows& column, const BatchRows& rows) {
  std::vector<WriteRange> ranges(rows.count);
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows.count; ++i) {
    ranges[count] = {rows.first_index() + static_cast<std::int64_t>(i), 1, static_cast<std::uint32_t>(i)};
    count += column.is_valid(i) ? 1 : 0;
  }
  ranges.resize(count);
  return ranges;
}

/// What is null becomes zeros.
template <class Width>
void write_fixed_cells(const ColumnRows& column, const std::byte* values, Width width, std::size_t cell,
                       std::span<std::byte* const> rows) {
  if (!column.has_nulls()) {
    for (std::size_t i = 0; i < rows.size(); ++i) std::memcpy(rows[i] + cell, values + i * width, width);
    return;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (column.is_valid(i)) {
      std::memcpy(rows[i] + cell, values + i * width, width);
    } else {
      std::memset(rows[i] + cell, 0, width);
    }
  }
}

/// Writes one column's null bits and cells. `rows`: where the keys of each row end.
void write_cells(const TableType& type, const StoredColumn& stored, const ColumnRows& column, const BatchRows& batch,
                 const TableDictionaries& dictionaries, std::span<std::byte* const> rows) {
  if (stored.null_bit != 0 && column.has_nulls()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!column.is_valid(i)) rows[i][stored.null_byte] |= std::byte{stored.null_bit};
    }
  }
  if (!stored.is_cell) return;
  const ArrowArray& array = batch.column(stored.column);
  const std::int64_t first = array.offset + batch.first_index();
  const std::byte* const values = buffer_of(array, 1);
  if (type.storage == Storage::kFixed) {
    return visit_width(type.width, [&](auto width) {
      write_fixed_cells(column, values + static_cast<std::size_t>(first) * type.width, width, stored.cell, rows);
    });
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int64_t position = first + static_cast<std::int64_t>(i);
    if (type.storage == Storage::kBits) {
      rows[i][stored.cell] =
          std::byte{column.is_valid(i) && bit_at(values, position) ? std::uint8_t{1} : std::uint8_t{0}};
    } else {
      const DictionaryValues& dictionary = dictionaries.of(type);
      store_as(rows[i] + stored.cell, column.is_valid(i) ? dictionary.number_at(type, array, position) : 0);
    }
  }
}

/// Whether values of an array, or what they hold, are too many or too long for a thread to take in some microseconds.
bool holds_much(const TableType& type, const ArrowArray& array, const IndexRange& range) {
  const auto is_long = [&](const TableType& inner, const ArrowArray& values) {
    return values.length > kFewValues || holds_much(inner, values, {0, values.length});
  };
  if (range.count == 0) return false;
  if (type.storage == Storage::kBinary) return between_offsets(type, array, range).count > kFewBytes;
  if (type.storage == Storage::kDictionary) return is_long(type.children[0], *array.dictionary);
  for (std::size_t i = 0; i < type.children.size(); ++i) {
    if (is_long(type.children[i], *array.children[i])) return true;
  }
  return false;
}

}  // namespace

bool RowFeeder::may_be_little(const ArrowArray& batch) const {
  const std::int64_t columns = std::max<std::int64_t>(batch.n_children, 1);
  if (batch.length > std::min(kEncodedRows, kFewValues / columns)) return false;
  for (std::size_t i = 0; i < schema_.columns.size(); ++i) {
    if (holds_much(schema_.columns[i], *batch.children[i], {batch.offset, batch.length})) return false;
  }
  return true;
}

bool RowFeeder::feed_little(const ArrowArray& batch, std::uint64_t most_bytes) {
  if (batch.length == 0) return true;
  make_strips(batch, 0);
  measure(batch, strips_[0]);
  if (strips_[0].record_bytes > most_bytes) return false;
  add(batch, strips_[0]);
  send(batch);
  return true;
}

void RowFeeder::feed(const ArrowArray& batch) {
  for (std::int64_t first = 0; first < batch.length;) {
    make_strips(batch, first);
    parallel_for(0, strip_count_, [&](std::size_t i) { measure(batch, strips_[i]); });
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < strip_count_; ++i) {
      first += static_cast<std::int64_t>(strips_[i].count);
      bytes += strips_[i].record_bytes;
      add(batch, strips_[i]);
    }
    send(batch);
    const std::uint64_t fitting = kPieceBytes * strip_count_ / std::max<std::uint64_t>(bytes, 1);
    strips_at_once_ = std::clamp<std::size_t>(fitting, std::min(parallel_threads(), kMostStrips), kMostStrips);
  }
}

void RowFeeder::make_strips(const ArrowArray& batch, std::int64_t first) {
  if (strips_.size() < strips_at_once_) strips_.resize(strips_at_once_);
  strip_count_ = 0;
  for (; strip_count_ < strips_at_once_ && first < batch.length; ++strip_count_) {
    strips_[strip_count_].first = first;
    strips_[strip_count_].count = static_cast<std::size_t>(std::min(kEncodedRows, batch.length - first));
    first += kEncodedRows;
  }
}

void RowFeeder::measure(const ArrowArray& batch, Strip& strip) const {
  strip.record_bytes = strip.count * layout_.record_bytes;
  if (layout_.is_fixed) return;
  const BatchRows rows{&batch, strip.first, strip.count};
  strip.key_bytes.assign(strip.count, 0);
  strip.payload_bytes.assign(strip.count, layout_.cells_end);
  for (const KeyColumn& key : layout_.keys) {
    work_on_column(schema_.names[key.column], [&] {
      ColumnRows column(key, rows);
      measure_key(key, column.key_source(dictionaries_), strip.key_bytes.data());
    });
  }
  for (const StoredColumn& stored : layout_.stored) {
    if (stored.is_cell) continue;
    const TableType& type = schema_.columns[stored.column];
    work_on_column(schema_.names[stored.column], [&] {
      const ColumnRows column(type, rows, stored.column);
      measure_values(type, rows.column(stored.column), ranges_of(column, rows), dictionaries_,
                     strip.payload_bytes.data());
    });
  }
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = 0; i < strip.count; ++i) {
    if (strip.key_bytes[i] > kMost || strip.payload_bytes[i] > kMost) {
      refuse_long_row(strip.first + static_cast<std::int64_t>(i));
    }
    strip.record_bytes += record_bytes(strip, i);
  }
}

std::uint64_t RowFeeder::record_bytes(const Strip& strip, std::size_t row) const {
  if (layout_.is_fixed) return layout_.record_bytes;
  return PrefixedHeader::kBytes + strip.key_bytes[row] + strip.payload_bytes[row];
}

/// A strip goes into several pieces if it must.
void RowFeeder::add(const ArrowArray& batch, const Strip& strip) {
  if (piece_bytes_ > 0 && piece_bytes_ + strip.record_bytes > kPieceBytes) send(batch);
  if (strip.record_bytes <= kPieceBytes) {
    parts_.push_back({&strip, 0, strip.count, piece_bytes_});
    piece_bytes_ += strip.record_bytes;
    return;
  }
  std::size_t begin = 0;
  while (begin < strip.count) {
    std::size_t end = begin;
    std::uint64_t bytes = 0;
    do {
      bytes += record_bytes(strip, end++);
    } while (end < strip.count && bytes + record_bytes(strip, end) <= kPieceBytes);
    parts_.push_back({&strip, begin, end, 0});
    piece_bytes_ = bytes;
    send(batch);
    begin = end;
  }
}

void RowFeeder::send(const ArrowArray& batch) {
  if (parts_.empty()) return;
  if (piece_.size() < piece_bytes_) piece_.resize(piece_bytes_);
  parallel_for(0, parts_.size(), [&](std::size_t i) { write(batch, parts_[i]); });
  take_(std::span(piece_).first(piece_bytes_));
  parts_.clear();
  piece_bytes_ = 0;
}

void RowFeeder::write(const ArrowArray& batch, const Part& part) {
  const Strip& strip = *part.strip;
  const BatchRows rows{&batch, strip.first + static_cast<std::int64_t>(part.begin), part.end - part.begin};
  std::vector<std::byte*> keys(rows.count);
  std::vector<std::byte*> payloads(rows.count);
  std::byte* record = piece_.data() + part.offset;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::size_t row = part.begin + i;
    if (layout_.is_fixed) {
      keys[i] = record;
      payloads[i] = record + layout_.key_bytes;
      *record = std::byte{0};  // perhaps nothing else is the key
    } else {
      PrefixedHeader{static_cast<std::uint32_t>(strip.key_bytes[row]),
                     static_cast<std::uint32_t>(strip.payload_bytes[row])}
          .store(record);
      keys[i] = record + PrefixedHeader::kBytes;
      payloads[i] = keys[i] + strip.key_bytes[row];
    }
    std::memset(payloads[i], 0, layout_.null_bytes);
    record += record_bytes(strip, row);
  }
  for (const KeyColumn& key : layout_.keys) {
    work_on_column(schema_.names[key.column], [&] {
      ColumnRows column(key, rows);
      write_key(key, column.key_source(dictionaries_), keys.data());
    });
  }
  std::vector<std::byte*> cursors(payloads);
  for (std::byte*& cursor : cursors) cursor += layout_.cells_end;
  for (const StoredColumn& stored : layout_.stored) {
    const TableType& type = schema_.columns[stored.column];
    work_on_column(schema_.names[stored.column], [&] {
      const ColumnRows column(type, rows, stored.column);
      write_cells(type, stored, column, rows, dictionaries_, payloads);
      if (stored.is_cell) return;
      write_values(type, rows.column(stored.column), ranges_of(column, rows), dictionaries_, cursors.data());
    });
  }
}

}  // namespace sortie::table

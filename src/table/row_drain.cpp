#include "table/row_drain.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "table/column_errors.hpp"

namespace sortie::table {
namespace {

/// What threads decode before it is put together should still be in their caches then.
constexpr std::size_t kDecodedRows = 2048;
constexpr std::size_t kDecodedStripsOfThread = 2;

}  // namespace

SortedRows RowDrain::next(const BatchLimit& limit) {
  SortedRows rows;
  rows.columns = decoder_.empty_columns();
  for (std::size_t i = 0; i < last_sizes_.size(); ++i) reserve_like(rows.columns[i], last_sizes_[i]);
  BatchLimit left = limit;
  while (left.rows > 0) {
    if (sorted_.empty()) sorted_ = more_();
    find_records(left, rows.count == 0);
    if (records_.empty()) break;
    decode(rows);
  }
  last_sizes_.clear();
  for (const ColumnData& column : rows.columns) last_sizes_.push_back(sizes_of(column));
  return rows;
}

// Finds the next records that fit; a batch takes its first one in any case.
void RowDrain::find_records(BatchLimit& left, bool is_begin_of_batch) {
  records_.clear();
  const std::size_t at_once = kDecodedRows * kDecodedStripsOfThread * parallel_threads();
  const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(left.rows, at_once));
  while (records_.size() < count && !sorted_.empty()) {
    const std::size_t bytes = layout_.is_fixed ? layout_.record_bytes : first_prefixed_record(sorted_).size();
    const bool is_first = is_begin_of_batch && records_.empty();
    if (bytes > left.bytes && !is_first) break;
    records_.push_back(sorted_.data());
    left.bytes -= std::min<std::uint64_t>(bytes, left.bytes);
    sorted_ = sorted_.subspan(bytes);
  }
  left.rows -= records_.size();
}

void RowDrain::decode(SortedRows& rows) {
  const std::span<const std::byte* const> records(records_);
  rows.count += records.size();
  const std::size_t strips = (records.size() + kDecodedRows - 1) / kDecodedRows;
  if (is_alone() || strips == 1) return decoder_.read(records, rows.columns);
  while (strips_.size() < strips) strips_.push_back(decoder_.empty_columns());
  parallel_for(0, strips, [&](std::size_t i) {
    decoder_.clear(strips_[i]);
    const std::size_t begin = i * kDecodedRows;
    decoder_.read(records.subspan(begin, std::min(kDecodedRows, records.size() - begin)), strips_[i]);
  });
  parallel_for(0, rows.columns.size(), [&](std::size_t column) {
    work_on_column(schema_.names[column], [&] {
      for (std::size_t i = 0; i < strips; ++i) {
        append_column(schema_.columns[column], rows.columns[column], strips_[i][column]);
      }
    });
  });
}

}  // namespace sortie::table

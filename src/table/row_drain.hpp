// Makes batches of sorted records, with all threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "table/batch_limit.hpp"
#include "table/column_data.hpp"
#include "table/row_decoder.hpp"
#include "table/row_layout.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// Sorted rows, column by column.
struct SortedRows {
  std::vector<ColumnData> columns;
  std::uint64_t count = 0;
};

class RowDrain {
 public:
  /// Gives the next whole records, which stay where they are until it is called again; none at the end, however often.
  using More = std::function<std::span<const std::byte>()>;

  RowDrain(const TableSchema& schema, const RowLayout& layout, More more)
      : schema_(schema), layout_(layout), decoder_(schema, layout), more_(std::move(more)) {}

  /// The next rows, as many as `limit` allows. None at the end. Parallel.
  SortedRows next(const BatchLimit& limit);

  /// Drops what has come and is no row yet, and returns how many bytes that were.
  std::size_t forget_rest() { return std::exchange(sorted_, {}).size(); }

 private:
  void find_records(BatchLimit& left, bool is_begin_of_batch);
  void decode(SortedRows& rows);

  const TableSchema& schema_;
  const RowLayout& layout_;
  const RowDecoder decoder_;
  const More more_;
  std::span<const std::byte> sorted_;            // what has come and is not decoded yet
  std::vector<const std::byte*> records_;        // to be decoded at once
  std::vector<std::vector<ColumnData>> strips_;  // what threads have made of some records each
  std::vector<ColumnSizes> last_sizes_;          // of the last batch: the next one is as large, as a rule
};

}  // namespace sortie::table

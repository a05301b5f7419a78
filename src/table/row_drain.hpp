// Makes batches of the rows that a sort gives back, with all threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <sortie/sorter.hpp>

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
  RowDrain(const TableSchema& schema, const RowLayout& layout, Sorter& sorter)
      : schema_(schema), layout_(layout), decoder_(schema, layout), sorter_(sorter) {}

  /// The next `most_rows`, or fewer: at the end, or if they would not fit columns with 32-bit offsets. None at the end.
  /// Parallel.
  SortedRows next(std::uint64_t most_rows);

 private:
  void find_records(std::uint64_t most, std::uint64_t& left_bytes);
  void decode(SortedRows& rows);

  const TableSchema& schema_;
  const RowLayout& layout_;
  const RowDecoder decoder_;
  Sorter& sorter_;
  bool is_done_ = false;
  std::span<const std::byte> sorted_;            // what the sort has given and is not decoded yet
  std::vector<const std::byte*> records_;        // to be decoded at once
  std::vector<std::vector<ColumnData>> strips_;  // what threads have made of some records each
  std::vector<ColumnSizes> last_sizes_;          // of the last batch: the next one is as large, as a rule
};

}  // namespace sortie::table

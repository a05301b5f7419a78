// Makes batches of sorted records: strips of them become columns, with all threads, and are put one behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "table/column_data.hpp"
#include "table/column_pool.hpp"
#include "table/table_plan.hpp"

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

  RowDrain(const TablePlan& plan, More more)
      : plan_(plan),
        schema_(plan.schema),
        layout_(plan.layout),
        more_(std::move(more)),
        pool_(std::make_shared<ColumnPool>(plan.schema.columns.size(), plan.kept_bytes)) {}

  /// The next rows, as many as `limit` allows. None at the end. Parallel.
  SortedRows next(const BatchLimit& limit);

  /// Takes the memory of batches.
  ColumnPool& pool() { return *pool_; }

  /// Drops what has come and is no row yet, and returns how many bytes that were.
  std::size_t forget_rest() { return std::exchange(sorted_, {}).size(); }

 private:
  /// How many rows to decode at once; 0: the batch is full.
  std::uint64_t fitting_rows(const SortedRows& rows, const BatchLimit& limit) const;
  void find_records(BatchLimit& left, std::uint64_t most_rows, bool is_begin_of_batch);
  void decode(SortedRows& rows);
  std::vector<ColumnData> empty_columns() const;
  /// Puts the rows that `records` point to behind those of `columns`.
  void read(std::span<const std::byte* const> records, std::vector<ColumnData>& columns) const;
  void read_keys(std::span<const std::byte* const> records, std::span<const std::byte* const> ends,
                 std::vector<ColumnData>& columns) const;

  const TablePlan& plan_;
  const TableSchema& schema_;
  const RowLayout& layout_;
  const More more_;
  const std::shared_ptr<ColumnPool> pool_;
  std::span<const std::byte> sorted_;            // what has come and is not decoded yet
  std::vector<const std::byte*> records_;        // to be decoded at once
  std::vector<std::vector<ColumnData>> strips_;  // what threads have made of some records each
  std::uint64_t row_bytes_ = 0;                  // in columns, of the last rows with lists; 0: not known yet
  std::vector<std::size_t> last_sizes_;          // of the last batch's buffers: the next one is as large, as a rule
};

}  // namespace sortie::table

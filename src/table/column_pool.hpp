// Memory of sorted batches that were given up, for the next ones: fresh memory costs more than to fill it. RowDrain
// takes it, and export_batch() has it given back.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "table/column_data.hpp"

namespace sortie::table {

/// Threads may call it at once. It must be owned by a shared_ptr; columns outlive it.
class ColumnPool : public std::enable_shared_from_this<ColumnPool> {
 public:
  /// `most_free_bytes`: of memory that nobody uses.
  ColumnPool(std::size_t columns, std::size_t most_free_bytes) : free_(columns), most_free_bytes_(most_free_bytes) {}

  /// A column without values, with memory of an earlier one of this number if there is some.
  ColumnData take(std::size_t number, const TableType& type);

  /// Shares a column, and keeps its memory when nobody has it any more.
  std::shared_ptr<const ColumnData> share(std::size_t number, ColumnData column);

 private:
  void give_back(std::size_t number, ColumnData column) noexcept;

  std::mutex mutex_;
  std::vector<std::vector<ColumnData>> free_;  // by number of the column
  std::size_t free_bytes_ = 0;
  const std::size_t most_free_bytes_;
};

}  // namespace sortie::table

// Rows that stay where they are while the places of their keys are sorted; each column is taken by these places once,
// in the end. For tables of one short key that take little of the sort's memory: TableSorter holds them until they
// would take more, and then feeds them to its sort of records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <sortie/arrow_c_data.hpp>
#include <sortie/report.hpp>

#include "base/memory_region.hpp"
#include "pipeline/place_totals.hpp"
#include "table/arrow_owner.hpp"
#include "table/column_data.hpp"
#include "table/table_plan.hpp"

namespace sortie::table {

class HeldRows {
 public:
  /// Precondition: plan.held.most > 0.
  explicit HeldRows(const TablePlan& plan);

  /// Whether the rows of a batch may be taken, too: the memory for them is there. Precondition: check_batch() takes it.
  bool has_room_for(const ArrowArray& batch);
  /// Takes all rows. Precondition: has_room_for(batch). Parallel if they are many.
  void take(const ArrowArray& batch);
  /// Hands over what was taken, as one batch.
  ArrowOwner<ArrowArray> release();

  bool is_sorted() const { return totals_.has_value(); }
  /// Call once, when all rows are there, outside a team: it starts threads of its own.
  void sort_places();
  /// Puts the rows in the order of their places. Throws Error if they are then not in order, or not those that came.
  /// Parallel.
  void take_places();
  /// The next rows in order, as many as `limit` allows, which share memory with the others. Nothing at the end.
  ArrowOwner<ArrowArray> next(const BatchLimit& limit);
  /// What was done, in records as the plan has them. Precondition: next() has given nothing.
  const SortReport& report() const { return report_; }

 private:
  std::uint64_t memory_of(const ArrowArray& batch) const;
  std::span<const std::int64_t> places() const;
  bool are_in_order() const;
  std::size_t fitting_rows(const BatchLimit& limit);

  const TablePlan& plan_;
  const KeyColumn& key_;
  std::vector<ColumnData> columns_;
  std::uint64_t count_ = 0;
  std::uint64_t memory_ = 0;       // that the rows and their places take
  std::uint64_t most_memory_ = 0;  // that they may take
  bool knows_most_memory_ = false;
  // Sorted:
  std::optional<PlaceTotals> totals_;
  MemoryRegion places_;
  std::vector<std::shared_ptr<const ColumnData>> sorted_;
  std::uint64_t given_ = 0;         // rows that next() has given
  std::uint64_t record_bytes_ = 0;  // of these as records
  bool is_reported_ = false;
  SortReport report_;
};

}  // namespace sortie::table

// Merges slices of runs that others have formed: one attempt, made by merge_slices(), and by join_slices() for each
// side.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <sortie/byte_checksum.hpp>
#include <sortie/shard.hpp>

#include "observe/observer.hpp"
#include "pipeline/job_attempt.hpp"
#include "pipeline/shard/shared_sorts.hpp"
#include "record/record_totals.hpp"
#include "run/run.hpp"

namespace sortie {

/// `slices`: in order.
ShardTotals totals_of(const std::vector<RunSlicePlan>& slices);

class SliceMergeJob final : public JobAttempt {
 public:
  /// `offset`: see merge_slices(). References must outlive this.
  SliceMergeJob(FileSystem& files, const SharedSort& sort, const SlicePlan& plan, std::optional<std::uint64_t> offset);
  /// One side of a join: records are written as RecordForm::kKeyed, and `observer` is told of it.
  SliceMergeJob(FileSystem& files, const SortOptions& options, const SlicePlan& plan, Observer& observer);
  // Both may still be adding to the checksum.
  ~SliceMergeJob() {
    stage_.reset();
    output_.reset();
  }

  /// Call once. Throws Error.
  SliceReport run();

 private:
  void open_output(const MemoryBudget& budget);
  std::span<const std::byte> shown_header() const;
  std::vector<Run> open_slices();
  void merge_slices();
  void check_first(Record record) const;
  void check_last(Record record) const;
  ShardTotals totals_dropped() const;
  ShardTotals totals_of_groups() const;

  const SlicePlan& slices_;
  const std::optional<std::uint64_t> offset_;
  const ShardTotals input_;
  RecordTotals passed_on_;  // behind their positions
  ByteChecksum file_checksum_;
  std::vector<std::uint64_t> begins_;  // see SliceReport
};

}  // namespace sortie

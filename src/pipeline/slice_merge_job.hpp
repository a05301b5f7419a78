// Phase two of a part of the output: merges slices of runs that other processes have formed. Made by merge_slices(),
// once for each attempt.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <sortie/byte_checksum.hpp>
#include <sortie/shard.hpp>

#include "io/files/file.hpp"
#include "pipeline/job_attempt.hpp"

namespace sortie {

class SliceMergeJob final : public JobAttempt {
 public:
  /// `offset`: see merge_slices(). References must outlive this.
  SliceMergeJob(FileSystem& files, const SortOptions& options, const SlicePlan& plan,
                std::optional<std::uint64_t> offset);
  // Both may still be adding to the checksum.
  ~SliceMergeJob() {
    stage_.reset();
    output_.reset();
  }

  /// Call once. Throws Error.
  SliceReport run();

 private:
  void open_output(const MemoryBudget& budget);
  std::vector<Run> open_slices();
  void merge_slices();
  void check_first(Record record) const;
  void check_last(Record record) const;
  ShardTotals totals_dropped() const;

  const SlicePlan& slices_;
  const std::optional<std::uint64_t> offset_;
  const ShardTotals input_;
  ByteChecksum file_checksum_;
};

}  // namespace sortie

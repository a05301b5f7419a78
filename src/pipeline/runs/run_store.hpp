// Takes sorted records and makes runs of them, which live between the phases in the store's place: memory and scratch
// files, or a checkpoint. Called by run formation and by merge passes that are not the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/memory_region.hpp"
#include "io/files/scratch.hpp"
#include "observe/observer.hpp"
#include "pipeline/plan/merge_shape.hpp"
#include "pipeline/runs/compression_policy.hpp"
#include "pipeline/runs/run_location.hpp"
#include "record/record_order.hpp"
#include "record/text/record_codec.hpp"
#include "run/run.hpp"
#include "run/run_writer.hpp"

namespace sortie {

/// A run on its way into the store.
class RunSink {
 public:
  RunSink(const RecordCodec& codec, const RunStoreOptions& options, CompressionPolicy& policy, Observer& observer,
          RunLocation::Room room);

  /// Takes the next records in order. Drops or combines those with equal keys if asked to; may change the bytes of
  /// `part`.
  void append(std::span<std::byte> part);

  /// Memory of the run's file for the next records of at most `bytes`, which begin at `position` of the run; see
  /// PartConsumer. Empty if there is none, or if not all records stay, as they are.
  std::span<std::byte> room(std::uint64_t position, std::uint64_t bytes) const {
    return filter_ || !in_file_ ? std::span<std::byte>() : writer_.room(position, bytes);
  }

  /// Pinned memory for the whole run. Records that are put there in order are kept without a copy when they are
  /// appended. Empty if there is none, or if records with equal keys do not stay.
  std::span<std::byte> pinned_memory() const { return pinned_memory_; }

  /// Call once.
  Run finish();

  RecordTotals dropped() const { return filter_ ? filter_->dropped() : RecordTotals(); }
  bool in_file() const { return in_file_; }

 private:
  void try_compression(std::span<const std::byte> part, int zstd_level);
  void fit_blocks();

  BlockSizes sizes_;
  CompressionPolicy& policy_;
  Observer& observer_;
  std::unique_ptr<RepeatFilter> filter_;  // null if all records stay
  std::shared_ptr<RunUsage> usage_;
  std::span<std::byte> pinned_memory_;
  bool in_file_;
  RunWriter writer_;
};

class RunStore {
 public:
  using Options = RunStoreOptions;

  /// `codec`: of the records in runs. With `pin`, runs in RAM are pinned, each while the one before is stored.
  RunStore(const RecordCodec& codec, ScratchSpace& scratch, std::unique_ptr<CompressionPolicy> policy,
           const Options& options, Observer& observer, MemoryPinner pin = {});

  /// Announces that the first run will have at most `bytes`. Its memory is prepared from now on if it is going to be
  /// stored. Call before begin_run().
  void expect_run(std::uint64_t bytes) { location_->expect(bytes); }

  /// Reports that all input is in runs: what was prepared for another one is given back.
  void expect_no_more_runs() { location_->expect_no_more(); }

  /// Whether begin_run() waits for memory that is pinned.
  bool pins() const { return pins_; }

  /// A sink for a run of at most `bytes` of records. Thread-safe.
  std::unique_ptr<RunSink> begin_run(std::uint64_t bytes);

  /// Opens the runs that an earlier attempt has left in the checkpoint. Call before begin_run(). Throws Error if one is
  /// damaged.
  TakenRuns take_over() { return location_->take_over(codec_.order()); }

 private:
  const RecordCodec& codec_;
  std::unique_ptr<CompressionPolicy> policy_;
  Options options_;
  bool pins_;
  Observer& observer_;
  std::shared_ptr<StoreUsage> usage_;
  std::unique_ptr<RunLocation> location_;
};

}  // namespace sortie

// Takes sorted records and makes runs of them, which live between the phases in the store's place: memory and scratch
// files, or a checkpoint. Called by run formation and by merge passes that are not the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/memory_region.hpp"
#include "io/files/scratch.hpp"
#include "observe/observer.hpp"
#include "pipeline/checkpoint/checkpoint.hpp"
#include "pipeline/plan/merge_shape.hpp"
#include "pipeline/runs/compression_policy.hpp"
#include "pipeline/runs/run_place.hpp"
#include "pipeline/scan/repeat_filter.hpp"
#include "record/record_order.hpp"
#include "record/text/line_decorator.hpp"
#include "run/run.hpp"
#include "run/run_writer.hpp"

namespace sortie {

struct RunStoreOptions {
  std::uint64_t memory_bytes = 0;  ///< limit for runs in RAM
  std::uint64_t block_bytes = 0;
  Repeats repeats = Repeats::kKept;  ///< what becomes of records with equal keys
  bool verify = true;
  std::uint64_t expected_bytes = 0;              ///< all runs together; 0 if unknown
  const LineDecorator* decorator = nullptr;      ///< for decorated lines, null otherwise
  Checkpoint* checkpoint = nullptr;              ///< if not null, all runs are files in its directory
  std::uint64_t most_block_bytes = 0;            ///< limit on block_bytes when the index grows; 0: the same
  std::uint64_t index_step_bytes = 0;            ///< growth of that index before blocks are doubled
  std::optional<std::string> program = {};       ///< program that compresses run files
  std::uint64_t most_files = ~std::uint64_t{0};  ///< run files open at once
  bool around_cache = false;                     ///< run files are written around the system's cache: see File
  bool prepares_files = false;                   ///< run files lie in memory and are not compressed: see ScratchRuns
  bool tells_output_bytes = false;               ///< blocks tell how long their records are as they are written
  std::uint64_t options_hash = 0;                ///< see RunHeader
};

/// A run on its way into the store.
class RunSink {
 public:
  RunSink(const Format& format, const RecordOrder& order, const RunStoreOptions& options, CompressionPolicy& policy,
          Observer& observer, RunPlace::Room room);

  /// Takes the next records in order. Drops or combines those with equal keys if asked to; may change the bytes of
  /// `part`.
  void append(std::span<std::byte> part);

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

  /// With `pin`, runs in RAM are pinned, each while the one before is stored.
  RunStore(const Format& format, const RecordOrder& order, ScratchSpace& scratch,
           std::unique_ptr<CompressionPolicy> policy, const Options& options, Observer& observer,
           MemoryPinner pin = {});

  /// Announces that the first run will have at most `bytes`. Its memory is prepared from now on if it is going to be
  /// stored. Call before begin_run().
  void expect_run(std::uint64_t bytes) { place_->expect(bytes); }

  /// Tells that all input is in runs: what was prepared for another one is given back.
  void expect_no_more_runs() { place_->expect_no_more(); }

  /// A sink for a run of at most `bytes` of records. Thread-safe.
  std::unique_ptr<RunSink> begin_run(std::uint64_t bytes);

  /// Opens the runs that an earlier attempt has left in the checkpoint. Call before begin_run(). Throws Error if one is
  /// damaged.
  TakenRuns take_over() { return place_->take_over(order_); }

 private:
  const Format& format_;
  const RecordOrder& order_;
  std::unique_ptr<CompressionPolicy> policy_;
  Options options_;
  Observer& observer_;
  std::shared_ptr<StoreUsage> usage_;
  std::unique_ptr<RunPlace> place_;
};

}  // namespace sortie

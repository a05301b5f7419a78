// Where runs live between the phases: in RAM while the budget allows, in scratch files after that.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "base/memory_pin.hpp"
#include "io/scratch.hpp"
#include "observe/observer.hpp"
#include "pipeline/checkpoint/checkpoint.hpp"
#include "pipeline/records/unique_filter.hpp"
#include "pipeline/runs/compression_policy.hpp"
#include "pipeline/runs/scratch_files.hpp"
#include "record/record_order.hpp"
#include "record/text/line_decorator.hpp"
#include "run/kept_run_storage.hpp"
#include "run/run.hpp"
#include "run/run_file.hpp"
#include "run/run_memory.hpp"
#include "run/run_writer.hpp"

namespace sortie {

class MeteredStorage;

/// Bytes held and moved by all runs of a store; shared with their storage.
struct RunStoreUsage {
  std::mutex mutex;
  std::uint64_t memory_reserved = 0;
  std::uint64_t scratch_bytes = 0;
  std::uint64_t scratch_peak_bytes = 0;
  std::uint64_t index_bytes = 0;  ///< index of the blocks of complete runs
};

struct RunStoreOptions {
  std::uint64_t memory_bytes = 0;  ///< limit for runs in RAM
  std::uint64_t block_bytes = 0;
  bool unique = false;
  bool verify = true;
  std::uint64_t expected_bytes = 0;              ///< all runs together; 0 if unknown
  const LineDecorator* decorator = nullptr;      ///< for decorated lines, null otherwise
  Checkpoint* checkpoint = nullptr;              ///< if not null, all runs are files in its directory
  std::uint64_t most_block_bytes = 0;            ///< limit on block_bytes when the index grows; 0: the same
  std::uint64_t index_bytes = 0;                 ///< growth of that index before blocks are doubled
  std::optional<std::string> program = {};       ///< program that compresses run files
  std::uint64_t most_files = ~std::uint64_t{0};  ///< run files open at once
};

/// A run on its way into the store.
class RunSink {
 public:
  RunSink(const Format& format, const RecordOrder& order, const RunStoreOptions& options, CompressionPolicy& policy,
          Observer& observer, RunIdentity identity, std::shared_ptr<MeteredStorage> storage);

  /// Takes the next records in order. Drops duplicates if asked to; may change the bytes of `part`.
  void append(std::span<std::byte> part);

  /// Pinned memory for the whole run. Records that are put there in order are kept without a copy when they are
  /// appended. Empty if there is none, or if duplicates will be dropped.
  std::span<std::byte> home() const;

  /// Call once.
  Run finish();

  const RecordTotals& dropped() const { return filter_.dropped(); }
  bool in_memory() const;

 private:
  void try_compression(std::span<const std::byte> part, int zstd_level);

  bool unique_;
  CompressionPolicy& policy_;
  Observer& observer_;
  UniqueFilter filter_;
  std::shared_ptr<MeteredStorage> storage_;
  RunWriter writer_;
};

class RunStore {
 public:
  using Options = RunStoreOptions;

  /// With `pin`, runs in RAM are pinned, each while the one before is stored.
  RunStore(const Format& format, const RecordOrder& order, ScratchSpace& scratch, CompressionPolicy& policy,
           const Options& options, Observer& observer, MemoryPinner pin = {});

  /// Announces that the first run will have at most `bytes`. Its memory is prepared from now on if it is going to be
  /// stored. Call before begin_run().
  void expect_run(std::uint64_t bytes);

  /// A sink for a run of at most `bytes` of records. Thread-safe.
  std::unique_ptr<RunSink> begin_run(std::uint64_t bytes);

  /// Opens a run that an earlier attempt stored in the checkpoint and whose file is `file_bytes` long. Throws Error as
  /// open_stored_run() does.
  RunFile take_over(const RunIdentity& identity, std::uint64_t file_bytes);

  std::uint64_t scratch_peak_bytes() const;

 private:
  std::unique_ptr<RunSink> begin_kept_run();
  std::shared_ptr<MeteredStorage> meter(std::unique_ptr<RunStorage> storage);
  std::shared_ptr<MeteredStorage> make_storage(std::uint64_t bytes);
  std::unique_ptr<RunMemory> take_memory(std::uint64_t bytes);
  void prepare_next(std::uint64_t bytes);
  bool memory_fits(std::uint64_t bytes) const;
  Options with_block_size(Options options) const;

  const Format& format_;
  const RecordOrder& order_;
  ScratchFiles files_;
  std::shared_ptr<OpenRunFiles> open_files_;  // those of the checkpoint
  CompressionPolicy& policy_;
  Options options_;
  Observer& observer_;
  MemoryPinner pin_;
  std::shared_ptr<RunStoreUsage> usage_;
  std::unique_ptr<RunMemory> next_memory_;  // being pinned for the next run; guarded by usage_->mutex
  std::uint64_t begun_bytes_ = 0;           // length of all runs begun; guarded by usage_->mutex
  std::uint64_t job_id_;
  std::atomic<std::uint64_t> next_run_{0};
};

}  // namespace sortie

// Where the runs of a store go, and how much memory and scratch space they take there. ScratchRuns keeps runs in memory
// and in scratch files, KeptRuns in the directory of a checkpoint. A run store has one location, and makes every run in
// it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/memory_region.hpp"
#include "io/files/scratch.hpp"
#include "io/output/parallel_writer.hpp"
#include "observe/observer.hpp"
#include "pipeline/checkpoint/checkpoint.hpp"
#include "pipeline/scan/repeat_filter.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"
#include "record/text/record_codec.hpp"
#include "run/file_run_storage.hpp"
#include "run/kept_run_storage.hpp"
#include "run/run.hpp"
#include "run/run_memory.hpp"

namespace sortie {

struct RunStoreOptions {
  std::uint64_t memory_bytes = 0;  ///< limit for runs in RAM
  std::uint64_t block_bytes = 0;
  Repeats repeats = Repeats::kKept;  ///< what becomes of records with equal keys
  bool verify = true;
  std::uint64_t expected_bytes = 0;              ///< all runs together; 0 if unknown
  Checkpoint* checkpoint = nullptr;              ///< if not null, all runs are files in its directory
  std::uint64_t most_block_bytes = 0;            ///< limit on block_bytes when the index grows; 0: the same
  std::uint64_t index_step_bytes = 0;            ///< growth of that index before blocks are doubled
  std::optional<std::string> program = {};       ///< program that compresses run files
  std::uint64_t most_files = ~std::uint64_t{0};  ///< run files open at once
  bool around_cache = false;                     ///< run files are written around the system's cache: see File
  bool prepares_files = false;                   ///< run files lie in memory and are not compressed: see ScratchRuns
  bool stores_output_bytes = false;              ///< blocks say how long their records are as they are written
  std::uint64_t options_hash = 0;                ///< see RunHeader
};

/// What all runs of a store take together.
struct StoreUsage {
  std::mutex mutex;
  std::uint64_t memory_reserved = 0;
  std::uint64_t scratch_bytes = 0;
  std::uint64_t index_bytes = 0;  ///< index of the blocks of complete runs
};

/// What one run takes, and how long its transfers take. The run counts for its store until it is gone.
class RunUsage final : public RunMeter {
 public:
  /// `memory_reserved`: memory of the run, which the store has counted already.
  RunUsage(std::shared_ptr<StoreUsage> store, Observer& observer, std::uint64_t memory_reserved = 0);
  ~RunUsage() override;
  RunUsage(const RunUsage&) = delete;
  RunUsage& operator=(const RunUsage&) = delete;

  void grow(std::uint64_t bytes) override;
  void shrink(std::uint64_t bytes) noexcept override;
  void time(Transfer kind, std::uint64_t bytes, const std::function<void()>& transfer) override;

  /// Bytes in scratch files.
  std::uint64_t stored_bytes() const;

  /// Counts the memory of the run's list of blocks. Call at most once.
  void hold_index(std::uint64_t bytes);
  /// Memory of the lists of all runs that are complete.
  std::uint64_t index_of_runs() const;

  /// Seconds so far in which at least one thread was writing. Precondition: none is.
  double write_seconds() const;

 private:
  class WriteInProgress;

  std::shared_ptr<StoreUsage> store_;
  Observer& observer_;
  std::uint64_t memory_reserved_;
  std::uint64_t scratch_bytes_ = 0;  // guarded by store_->mutex
  std::uint64_t index_bytes_ = 0;    // guarded by store_->mutex
  mutable std::mutex writes_mutex_;
  unsigned writes_ = 0;  // writes in progress
  std::chrono::steady_clock::time_point first_write_;
  std::chrono::steady_clock::duration write_time_{};
};

/// Runs of an earlier attempt.
struct TakenRuns {
  std::vector<Run> runs;  ///< in the order of the input
  RecordTotals dropped;   ///< duplicates dropped on the way into them
};

class RunLocation {
 public:
  virtual ~RunLocation() = default;

  /// Room for one run.
  struct Room {
    RunIdentity identity;
    std::shared_ptr<RunStorage> storage;
    std::shared_ptr<RunUsage> usage;
    std::span<std::byte> pinned;  ///< pinned memory for the whole run, if there is some
  };

  /// Reports that the next run will have at most `bytes`. Its memory may be prepared from now on.
  virtual void expect(std::uint64_t bytes) = 0;

  /// Reports that no run will be made of the input any more: what was prepared for one is given back.
  virtual void expect_no_more() = 0;

  /// Makes room for a run of at most `bytes` of records. Thread-safe.
  virtual Room make_room(std::uint64_t bytes) = 0;

  /// Opens what an earlier attempt has left here. Throws Error if it is damaged or does not fit `order`.
  virtual TakenRuns take_over(const RecordOrder& order) = 0;
};

// Runs that outlive the attempt: files in a checkpoint's directory. Made by the run store.

class KeptRuns final : public RunLocation {
 public:
  /// References must outlive this. Precondition: there is a checkpoint.
  KeptRuns(const RunStoreOptions& options, std::shared_ptr<StoreUsage> usage, Observer& observer)
      : checkpoint_(*options.checkpoint),
        open_files_(std::make_shared<OpenRunFiles>(options.most_files)),
        around_cache_(options.around_cache),
        usage_(std::move(usage)),
        observer_(observer) {}

  /// Prepares nothing: no run will be in memory.
  void expect(std::uint64_t) override {}
  void expect_no_more() override {}
  Room make_room(std::uint64_t bytes) override;

  /// Checks header and index of every run against each other, the manifest and `order`. Blocks are checked when they
  /// are read. Throws Error that names the directory if anything does not fit.
  TakenRuns take_over(const RecordOrder& order) override;

 private:
  Run open_run(const KeptRun& kept, const RecordOrder& order);

  Checkpoint& checkpoint_;
  std::shared_ptr<OpenRunFiles> open_files_;
  bool around_cache_;
  std::shared_ptr<StoreUsage> usage_;
  Observer& observer_;
};

// Runs of one attempt: in RAM while the budget allows, then in unnamed scratch files. Each run gets a file of its own
// while descriptors allow; after that runs share the existing ones, because a file without a name cannot be closed and
// opened again. Made by the run store.

class ScratchRuns final : public RunLocation {
 public:
  /// With `pin`, runs in RAM are pinned, each while the one before is stored. References must outlive this.
  ScratchRuns(ScratchSpace& scratch, const RunStoreOptions& options, std::shared_ptr<StoreUsage> usage,
              Observer& observer, MemoryPinner pin);

  void expect(std::uint64_t bytes) override;
  void expect_no_more() override;
  Room make_room(std::uint64_t bytes) override;
  TakenRuns take_over(const RecordOrder&) override { return {}; }

 private:
  std::unique_ptr<RunMemory> take_memory(std::uint64_t bytes);
  void prepare_next(std::uint64_t bytes);
  bool memory_fits(std::uint64_t bytes) const;

  // Not assigned to while it holds something: the writer must go before its file.
  struct NewFile {
    std::shared_ptr<ScratchFile> file;
    std::unique_ptr<ParallelWriter> writer;  // null if the space is not prepared, or the file holds runs already
  };
  std::uint64_t bytes_to_come() const;
  NewFile next_file(std::uint64_t bytes);
  NewFile make_file(std::uint64_t bytes);
  void prepare_next_file(std::uint64_t bytes);

  ScratchSpace& scratch_;
  RunStoreOptions options_;
  std::shared_ptr<StoreUsage> usage_;
  Observer& observer_;
  MemoryPinner pin_;
  std::uint64_t job_id_;
  std::atomic<std::uint64_t> next_run_{0};
  std::uint64_t begun_bytes_ = 0;           // length of all runs begun; guarded by usage_->mutex
  std::unique_ptr<RunMemory> next_memory_;  // being pinned for the next run; guarded by usage_->mutex
  std::mutex files_mutex_;
  std::vector<std::weak_ptr<ScratchFile>> files_;
  std::optional<NewFile> ready_file_;  // for the next run; guarded by files_mutex_
};

}  // namespace sortie

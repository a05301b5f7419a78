// Where the runs of a store are kept, and how much memory and scratch space they take. ScratchRuns keeps runs in memory
// and in scratch files, KeptRuns in the directory of a checkpoint. A run store has one location and makes every run in
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
  std::uint64_t most_block_bytes = 0;            ///< limit to which block_bytes may grow with the index; 0: no growth
  std::uint64_t index_step_bytes = 0;            ///< block_bytes doubles each time the index has grown by so much
  std::optional<std::string> program = {};       ///< program that compresses run files
  std::uint64_t most_files = ~std::uint64_t{0};  ///< run files open at once
  bool around_cache = false;                     ///< run files are written around the system's cache: see File
  bool prepares_files = false;                   ///< run files lie in memory and are not compressed: see ScratchRuns
  bool stores_output_bytes = false;              ///< the index has the length of each block's records in the output
  std::uint64_t options_hash = 0;                ///< see RunHeader
};

/// Memory and scratch space of all runs of a store.
struct StoreUsage {
  std::mutex mutex;
  std::uint64_t memory_reserved = 0;
  std::uint64_t scratch_bytes = 0;
  std::uint64_t index_bytes = 0;  ///< index of the blocks of complete runs
};

/// Memory and scratch space of one run, and the time of its transfers. They count for the store until this is
/// destroyed.
class RunUsage final : public RunMeter {
 public:
  /// `memory_reserved`: memory of the run, which StoreUsage has counted already.
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
  /// Memory of the lists of blocks of all complete runs.
  std::uint64_t index_of_runs() const;

  /// Seconds in which at least one thread was writing. Precondition: no thread is.
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

/// Runs that an earlier attempt has left.
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

  /// Announces a run of at most `bytes`: its memory or file may be prepared from now on.
  virtual void expect(std::uint64_t bytes) = 0;

  /// Announces that no more runs will be formed: what was prepared for one is given back.
  virtual void expect_no_more() = 0;

  /// Makes room for a run of at most `bytes` of records. Thread-safe.
  virtual Room make_room(std::uint64_t bytes) = 0;

  /// Opens the runs that an earlier attempt has left here. Throws Error if they are damaged or not in `order`.
  virtual TakenRuns take_over(const RecordOrder& order) = 0;
};

/// Runs that outlive the attempt: files in a checkpoint's directory.
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

  /// Compares header and index of every run with each other, with the manifest and with `order`. Blocks are checked
  /// when they are read. Throws Error, which names the directory, if something does not fit.
  TakenRuns take_over(const RecordOrder& order) override;

 private:
  Run open_run(const KeptRun& kept, const RecordOrder& order);

  Checkpoint& checkpoint_;
  std::shared_ptr<OpenRunFiles> open_files_;
  bool around_cache_;
  std::shared_ptr<StoreUsage> usage_;
  Observer& observer_;
};

/// Runs of one attempt: in RAM while the budget allows, then in unnamed scratch files. Each run gets a file of its own
/// while descriptors allow. After that runs share the existing ones, because a file without a name cannot be closed and
/// opened again.
class ScratchRuns final : public RunLocation {
 public:
  /// `pin`: pins the memory of a run in RAM, while the run before is stored; may be empty. References must outlive
  /// this.
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

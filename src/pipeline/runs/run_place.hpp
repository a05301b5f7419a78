// Where the runs of a store go, and how much memory and scratch space they take there. ScratchRuns keeps runs in memory
// and in scratch files, KeptRuns in the directory of a checkpoint. A run store has one place, and makes every run in
// it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "observe/observer.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"
#include "run/run.hpp"

namespace sortie {

/// What all runs of a store take together.
struct StoreUsage {
  std::mutex mutex;
  std::uint64_t memory_reserved = 0;
  std::uint64_t scratch_bytes = 0;
  std::uint64_t scratch_peak_bytes = 0;
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

class RunPlace {
 public:
  virtual ~RunPlace() = default;

  /// Room for one run.
  struct Room {
    RunIdentity identity;
    std::shared_ptr<RunStorage> storage;
    std::shared_ptr<RunUsage> usage;
    std::span<std::byte> home;  ///< pinned memory for the whole run, if there is some
  };

  /// Tells that the next run will have at most `bytes`. Its memory may be prepared from now on.
  virtual void expect(std::uint64_t bytes) = 0;

  /// Makes room for a run of at most `bytes` of records. Thread-safe.
  virtual Room make_room(std::uint64_t bytes) = 0;

  /// Opens what an earlier attempt has left here. Throws Error if it is damaged or does not fit `order`.
  virtual TakenRuns take_over(const RecordOrder& order) = 0;
};

}  // namespace sortie

// Run storage that keeps count of the store's usage, and of the time that scratch files take.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "observe/observer.hpp"
#include "pipeline/runs/run_store.hpp"
#include "run/run.hpp"

namespace sortie {

class MeteredStorage : public RunStorage {
 public:
  /// Gives `memory_reserved` back to the usage when it is destroyed.
  MeteredStorage(std::unique_ptr<RunStorage> storage, std::shared_ptr<RunStoreUsage> usage,
                 std::uint64_t memory_reserved, Observer& observer);
  ~MeteredStorage() override;

  std::uint64_t reserve(std::uint64_t bytes) override;
  void write(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void read(std::uint64_t offset, std::span<std::byte> target) const override;
  std::span<const std::byte> view(std::uint64_t offset, std::uint64_t bytes) const override {
    return storage_->view(offset, bytes);
  }
  bool view_is_intact() const override { return storage_->view_is_intact(); }
  std::span<std::byte> pinned_memory() const override { return storage_->pinned_memory(); }
  void release(std::uint64_t offset, std::uint64_t bytes) noexcept override;
  bool in_memory() const override { return storage_->in_memory(); }
  bool gives_back() const override { return storage_->gives_back(); }
  void settle() override;
  std::string name() const override { return storage_->name(); }
  std::string remedy() const override { return storage_->remedy(); }

  /// Counts `bytes` that were in the storage before it was metered.
  void count_stored(std::uint64_t bytes);

  /// Bytes in scratch files.
  std::uint64_t stored_bytes() const;

  /// Counts the memory of a run's list of blocks for as long as the run exists. Call at most once.
  void hold_index(std::uint64_t bytes);

  /// Seconds so far in which at least one thread was writing. Precondition: none is.
  double write_seconds() const;

 private:
  class WriteInProgress {
   public:
    explicit WriteInProgress(MeteredStorage& storage);
    ~WriteInProgress();
    WriteInProgress(const WriteInProgress&) = delete;
    WriteInProgress& operator=(const WriteInProgress&) = delete;

   private:
    MeteredStorage& storage_;
  };

  std::unique_ptr<RunStorage> storage_;
  std::shared_ptr<RunStoreUsage> usage_;
  std::uint64_t memory_reserved_;
  Observer& observer_;
  std::uint64_t scratch_bytes_ = 0;  // guarded by usage_->mutex
  std::uint64_t index_bytes_ = 0;    // guarded by usage_->mutex
  mutable std::mutex writes_mutex_;
  unsigned writes_ = 0;  // writes in progress
  std::chrono::steady_clock::time_point first_write_;
  std::chrono::steady_clock::duration write_time_{};
};

}  // namespace sortie

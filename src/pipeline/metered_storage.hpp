// Run storage that keeps the books: the store's usage, and the time that writing takes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "pipeline/run_store.hpp"
#include "run/run.hpp"

namespace sortie {

class MeteredStorage : public RunStorage {
 public:
  /// Gives `memory_reserved` back to the usage when it is destroyed.
  MeteredStorage(std::unique_ptr<RunStorage> storage, std::shared_ptr<RunStoreUsage> usage,
                 std::uint64_t memory_reserved);
  ~MeteredStorage() override;

  std::uint64_t reserve(std::uint64_t bytes) override;
  void write(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void read(std::uint64_t offset, std::span<std::byte> target) const override;
  void release(std::uint64_t offset, std::uint64_t bytes) noexcept override;
  bool in_memory() const override { return storage_->in_memory(); }
  std::string name() const override { return storage_->name(); }

  /// Seconds spent writing so far, summed over threads.
  double write_seconds() const { return static_cast<double>(write_nanoseconds_) * 1e-9; }

 private:
  std::unique_ptr<RunStorage> storage_;
  std::shared_ptr<RunStoreUsage> usage_;
  std::uint64_t memory_reserved_;
  std::uint64_t scratch_bytes_ = 0;  // guarded by usage_->mutex
  std::atomic<std::uint64_t> write_nanoseconds_{0};
};

}  // namespace sortie

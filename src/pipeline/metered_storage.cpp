#include "pipeline/metered_storage.hpp"

#include <algorithm>
#include <chrono>

namespace sortie {

MeteredStorage::MeteredStorage(std::unique_ptr<RunStorage> storage, std::shared_ptr<RunStoreUsage> usage,
                               std::uint64_t memory_reserved)
    : storage_(std::move(storage)), usage_(std::move(usage)), memory_reserved_(memory_reserved) {}

MeteredStorage::~MeteredStorage() {
  const std::scoped_lock lock(usage_->mutex);
  usage_->memory_reserved -= memory_reserved_;
  usage_->scratch_bytes -= scratch_bytes_;
}

std::uint64_t MeteredStorage::reserve(std::uint64_t bytes) {
  if (!in_memory()) {
    const std::scoped_lock lock(usage_->mutex);
    scratch_bytes_ += bytes;
    usage_->scratch_bytes += bytes;
    usage_->scratch_peak_bytes = std::max(usage_->scratch_peak_bytes, usage_->scratch_bytes);
  }
  return storage_->reserve(bytes);
}

void MeteredStorage::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  const auto begin = std::chrono::steady_clock::now();
  storage_->write(offset, bytes);
  const auto elapsed = std::chrono::steady_clock::now() - begin;
  write_nanoseconds_ +=
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count());
}

void MeteredStorage::read(std::uint64_t offset, std::span<std::byte> target) const { storage_->read(offset, target); }

void MeteredStorage::release(std::uint64_t offset, std::uint64_t bytes) noexcept {
  storage_->release(offset, bytes);
  if (in_memory()) return;
  const std::scoped_lock lock(usage_->mutex);
  const std::uint64_t freed = std::min(bytes, scratch_bytes_);
  scratch_bytes_ -= freed;
  usage_->scratch_bytes -= freed;
}

}  // namespace sortie

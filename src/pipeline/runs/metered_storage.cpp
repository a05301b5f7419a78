#include "pipeline/runs/metered_storage.hpp"

#include <algorithm>

namespace sortie {

MeteredStorage::MeteredStorage(std::unique_ptr<RunStorage> storage, std::shared_ptr<RunStoreUsage> usage,
                               std::uint64_t memory_reserved, Observer& observer)
    : storage_(std::move(storage)), usage_(std::move(usage)), memory_reserved_(memory_reserved), observer_(observer) {}

MeteredStorage::~MeteredStorage() {
  const std::scoped_lock lock(usage_->mutex);
  usage_->memory_reserved -= memory_reserved_;
  usage_->scratch_bytes -= scratch_bytes_;
  usage_->index_bytes -= index_bytes_;
}

void MeteredStorage::hold_index(std::uint64_t bytes) {
  const std::scoped_lock lock(usage_->mutex);
  index_bytes_ = bytes;
  usage_->index_bytes += bytes;
}

std::uint64_t MeteredStorage::reserve(std::uint64_t bytes) {
  if (!in_memory()) count_stored(bytes);
  return storage_->reserve(bytes);
}

void MeteredStorage::count_stored(std::uint64_t bytes) {
  const std::scoped_lock lock(usage_->mutex);
  scratch_bytes_ += bytes;
  usage_->scratch_bytes += bytes;
  usage_->scratch_peak_bytes = std::max(usage_->scratch_peak_bytes, usage_->scratch_bytes);
}

std::uint64_t MeteredStorage::stored_bytes() const {
  const std::scoped_lock lock(usage_->mutex);
  return scratch_bytes_;
}

void MeteredStorage::settle() {
  const auto span = observer_.span("sync run");
  storage_->settle();
}

void MeteredStorage::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (in_memory()) return storage_->write(offset, bytes);
  const auto span = observer_.span("write run", bytes.size());
  const WriteInProgress in_progress(*this);
  storage_->write(offset, bytes);
}

double MeteredStorage::write_seconds() const {
  const std::scoped_lock lock(writes_mutex_);
  return std::chrono::duration<double>(write_time_).count();
}

MeteredStorage::WriteInProgress::WriteInProgress(MeteredStorage& storage) : storage_(storage) {
  const std::scoped_lock lock(storage_.writes_mutex_);
  if (storage_.writes_++ == 0) storage_.first_write_ = std::chrono::steady_clock::now();
}

MeteredStorage::WriteInProgress::~WriteInProgress() {
  const std::scoped_lock lock(storage_.writes_mutex_);
  if (--storage_.writes_ == 0) storage_.write_time_ += std::chrono::steady_clock::now() - storage_.first_write_;
}

void MeteredStorage::read(std::uint64_t offset, std::span<std::byte> target) const {
  if (in_memory()) return storage_->read(offset, target);
  const auto span = observer_.span("read run", target.size());
  storage_->read(offset, target);
}

void MeteredStorage::release(std::uint64_t offset, std::uint64_t bytes) noexcept {
  storage_->release(offset, bytes);
  if (in_memory() || !gives_back()) return;
  const std::scoped_lock lock(usage_->mutex);
  const std::uint64_t freed = std::min(bytes, scratch_bytes_);
  scratch_bytes_ -= freed;
  usage_->scratch_bytes -= freed;
}

}  // namespace sortie

#include "pipeline/runs/run_place.hpp"

#include <algorithm>
#include <utility>

namespace sortie {

RunUsage::RunUsage(std::shared_ptr<StoreUsage> store, Observer& observer, std::uint64_t memory_reserved)
    : store_(std::move(store)), observer_(observer), memory_reserved_(memory_reserved) {}

RunUsage::~RunUsage() {
  const std::scoped_lock lock(store_->mutex);
  store_->memory_reserved -= memory_reserved_;
  store_->scratch_bytes -= scratch_bytes_;
  store_->index_bytes -= index_bytes_;
}

void RunUsage::hold_index(std::uint64_t bytes) {
  const std::scoped_lock lock(store_->mutex);
  index_bytes_ = bytes;
  store_->index_bytes += bytes;
}

void RunUsage::grow(std::uint64_t bytes) {
  const std::scoped_lock lock(store_->mutex);
  scratch_bytes_ += bytes;
  store_->scratch_bytes += bytes;
  store_->scratch_peak_bytes = std::max(store_->scratch_peak_bytes, store_->scratch_bytes);
}

void RunUsage::shrink(std::uint64_t bytes) noexcept {
  const std::scoped_lock lock(store_->mutex);
  const std::uint64_t freed = std::min(bytes, scratch_bytes_);
  scratch_bytes_ -= freed;
  store_->scratch_bytes -= freed;
}

std::uint64_t RunUsage::stored_bytes() const {
  const std::scoped_lock lock(store_->mutex);
  return scratch_bytes_;
}

class RunUsage::WriteInProgress {
 public:
  explicit WriteInProgress(RunUsage& usage) : usage_(usage) {
    const std::scoped_lock lock(usage_.writes_mutex_);
    if (usage_.writes_++ == 0) usage_.first_write_ = std::chrono::steady_clock::now();
  }
  ~WriteInProgress() {
    const std::scoped_lock lock(usage_.writes_mutex_);
    if (--usage_.writes_ == 0) usage_.write_time_ += std::chrono::steady_clock::now() - usage_.first_write_;
  }
  WriteInProgress(const WriteInProgress&) = delete;
  WriteInProgress& operator=(const WriteInProgress&) = delete;

 private:
  RunUsage& usage_;
};

void RunUsage::time(Transfer kind, std::uint64_t bytes, const std::function<void()>& transfer) {
  if (kind == Transfer::kWrite) {
    const auto span = observer_.span("write run", bytes);
    const WriteInProgress in_progress(*this);
    transfer();
  } else {
    const auto span = observer_.span(kind == Transfer::kRead ? "read run" : "sync run", bytes);
    transfer();
  }
}

double RunUsage::write_seconds() const {
  const std::scoped_lock lock(writes_mutex_);
  return std::chrono::duration<double>(write_time_).count();
}

}  // namespace sortie

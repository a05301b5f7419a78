#include "pipeline/join/record_queue.hpp"

#include <algorithm>
#include <utility>

#include <sortie/error.hpp>

namespace sortie {
namespace {

/// One stretch of this length waits however little may, so that both threads work at the same time.
constexpr std::size_t kUsualStretch = 1 << 20;

}  // namespace

void RecordQueue::give(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (most_bytes_ == 0 || bytes.size() > std::max(most_bytes_, kUsualStretch)) return lend(bytes);
  Stretch stretch;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_closed_ || waiting_.empty() || waiting_bytes_ + bytes.size() <= most_bytes_; });
    if (is_closed_) throw Stopped("nothing takes what was sorted");
    if (!spare_.empty()) {
      stretch.copy = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  stretch.copy.assign(bytes.begin(), bytes.end());
  const std::scoped_lock lock(mutex_);
  waiting_bytes_ += bytes.size();
  waiting_.push_back(std::move(stretch));
  changed_.notify_all();
}

void RecordQueue::lend(std::span<const std::byte> bytes) {
  std::unique_lock lock(mutex_);
  if (is_closed_) throw Stopped("nothing takes what was sorted");
  waiting_.push_back({{}, bytes});
  ++lent_count_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return is_closed_ || lent_count_ == 0; });
  if (is_closed_) throw Stopped("nothing takes what was sorted");
}

void RecordQueue::give_empty() {
  const std::scoped_lock lock(mutex_);
  waiting_.emplace_back();
  changed_.notify_all();
}

void RecordQueue::end(std::exception_ptr failure) {
  const std::scoped_lock lock(mutex_);
  if (std::exchange(has_ended_, true)) return;
  failure_ = std::move(failure);
  changed_.notify_all();
}

std::span<const std::byte> RecordQueue::take() {
  std::unique_lock lock(mutex_);
  if (taken_.copy.capacity() > 0) spare_.push_back(std::move(taken_.copy));
  if (!taken_.lent.empty()) {
    --lent_count_;
    changed_.notify_all();
  }
  taken_ = {};
  changed_.wait(lock, [this] { return !waiting_.empty() || has_ended_; });
  if (failure_) std::rethrow_exception(failure_);
  if (waiting_.empty()) return {};
  taken_ = std::move(waiting_.front());
  waiting_.pop_front();
  waiting_bytes_ -= taken_.copy.size();
  changed_.notify_all();
  return taken_.bytes();
}

void RecordQueue::throw_if_failed() {
  const std::scoped_lock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

void RecordQueue::close() {
  const std::scoped_lock lock(mutex_);
  is_closed_ = true;
  changed_.notify_all();
}

}  // namespace sortie

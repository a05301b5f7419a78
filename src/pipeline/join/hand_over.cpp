#include "pipeline/join/hand_over.hpp"

#include <utility>

#include <sortie/error.hpp>

namespace sortie {

void HandOver::give(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  Stretch stretch;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_closed_ || waiting_.empty() || waiting_bytes_ + bytes.size() <= most_bytes_; });
    if (is_closed_) throw Stopped("nothing takes what was sorted");
    if (!spare_.empty()) {
      stretch = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  stretch.assign(bytes.begin(), bytes.end());
  const std::scoped_lock lock(mutex_);
  waiting_bytes_ += stretch.size();
  waiting_.push_back(std::move(stretch));
  changed_.notify_all();
}

void HandOver::end(std::exception_ptr failure) {
  const std::scoped_lock lock(mutex_);
  has_ended_ = true;
  failure_ = std::move(failure);
  changed_.notify_all();
}

std::span<const std::byte> HandOver::take() {
  std::unique_lock lock(mutex_);
  if (taken_.capacity() <= most_bytes_) spare_.push_back(std::move(taken_));
  taken_ = {};
  changed_.wait(lock, [this] { return !waiting_.empty() || has_ended_; });
  if (failure_) std::rethrow_exception(failure_);
  if (waiting_.empty()) return {};
  taken_ = std::move(waiting_.front());
  waiting_.pop_front();
  waiting_bytes_ -= taken_.size();
  changed_.notify_all();
  return taken_;
}

void HandOver::close() {
  const std::scoped_lock lock(mutex_);
  is_closed_ = true;
  changed_.notify_all();
}

}  // namespace sortie

#include "io/output/space_preparer.hpp"

#include <algorithm>

namespace sortie {
namespace {

/// Bytes that one call prepares: the file is locked meanwhile.
constexpr std::uint64_t kStrideBytes = 32 << 20;

}  // namespace

SpacePreparer::~SpacePreparer() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void SpacePreparer::extend_to(std::uint64_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    if (bytes <= wanted_bytes_) return;
    wanted_bytes_ = bytes;
    if (!thread_.joinable()) thread_ = std::thread([this] { prepare_all(); });
  }
  changed_.notify_all();
}

bool SpacePreparer::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return has_failed_ || prepared_bytes_ >= wanted_bytes_; });
  return !has_failed_;
}

void SpacePreparer::prepare_all() {
  std::unique_lock lock(mutex_);
  while (!has_failed_) {
    changed_.wait(lock, [this] { return is_stopping_ || prepared_bytes_ < wanted_bytes_; });
    if (is_stopping_) return;
    const std::uint64_t begin = prepared_bytes_;
    const std::uint64_t bytes = std::min(kStrideBytes, wanted_bytes_ - begin);
    lock.unlock();
    const bool is_prepared = file_.prepare_space(begin, bytes);
    lock.lock();
    if (is_prepared) {
      prepared_bytes_ = begin + bytes;
    } else {
      has_failed_ = true;
    }
    changed_.notify_all();
  }
}

}  // namespace sortie

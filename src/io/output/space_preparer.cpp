#include "io/output/space_preparer.hpp"

#include <algorithm>
#include <utility>

namespace sortie {
namespace {

/// Bytes that one call prepares: the file is locked meanwhile.
constexpr std::uint64_t kStrideBytes = 32 << 20;

}  // namespace

void SpacePreparer::extend_to(std::uint64_t bytes) {
  if (bytes <= wanted_bytes_) return;
  const std::uint64_t begin = std::exchange(wanted_bytes_, bytes);
  prepared_ = thread_.post_outside_team([this, begin, bytes] { prepare(begin, bytes); });
}

bool SpacePreparer::wait() {
  if (prepared_.valid()) prepared_.wait();
  return !has_failed_;
}

void SpacePreparer::prepare(std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t at = begin; at < end && !has_failed_ && !is_stopping_; at += kStrideBytes) {
    has_failed_ = !file_.prepare_space(at, std::min(kStrideBytes, end - at));
  }
}

}  // namespace sortie

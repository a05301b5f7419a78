#include "base/parallel_copy.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cassert>
#include <cstring>

namespace sortie {
namespace {

/// Bytes that one task copies: many compared with the cost of a task, few compared with a piece.
constexpr std::size_t kCopiedBytes = 1 << 20;

}  // namespace

void copy_in_parallel(std::span<std::byte> target, std::span<const std::byte> source) {
  assert(target.size() >= source.size());
  if (source.empty()) return;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, source.size(), kCopiedBytes), [&](const auto& slice) {
    std::memcpy(target.data() + slice.begin(), source.data() + slice.begin(), slice.size());
  });
}

}  // namespace sortie

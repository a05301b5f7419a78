#include "base/parallel_copy.hpp"

#include <cassert>
#include <cstring>

#include "base/parallel.hpp"

namespace sortie {
namespace {

/// Bytes that one task copies: many compared with the cost of a task, few compared with a piece.
constexpr std::size_t kCopiedBytes = 1 << 20;

}  // namespace

void copy_in_parallel(std::span<std::byte> target, std::span<const std::byte> source) {
  assert(target.size() >= source.size());
  if (source.empty()) return;
  parallel_for_ranges(0, source.size(), kCopiedBytes, [&](std::size_t begin, std::size_t end) {
    std::memcpy(target.data() + begin, source.data() + begin, end - begin);
  });
}

}  // namespace sortie

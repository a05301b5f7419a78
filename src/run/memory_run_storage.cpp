#include "run/memory_run_storage.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <iterator>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "base/size.hpp"

namespace sortie {
namespace {

/// Segments grow with the run, so that neither their number nor the address space left over at their
/// ends matters.
constexpr std::uint64_t kSmallestSegmentBytes = 2 << 20;
constexpr std::uint64_t kLargestSegmentBytes = 256 << 20;

}  // namespace

std::uint64_t MemoryRunStorage::reserve(std::uint64_t bytes) {
  const std::uint64_t end = segments_.empty() ? 0 : segments_.back().begin + segments_.back().memory.size();
  if (segments_.empty() || segments_.back().memory.size() - segments_.back().used < bytes) {
    const std::uint64_t usual = std::clamp(end / 4, kSmallestSegmentBytes, kLargestSegmentBytes);
    segments_.push_back({end, 0, MemoryRegion(static_cast<std::size_t>(std::max(usual, bytes)))});
  }
  Segment& segment = segments_.back();
  return segment.begin + std::exchange(segment.used, segment.used + bytes);
}

void MemoryRunStorage::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!bytes.empty()) std::memcpy(address(offset, bytes.size()), bytes.data(), bytes.size());
}

void MemoryRunStorage::read(std::uint64_t offset, std::span<std::byte> target) const {
  if (!target.empty()) std::memcpy(target.data(), address(offset, target.size()), target.size());
}

void MemoryRunStorage::release(std::uint64_t offset, std::uint64_t bytes) noexcept {
  if (bytes == 0) return;
  // Whole pages only: the ones at the ends may hold neighbours' bytes.
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(address(offset, bytes));
  const std::uint64_t first = round_up(begin, page);
  const std::uint64_t last = round_down(begin + bytes, page);
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

std::byte* MemoryRunStorage::address(std::uint64_t offset, [[maybe_unused]] std::uint64_t bytes) const {
  const auto after =
      std::upper_bound(segments_.begin(), segments_.end(), offset,
                       [](std::uint64_t value, const Segment& segment) { return value < segment.begin; });
  assert(after != segments_.begin());
  const Segment& segment = *std::prev(after);
  assert(offset - segment.begin + bytes <= segment.used);
  return segment.memory.data() + (offset - segment.begin);
}

}  // namespace sortie

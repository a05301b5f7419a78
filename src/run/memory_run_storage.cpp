#include "run/memory_run_storage.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <iterator>
#include <utility>

namespace sortie {
namespace {

/// Segments grow with the run, so that neither their number nor the address space left over at their
/// ends matters.
constexpr std::uint64_t kSmallestSegmentBytes = 2 << 20;
constexpr std::uint64_t kLargestSegmentBytes = 256 << 20;

}  // namespace

MemoryRunStorage::MemoryRunStorage(std::unique_ptr<RunMemory> memory) {
  memory->wait_until_ready();
  segments_.push_back({0, 0, std::move(memory)});
}

std::uint64_t MemoryRunStorage::reserve(std::uint64_t bytes) {
  const std::uint64_t end = segments_.empty() ? 0 : segments_.back().begin + segments_.back().memory->size();
  if (segments_.empty() || segments_.back().memory->size() - segments_.back().used < bytes) {
    const std::uint64_t usual = std::clamp(end / 4, kSmallestSegmentBytes, kLargestSegmentBytes);
    segments_.push_back({end, 0, std::make_unique<RunMemory>(static_cast<std::size_t>(std::max(usual, bytes)))});
  }
  Segment& segment = segments_.back();
  return segment.begin + std::exchange(segment.used, segment.used + bytes);
}

void MemoryRunStorage::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  std::byte* const target = address(offset, bytes.size());
  if (target != bytes.data()) std::memcpy(target, bytes.data(), bytes.size());
}

void MemoryRunStorage::read(std::uint64_t offset, std::span<std::byte> target) const {
  if (!target.empty()) std::memcpy(target.data(), address(offset, target.size()), target.size());
}

std::span<const std::byte> MemoryRunStorage::view(std::uint64_t offset, std::uint64_t bytes) const {
  if (bytes == 0) return {};
  const Segment& segment = segment_of(offset);
  if (offset - segment.begin + bytes > segment.used) return {};
  return {segment.memory->data() + (offset - segment.begin), static_cast<std::size_t>(bytes)};
}

std::span<std::byte> MemoryRunStorage::pinned_memory() const {
  if (segments_.empty() || !segments_.front().memory->is_pinned()) return {};
  const RunMemory& memory = *segments_.front().memory;
  return {memory.data(), memory.size()};
}

void MemoryRunStorage::release(std::uint64_t offset, std::uint64_t bytes) noexcept {
  if (bytes == 0) return;
  const Segment& segment = segment_of(offset);
  segment.memory->release(static_cast<std::size_t>(offset - segment.begin), static_cast<std::size_t>(bytes));
}

const MemoryRunStorage::Segment& MemoryRunStorage::segment_of(std::uint64_t offset) const {
  const auto after =
      std::upper_bound(segments_.begin(), segments_.end(), offset,
                       [](std::uint64_t value, const Segment& segment) { return value < segment.begin; });
  assert(after != segments_.begin());
  return *std::prev(after);
}

std::byte* MemoryRunStorage::address(std::uint64_t offset, [[maybe_unused]] std::uint64_t bytes) const {
  const Segment& segment = segment_of(offset);
  assert(offset - segment.begin + bytes <= segment.used);
  return segment.memory->data() + (offset - segment.begin);
}

}  // namespace sortie

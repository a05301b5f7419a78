#include "run/run_memory.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "base/bytes.hpp"
#include "base/memory_region.hpp"
#include "base/size.hpp"

namespace sortie {
namespace {

/// Whole pages only: the ones at the ends may hold neighbours' bytes.
void give_pages_back(std::span<std::byte> memory) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::uint64_t first = round_up(begin, kPageBytes);
  const std::uint64_t last = round_down(begin + memory.size(), kPageBytes);
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace

RunMemory::RunMemory(std::size_t bytes, const MemoryPinner& pin) : region_(bytes) {
  if (!pin || bytes == 0) return;
  const std::size_t strides = divide_up(stride_phase() + bytes, kPinStrideBytes);
  pins_.resize(strides);
  released_bytes_ = std::vector<std::atomic<std::size_t>>(strides);
  prepared_ = preparer_.post([this, pin] { prepare(pin); });
}

std::span<std::byte> RunMemory::wait_until_ready() {
  if (prepared_.valid()) prepared_.wait();
  return region_.bytes();
}

// If a stride cannot be pinned or touched, the memory from there on stays as it is: it works as well, and whoever uses
// the device next meets the reason.
void RunMemory::prepare(const MemoryPinner& pin) {
  for (std::size_t i = 0; i < pins_.size() && !is_stopping_; ++i) {
    touch_pages_in_parallel(stride(i));
    pins_[i] = pin(stride(i));
    if (!pins_[i]) return;
  }
}

std::size_t RunMemory::stride_phase() const {
  return reinterpret_cast<std::uintptr_t>(region_.data()) % kPinStrideBytes;
}

std::span<std::byte> RunMemory::stride(std::size_t index) const {
  const std::size_t begin = std::max(index * kPinStrideBytes, stride_phase());
  const std::size_t end = std::min((index + 1) * kPinStrideBytes, stride_phase() + region_.size());
  return region_.bytes().subspan(begin - stride_phase(), end - begin);
}

void RunMemory::release(std::size_t offset, std::size_t bytes) noexcept {
  if (pins_.empty()) {
    give_pages_back(region_.bytes().subspan(offset, bytes));
    return;
  }
  const std::size_t end = stride_phase() + offset + bytes;
  for (std::size_t at = stride_phase() + offset; at < end;) {
    const std::size_t index = at / kPinStrideBytes;
    const std::size_t stop = std::min(end, (index + 1) * kPinStrideBytes);
    release_in_stride(index, stop - at);
    at = stop;
  }
}

void RunMemory::release_in_stride(std::size_t index, std::size_t bytes) noexcept {
  if (released_bytes_[index].fetch_add(bytes) + bytes < stride(index).size()) return;
  pins_[index].reset();
  give_pages_back(stride(index));
}

}  // namespace sortie

#include "cuda/arrays/host_array_link.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "cuda/arrays/landing_buffers.hpp"
#include "device/copy.hpp"
#include "device/pinned_memory.hpp"

namespace sortie::cuda {
namespace {

constexpr std::uint64_t kPieceBytes = 16 << 20;
constexpr unsigned kPieceCount = 8;

}  // namespace

void HostArrayLink::upload(std::span<const std::byte> source, std::byte* target, const CudaStream& stream) {
  if (is_pinned(source)) {
    copy_to_device(target, source.data(), source.size(), stream);
    return;
  }
  if (!ring_) ring_.emplace(kPieceBytes, kPieceCount, threads_);
  while (!source.empty()) {
    const std::size_t bytes = std::min<std::size_t>(source.size(), kPieceBytes);
    copy_in_parallel(ring_->acquire(), source.first(bytes));
    ring_->submit(target, bytes, stream);
    source = source.subspan(bytes);
    target += bytes;
  }
}

std::span<std::byte> HostArrayLink::landing_memory() {
  if (landing_.size_bytes() == 0) landing_ = PinnedBuffer(LandingBuffers::kCount * kDownloadPieceBytes, threads_);
  return landing_.bytes();
}

std::span<std::uint32_t> HostArrayLink::line_memory(std::uint64_t count) {
  const std::uint64_t bytes = 2 * count * sizeof(std::uint32_t);
  if (lines_.size_bytes() < bytes) lines_ = PinnedBuffer(bytes, 1);
  return {reinterpret_cast<std::uint32_t*>(lines_.data()), 2 * count};
}

}  // namespace sortie::cuda

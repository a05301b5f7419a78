#include "engine/gpu/host_array_link.hpp"

#include <algorithm>

#include "base/parallel_copy.hpp"
#include "device/copy.hpp"
#include "device/pinned_memory.hpp"

namespace sortie::gpu {
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

void HostArrayLink::download(const std::byte* source, std::span<std::byte> target, const CudaStream& stream) {
  if (is_pinned(target)) {
    copy_to_host(target.data(), source, target.size(), stream);
    return;
  }
  if (parts_.size_bytes() == 0) parts_ = PinnedBuffer(2 * kPieceBytes, threads_);
  download_through_ring(source, target, stream);
}

/// While one part is emptied, the other one is filled.
void HostArrayLink::download_through_ring(const std::byte* source, std::span<std::byte> target,
                                          const CudaStream& stream) {
  const auto part = [&](std::size_t begin) {
    return target.subspan(begin, std::min<std::size_t>(kPieceBytes, target.size() - begin));
  };
  const auto pinned = [&](std::size_t begin) {
    return parts_.bytes().subspan(begin / kPieceBytes % 2 * kPieceBytes, part(begin).size());
  };
  const auto fill = [&](std::size_t begin) {
    copy_to_host(pinned(begin).data(), source + begin, part(begin).size(), stream);
    copied_[begin / kPieceBytes % 2].record(stream);
  };
  if (!target.empty()) fill(0);
  for (std::size_t begin = 0; begin < target.size(); begin += kPieceBytes) {
    if (begin + kPieceBytes < target.size()) fill(begin + kPieceBytes);
    copied_[begin / kPieceBytes % 2].synchronize();
    copy_in_parallel(part(begin), pinned(begin));
  }
}

}  // namespace sortie::gpu

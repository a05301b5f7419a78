#include "cuda/arrays/array_download.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <utility>

#include "base/parallel.hpp"
#include "base/size.hpp"
#include "device/copy.hpp"
#include "device/pinned_memory.hpp"
#include "kernels/pack_sorted.hpp"

namespace sortie::cuda {
namespace {

/// Blocks that one task unpacks: many compared with the cost of a task, few compared with a piece.
constexpr std::uint64_t kBlocksOfTask = 64;

void unpack_in_parallel(const kernels::NumberOrder& order, std::span<const std::byte> piece,
                        std::span<std::byte> target) {
  const std::uint64_t count = target.size() / order.bytes;
  const std::uint64_t blocks = divide_up(count, kernels::kPackedBlockCodes);
  parallel_for_ranges(0, blocks, kBlocksOfTask, [&](std::size_t begin, std::size_t end) {
    kernels::unpack_numbers(order, piece.data(), count, begin, end,
                            target.data() + begin * kernels::kPackedBlockCodes * order.bytes);
  });
}

}  // namespace

ArrayDownload::ArrayDownload(const kernels::NumberOrder& order, std::span<std::byte> target, HostArrayLink& link,
                             int device, const CudaStream& stream)
    : order_(order), target_(target), is_pinned_(is_pinned(target)), stream_(stream) {
  if (!is_pinned_ || link.unpacks()) buffers_.emplace(link.landing_memory(), device);
}

void ArrayDownload::send(const DevicePart& part, std::uint64_t count) {
  const std::span<std::byte> target = target_.first(count * order_.bytes);
  target_ = target_.subspan(target.size());
  for (std::uint64_t begin = 0, piece = 0; begin < target.size(); begin += kDownloadPieceBytes, ++piece) {
    const std::uint64_t bytes = std::min<std::uint64_t>(kDownloadPieceBytes, target.size() - begin);
    const std::uint64_t packed_bytes =
        part.packed == nullptr ? kernels::kNotWorthPacking
                               : kernels::packed_piece_bytes(bytes / order_.bytes, order_.bytes, part.lines[piece]);
    if (queued_ - settled_ == kCopiesQueued) settle_oldest();
    queue(part, begin, std::min(packed_bytes, bytes), target.subspan(begin, bytes));
  }
}

void ArrayDownload::queue(const DevicePart& part, std::uint64_t begin, std::uint64_t sent_bytes,
                          std::span<std::byte> target) {
  Copy& copy = copies_[queued_++ % kCopiesQueued];
  const bool is_packed = sent_bytes < target.size();
  copy.target = target;
  if (is_pinned_ && !(is_packed && buffers_ && buffers_->has_free())) {
    copy.way = Way::kStraight;
    copy_to_host(target.data(), part.numbers + begin, target.size(), stream_);
  } else {
    copy.way = is_packed ? Way::kPacked : Way::kThroughBuffer;
    copy.landed = buffers_->take().first(sent_bytes);
    copy_to_host(copy.landed.data(), (is_packed ? part.packed : part.numbers) + begin, copy.landed.size(), stream_);
  }
  copy.done.record(stream_);
}

void ArrayDownload::settle_oldest() {
  const Copy& copy = copies_[settled_++ % kCopiesQueued];
  copy.done.synchronize();
  if (copy.way == Way::kPacked) {
    buffers_->empty(
        [order = order_, landed = copy.landed, target = copy.target] { unpack_in_parallel(order, landed, target); });
  } else if (copy.way == Way::kThroughBuffer) {
    buffers_->empty([landed = copy.landed, target = copy.target] { copy_in_parallel(target, landed); });
  }
}

void ArrayDownload::finish() {
  while (settled_ < queued_) settle_oldest();
  if (buffers_) buffers_->wait();
}

}  // namespace sortie::cuda

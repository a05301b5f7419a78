#include "engine/gpu/array_plan.hpp"

#include <algorithm>

#include "base/size.hpp"
#include "device/arena.hpp"
#include "engine/gpu/device_plan.hpp"
#include "kernels/merge.hpp"
#include "kernels/radix_sort.hpp"

namespace sortie::gpu {
namespace {

constexpr std::uint64_t kChunksOfShare = 16;
constexpr std::uint64_t kLeastChunk = std::uint64_t{1} << 22;

}  // namespace

std::vector<std::uint64_t> array_shares(std::uint64_t count, unsigned devices) {
  std::vector<std::uint64_t> begins;
  for (unsigned d = 0; d <= devices; ++d) {
    begins.push_back(count / devices * d + std::min<std::uint64_t>(count % devices, d));
  }
  return begins;
}

std::uint64_t array_chunk(std::uint64_t count) {
  return std::max(round_up(divide_up(count, kChunksOfShare), kChunkAlignment), kLeastChunk);
}

std::uint64_t array_scratch_bytes(std::uint64_t count, unsigned sequences) {
  return std::max(kernels::radix_sort_scratch_bytes(array_chunk(count)),
                  kernels::merge_scratch_bytes(count, std::max(sequences, 2U)));
}

std::uint64_t array_device_bytes(std::uint64_t count, unsigned number_bytes, unsigned sequences) {
  const std::uint64_t offsets = 3 * kChunksOfShare + sequences + 1;
  return 2 * arena_bytes(count * number_bytes) + arena_bytes(array_scratch_bytes(count, sequences)) +
         arena_bytes(offsets * sizeof(std::uint64_t));
}

}  // namespace sortie::gpu

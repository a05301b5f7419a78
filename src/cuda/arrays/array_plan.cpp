#include "cuda/arrays/array_plan.hpp"

#include <algorithm>

#include "base/size.hpp"
#include "device/device_memory.hpp"
#include "kernels/merge.hpp"
#include "kernels/pack_sorted.hpp"
#include "kernels/radix_sort.hpp"

namespace sortie::cuda {
namespace {

constexpr std::uint64_t kChunksOfShare = 16;
constexpr std::uint64_t kLeastChunk = std::uint64_t{1} << 22;
constexpr std::uint64_t kPartsOfShare = 32;
constexpr std::uint64_t kLeastPart = std::uint64_t{1} << 20;

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

std::uint64_t array_part(std::uint64_t count) {
  return std::max(round_up(divide_up(count, kPartsOfShare), kernels::kPackedBlockCodes), kLeastPart);
}

std::vector<std::uint64_t> array_part_ranks(const std::vector<std::uint64_t>& begins, std::uint64_t part) {
  std::vector<std::uint64_t> ranks;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    for (std::uint64_t rank = begins[i]; rank < begins[i + 1]; rank += part) ranks.push_back(rank);
  }
  ranks.push_back(begins.back());
  return ranks;
}

std::uint64_t array_scratch_bytes(std::uint64_t count, unsigned sequences) {
  return std::max(kernels::radix_sort_scratch_bytes(array_chunk(count)),
                  kernels::merge_scratch_bytes(count, std::max(sequences, 2U)));
}

std::uint64_t array_device_bytes(std::uint64_t count, unsigned number_bytes, unsigned sequences) {
  const std::uint64_t merged_parts = sequences > 1 ? kPartsOfShare : 0;
  const std::uint64_t offsets = 3 * kChunksOfShare + merged_parts * (sequences + 1);
  const std::uint64_t part_arrays = sequences > 1 ? 2 * arena_bytes(array_part(count) * number_bytes) : 0;
  return 2 * arena_bytes(count * number_bytes) + part_arrays + arena_bytes(array_scratch_bytes(count, sequences)) +
         arena_bytes(offsets * sizeof(std::uint64_t));
}

}  // namespace sortie::cuda

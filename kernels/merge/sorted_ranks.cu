#include "kernels/merge.hpp"

#include "kernels/common/launch.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 64;

/// The number of items for which `is_before` holds; they come first.
template <class Key, class IsBefore>
__device__ std::uint64_t partition_point(const Key* sorted, std::uint64_t count, const IsBefore& is_before) {
  std::uint64_t low = 0;
  std::uint64_t high = count;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (is_before(sorted[middle])) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Two threads serve each value, one for each of its ranks.
template <class Key>
__global__ void __launch_bounds__(kThreads)
    find_ranks_kernel(const Key* sorted, std::uint64_t count, const std::uint64_t* values, unsigned value_count,
                      SortedRank* ranks) {
  const unsigned i = (blockIdx.x * kThreads + threadIdx.x) / 2;
  if (i >= value_count) return;
  const std::uint64_t value = values[i];
  if (threadIdx.x % 2 == 0) {
    ranks[i].below = partition_point(sorted, count, [value](Key key) { return key < value; });
  } else {
    ranks[i].not_above = partition_point(sorted, count, [value](Key key) { return key <= value; });
  }
}

template <class Key>
void launch(const Key* sorted, std::uint64_t count, const std::uint64_t* values, unsigned value_count,
            SortedRank* ranks, cudaStream_t stream) {
  if (value_count == 0) return;
  const unsigned grid = grid_of_tiles(divide_up(2 * std::uint64_t{value_count}, kThreads));
  find_ranks_kernel<<<grid, kThreads, 0, stream>>>(sorted, count, values, value_count, ranks);
  check_launch("rank kernel");
}

}  // namespace

void find_ranks(const std::uint32_t* sorted, std::uint64_t count, const std::uint64_t* values, unsigned value_count,
                SortedRank* ranks, cudaStream_t stream) {
  launch(sorted, count, values, value_count, ranks, stream);
}

void find_ranks(const std::uint64_t* sorted, std::uint64_t count, const std::uint64_t* values, unsigned value_count,
                SortedRank* ranks, cudaStream_t stream) {
  launch(sorted, count, values, value_count, ranks, stream);
}

}  // namespace sortie::kernels

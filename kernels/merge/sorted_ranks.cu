#include "kernels/sorted_ranks.hpp"

#include "kernels/common/key_codec.hpp"
#include "kernels/common/lane_codec.hpp"
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
template <class Number, class Codec>
__global__ void __launch_bounds__(kThreads)
    find_ranks_kernel(const Number* sorted, std::uint64_t count, Codec codec, const std::uint64_t* values,
                      unsigned value_count, SortedRank* ranks) {
  const unsigned i = (blockIdx.x * kThreads + threadIdx.x) / 2;
  if (i >= value_count) return;
  const std::uint64_t value = values[i];
  const auto code_of = [codec](Number number) { return static_cast<Number>(codec.encode(number)); };
  if (threadIdx.x % 2 == 0) {
    ranks[i].below = partition_point(sorted, count, [=](Number number) { return code_of(number) < value; });
  } else {
    ranks[i].not_above = partition_point(sorted, count, [=](Number number) { return code_of(number) <= value; });
  }
}

template <class Number, class Codec>
void launch(const void* sorted, std::uint64_t count, const Codec& codec, const std::uint64_t* values,
            unsigned value_count, SortedRank* ranks, cudaStream_t stream) {
  const unsigned grid = grid_of_tiles(divide_up(2 * std::uint64_t{value_count}, kThreads));
  find_ranks_kernel<<<grid, kThreads, 0, stream>>>(static_cast<const Number*>(sorted), count, codec, values,
                                                   value_count, ranks);
  check_launch("rank kernel");
}

}  // namespace

void find_ranks(const NumberOrder& order, const void* sorted, std::uint64_t count, const std::uint64_t* values,
                unsigned value_count, SortedRank* ranks, cudaStream_t stream) {
  if (value_count == 0) return;
  const auto launch_for = [&]<class Number>(Number /*type*/, const auto& codec) {
    launch<Number>(sorted, count, codec, values, value_count, ranks, stream);
  };
  switch (order.bytes) {
    case 1:
      return launch_for(std::uint8_t{}, make_lane_codec(order.kind, order.bytes, order.descending));
    case 2:
      return launch_for(std::uint16_t{}, make_lane_codec(order.kind, order.bytes, order.descending));
    case 4:
      return launch_for(std::uint32_t{}, make_key_codec<std::uint32_t>(order.kind, order.descending));
    default:
      return launch_for(std::uint64_t{}, make_key_codec<std::uint64_t>(order.kind, order.descending));
  }
}

}  // namespace sortie::kernels

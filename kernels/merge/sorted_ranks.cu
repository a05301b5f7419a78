#include "kernels/sorted_ranks.hpp"

#include "base/first_index.hpp"
#include "kernels/common/launch.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 64;

/// Two threads serve each value, one for each of its ranks.
template <class Number, class Code>
__global__ void __launch_bounds__(kThreads)
    find_ranks_kernel(const Number* sorted, std::uint64_t count, RowCodec<Code> codec, const std::uint64_t* values,
                      unsigned value_count, SortedRank* ranks) {
  const unsigned i = (blockIdx.x * kThreads + threadIdx.x) / 2;
  if (i >= value_count) return;
  const std::uint64_t value = values[i];
  const auto code_at = [=](std::uint64_t at) { return codec.encode(sorted[at]); };
  constexpr std::uint64_t kFirst = 0;
  if (threadIdx.x % 2 == 0) {
    ranks[i].below = first_index(kFirst, count, [&](std::uint64_t at) { return code_at(at) >= value; });
  } else {
    ranks[i].not_above = first_index(kFirst, count, [&](std::uint64_t at) { return code_at(at) > value; });
  }
}

template <class Number, class Code>
void launch(const RowOrder& order, const void* sorted, std::uint64_t count, const std::uint64_t* values,
            unsigned value_count, SortedRank* ranks, cudaStream_t stream) {
  const unsigned grid = grid_of_tiles(divide_up(2 * std::uint64_t{value_count}, kThreads));
  find_ranks_kernel<<<grid, kThreads, 0, stream>>>(static_cast<const Number*>(sorted), count,
                                                   make_row_codec<Code>(order, true), values, value_count, ranks);
  check_launch("rank kernel");
}

}  // namespace

void find_ranks(const RowOrder& order, const void* sorted, std::uint64_t count, const std::uint64_t* values,
                unsigned value_count, SortedRank* ranks, cudaStream_t stream) {
  if (value_count == 0) return;
  const auto launch_for = [&]<class Number, class Code>(Number /*number*/, Code /*code*/) {
    launch<Number, Code>(order, sorted, count, values, value_count, ranks, stream);
  };
  switch (order.number.bytes) {
    case 1:
      return launch_for(std::uint8_t{}, std::uint32_t{});
    case 2:
      return launch_for(std::uint16_t{}, std::uint32_t{});
    case 4:
      return launch_for(std::uint32_t{}, std::uint32_t{});
    default:
      return launch_for(std::uint64_t{}, std::uint64_t{});
  }
}

}  // namespace sortie::kernels

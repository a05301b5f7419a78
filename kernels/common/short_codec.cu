#include "kernels/short_codec.hpp"

#include "kernels/common/lane_codec.hpp"
#include "kernels/common/launch.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kLaneThreads = 256;

/// A thread recodes a word. The last word may be in part beyond the numbers: only its first bytes are read and written.
template <bool kEncodes>
__global__ void __launch_bounds__(kLaneThreads)
    recode_lanes_kernel(std::uint32_t* words, std::uint64_t byte_count, LaneCodec codec) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kLaneThreads + threadIdx.x;
  const auto recode = [&](std::uint32_t word) { return kEncodes ? codec.encode(word) : codec.decode(word); };
  if (4 * i + 4 <= byte_count) {
    words[i] = recode(words[i]);
  } else if (4 * i < byte_count) {
    auto* const bytes = reinterpret_cast<unsigned char*>(words + i);
    const auto count = static_cast<unsigned>(byte_count - 4 * i);
    std::uint32_t word = 0;
    for (unsigned k = 0; k < count; ++k) word |= std::uint32_t{bytes[k]} << (8 * k);
    word = recode(word);
    for (unsigned k = 0; k < count; ++k) bytes[k] = static_cast<unsigned char>(word >> (8 * k));
  }
}

template <bool kEncodes>
void recode_short_numbers(const NumberOrder& order, void* numbers, std::uint64_t count, cudaStream_t stream) {
  if (count == 0 || !needs_codec(order)) return;
  const std::uint64_t byte_count = count * order.bytes;
  const unsigned grid = grid_of_tiles(divide_up(byte_count, 4 * kLaneThreads));
  recode_lanes_kernel<kEncodes><<<grid, kLaneThreads, 0, stream>>>(
      static_cast<std::uint32_t*>(numbers), byte_count, make_lane_codec(order.kind, order.bytes, order.descending));
  check_launch("codec kernel of short numbers");
}

}  // namespace

void encode_short_numbers(const NumberOrder& order, void* numbers, std::uint64_t count, cudaStream_t stream) {
  recode_short_numbers<true>(order, numbers, count, stream);
}

void decode_short_numbers(const NumberOrder& order, void* numbers, std::uint64_t count, cudaStream_t stream) {
  recode_short_numbers<false>(order, numbers, count, stream);
}

}  // namespace sortie::kernels

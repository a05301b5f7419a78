#include "kernels/number_codec.hpp"

#include "kernels/common/key_codec.hpp"
#include "kernels/common/launch.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kItems = 8;

enum class Recoding { kEncode, kDecode };

template <class Code>
__global__ void __launch_bounds__(kThreads)
    recode_numbers_kernel(Code* numbers, std::uint64_t count, KeyCodec<Code> codec, Recoding recoding) {
  const std::uint64_t first = std::uint64_t{blockIdx.x} * kThreads * kItems + threadIdx.x;
  Code codes[kItems];
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    if (first + k * kThreads < count) codes[k] = numbers[first + k * kThreads];
  }
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    if (first + k * kThreads >= count) break;
    numbers[first + k * kThreads] = recoding == Recoding::kEncode ? codec.encode(codes[k]) : codec.decode(codes[k]);
  }
}

template <class Code>
void launch_recoding(const NumberOrder& order, void* numbers, std::uint64_t count, Recoding recoding,
                     cudaStream_t stream) {
  const auto codec = make_key_codec<Code>(order.kind, order.descending);
  const unsigned grid = grid_of_tiles(divide_up(count, kThreads * kItems));
  recode_numbers_kernel<<<grid, kThreads, 0, stream>>>(static_cast<Code*>(numbers), count, codec, recoding);
  check_launch("number codec kernel");
}

void recode_numbers(const NumberOrder& order, void* numbers, std::uint64_t count, Recoding recoding,
                    cudaStream_t stream) {
  if (count == 0 || !needs_codec(order)) return;
  if (order.bytes == 4) {
    launch_recoding<std::uint32_t>(order, numbers, count, recoding, stream);
  } else {
    launch_recoding<std::uint64_t>(order, numbers, count, recoding, stream);
  }
}

}  // namespace

void encode_numbers(const NumberOrder& order, void* numbers, std::uint64_t count, cudaStream_t stream) {
  recode_numbers(order, numbers, count, Recoding::kEncode, stream);
}

void decode_numbers(const NumberOrder& order, void* numbers, std::uint64_t count, cudaStream_t stream) {
  recode_numbers(order, numbers, count, Recoding::kDecode, stream);
}

}  // namespace sortie::kernels

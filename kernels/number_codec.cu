#include "kernels/number_codec.hpp"

#include "kernels/launch.hpp"
#include "record/key_plan.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kItems = 8;

enum class Direction { kEncode, kDecode };

template <class Code>
__device__ Code recode(Code number, const NumberOrder& order, Direction direction) {
  const Code flip = order.descending ? static_cast<Code>(~Code{0}) : Code{0};
  if (direction == Direction::kEncode) return static_cast<Code>(encode_number(order.kind, number, sizeof(Code))) ^ flip;
  return static_cast<Code>(decode_number(order.kind, number ^ flip, sizeof(Code)));
}

template <class Code>
__global__ void __launch_bounds__(kThreads)
    recode_numbers_kernel(Code* numbers, std::uint64_t count, NumberOrder order, Direction direction) {
  const std::uint64_t first = std::uint64_t{blockIdx.x} * kThreads * kItems + threadIdx.x;
  Code codes[kItems];
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    if (first + k * kThreads < count) codes[k] = numbers[first + k * kThreads];
  }
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    if (first + k * kThreads < count) numbers[first + k * kThreads] = recode(codes[k], order, direction);
  }
}

void recode_numbers(const NumberOrder& order, void* numbers, std::uint64_t count, Direction direction,
                    cudaStream_t stream) {
  if (count == 0 || !needs_codec(order)) return;
  const unsigned grid = grid_of_tiles(divide_up(count, kThreads * kItems));
  if (order.bytes == 4) {
    recode_numbers_kernel<<<grid, kThreads, 0, stream>>>(static_cast<std::uint32_t*>(numbers), count, order, direction);
  } else {
    recode_numbers_kernel<<<grid, kThreads, 0, stream>>>(static_cast<std::uint64_t*>(numbers), count, order, direction);
  }
  check_launch("number codec kernel");
}

}  // namespace

void encode_numbers(const NumberOrder& order, void* numbers, std::uint64_t count, cudaStream_t stream) {
  recode_numbers(order, numbers, count, Direction::kEncode, stream);
}

void decode_numbers(const NumberOrder& order, void* numbers, std::uint64_t count, cudaStream_t stream) {
  recode_numbers(order, numbers, count, Direction::kDecode, stream);
}

}  // namespace sortie::kernels

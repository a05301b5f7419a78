#include "kernels/widen_numbers.hpp"

#include "kernels/common/launch.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kWidenThreads = 256;

__global__ void __launch_bounds__(kWidenThreads)
    widen_numbers_kernel(const std::uint32_t* narrow, std::uint64_t count, std::uint64_t* wide) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kWidenThreads + threadIdx.x;
  if (i < count) wide[i] = narrow[i];
}

}  // namespace

void widen_numbers(const std::uint32_t* narrow, std::uint64_t count, std::uint64_t* wide, cudaStream_t stream) {
  if (count == 0) return;
  widen_numbers_kernel<<<grid_of_tiles(divide_up(count, kWidenThreads)), kWidenThreads, 0, stream>>>(narrow, count,
                                                                                                     wide);
  check_launch("kernel that widens numbers");
}

}  // namespace sortie::kernels

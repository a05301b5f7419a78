#include "kernels/records.hpp"

#include "kernels/common/launch.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 128;

/// The first of the ascending values[0..count) that is not below `bound`; `count` if there is none.
__device__ std::uint64_t lower_bound_index(const std::uint64_t* values, std::uint64_t count, std::uint64_t bound) {
  std::uint64_t first = 0;
  while (count > 0) {
    const std::uint64_t half = count / 2;
    if (values[first + half] < bound) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

__global__ void find_line_cuts_kernel(const std::uint64_t* out_offsets, std::uint64_t count, std::uint64_t stride_bytes,
                                      std::uint64_t cut_count, LineCut* cuts) {
  const std::uint64_t cut = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (cut >= cut_count) return;
  const std::uint64_t size = out_offsets[count];
  const std::uint64_t position = cut * stride_bytes < size ? cut * stride_bytes : size;
  const std::uint64_t line = lower_bound_index(out_offsets, count, position);
  cuts[cut] = LineCut{out_offsets[line], line > 0 ? out_offsets[line - 1] : 0};
}

}  // namespace

void find_line_cuts(const std::uint64_t* out_offsets, std::uint64_t count, std::uint64_t stride_bytes,
                    std::uint64_t cut_count, LineCut* cuts, cudaStream_t stream) {
  if (cut_count == 0) return;
  const unsigned grid = grid_of_tiles(divide_up(cut_count, kThreads));
  find_line_cuts_kernel<<<grid, kThreads, 0, stream>>>(out_offsets, count, stride_bytes, cut_count, cuts);
  check_launch("line cut kernel");
}

}  // namespace sortie::kernels

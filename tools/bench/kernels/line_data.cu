#include "bench/kernels/line_data.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_scan.cuh>

#include "kernels/common/launch.hpp"

namespace sortie::bench {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kLanes = 32;

__host__ __device__ std::uint64_t scramble(std::uint64_t value) {
  value = (value ^ (value >> 31)) * 0x7fb5d329728ea185ULL;
  value = (value ^ (value >> 27)) * 0x81dadef4bc2dd44dULL;
  return value ^ (value >> 33);
}

struct LineLength {
  std::uint32_t shortest_bytes;
  std::uint32_t length_count;

  __host__ __device__ std::uint64_t operator()(std::uint64_t line) const {
    return shortest_bytes + scramble(line + 1) % length_count;
  }
};

__global__ void __launch_bounds__(kThreads)
    fill_lines_kernel(const std::uint64_t* offsets, std::uint64_t count, std::byte* bytes) {
  const std::uint64_t line = (std::uint64_t{blockIdx.x} * kThreads + threadIdx.x) / kLanes;
  if (line >= count) return;
  const std::uint64_t end = offsets[line + 1] - 1;
  for (std::uint64_t at = offsets[line] + threadIdx.x % kLanes; at < end; at += kLanes) {
    bytes[at] = static_cast<std::byte>('a' + scramble(at) % 26);
  }
  if (threadIdx.x % kLanes == 0) bytes[end] = std::byte{'\n'};
}

/// Sets offsets[0 .. count] to where lines begin, and to the end of the last one.
void scan_lengths(const LineShape& shape, std::uint64_t count, std::uint64_t* offsets, cudaStream_t stream) {
  const LineLength length{shape.shortest_bytes, shape.longest_bytes - shape.shortest_bytes + 1};
  const auto lengths = thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0), length);
  std::size_t scratch_bytes = 0;
  check_cuda(cub::DeviceScan::ExclusiveSum(nullptr, scratch_bytes, lengths, offsets, count + 1, stream), "CUB scan");
  const DeviceBuffer scratch(scratch_bytes);
  check_cuda(cub::DeviceScan::ExclusiveSum(scratch.data(), scratch_bytes, lengths, offsets, count + 1, stream),
             "CUB scan");
  check_cuda(cudaStreamSynchronize(stream), "scanning lengths");
}

}  // namespace

LineData make_lines(const LineShape& shape, std::uint64_t count, cudaStream_t stream) {
  LineData lines{count, 0, Array<std::uint64_t>(count + 1), Array<std::byte>(0)};
  scan_lengths(shape, count, lines.offsets.data(), stream);
  check_cuda(cudaMemcpyAsync(&lines.byte_count, lines.offsets.data() + count, sizeof lines.byte_count,
                             cudaMemcpyDeviceToHost, stream),
             "reading the size of the lines");
  check_cuda(cudaStreamSynchronize(stream), "reading the size of the lines");
  lines.bytes = Array<std::byte>(round_up(lines.byte_count, 16));
  const std::uint64_t blocks = divide_up(count * kLanes, kThreads);
  fill_lines_kernel<<<kernels::grid_of_tiles(blocks), kThreads, 0, stream>>>(lines.offsets.data(), count,
                                                                             lines.bytes.data());
  kernels::check_launch("filling lines");
  check_cuda(cudaStreamSynchronize(stream), "filling lines");
  return lines;
}

}  // namespace sortie::bench

// Counts the lines of each of several lists that lie one behind the other. Blocks share the whole vectors of a list;
// the first one of a list also looks at the bytes in front of them and behind them.
#include "kernels/common/launch.hpp"
#include "kernels/records.hpp"
#include "kernels/records/delimiter_bits.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kWarpLanes = 32;
constexpr unsigned kVectorBytes = 16;
/// Blocks of all lists together, about: some for each multiprocessor.
constexpr unsigned kBlocks = 1024;

struct LineLists {
  const std::byte* bytes;
  const std::uint64_t* bounds;
  std::uint32_t delimiter_bytes;  ///< the delimiter in each of four bytes
};

__device__ unsigned count_in_vector(const uint4& vector, std::uint32_t delimiter_bytes) {
  return __popc(delimiters_in_word(vector.x, delimiter_bytes)) + __popc(delimiters_in_word(vector.y, delimiter_bytes)) +
         __popc(delimiters_in_word(vector.z, delimiter_bytes)) + __popc(delimiters_in_word(vector.w, delimiter_bytes));
}

/// 1 if the byte at `position`, which must be below `end`, is a delimiter.
__device__ unsigned count_byte(const LineLists& lists, std::uint64_t position, std::uint64_t end) {
  if (position >= end) return 0;
  return lists.bytes[position] == static_cast<std::byte>(lists.delimiter_bytes & 0xff) ? 1 : 0;
}

__global__ void __launch_bounds__(kThreads)
    count_lines_kernel(const LineLists lists, unsigned blocks_of_list, unsigned long long* counts) {
  const unsigned list = blockIdx.x / blocks_of_list;
  const unsigned share = blockIdx.x % blocks_of_list;
  const std::uint64_t begin = lists.bounds[list];
  const std::uint64_t end = lists.bounds[list + 1];
  const std::uint64_t vectors_begin = min((begin + kVectorBytes - 1) / kVectorBytes * kVectorBytes, end);
  const std::uint64_t vectors_end = max(end / kVectorBytes * kVectorBytes, vectors_begin);
  unsigned count = 0;
  if (share == 0 && threadIdx.x < kVectorBytes) {
    count = count_byte(lists, begin + threadIdx.x, vectors_begin) + count_byte(lists, vectors_end + threadIdx.x, end);
  }
  const std::uint64_t stride = std::uint64_t{blocks_of_list} * kThreads * kVectorBytes;
  std::uint64_t at = vectors_begin + (std::uint64_t{share} * kThreads + threadIdx.x) * kVectorBytes;
  for (; at < vectors_end; at += stride) {
    count += count_in_vector(*reinterpret_cast<const uint4*>(lists.bytes + at), lists.delimiter_bytes);
  }
  for (unsigned lanes = kWarpLanes / 2; lanes > 0; lanes /= 2) count += __shfl_down_sync(~0u, count, lanes);
  if (threadIdx.x % kWarpLanes == 0 && count > 0) atomicAdd(&counts[list], count);
}

}  // namespace

void count_lines(const std::byte* bytes, char delimiter, const std::uint64_t* bounds, std::uint32_t list_count,
                 std::uint64_t* counts, cudaStream_t stream) {
  if (list_count == 0) return;
  check_cuda(cudaMemsetAsync(counts, 0, list_count * sizeof(std::uint64_t), stream), "clearing the counts of lines");
  const LineLists lists{bytes, bounds, 0x01010101u * static_cast<unsigned char>(delimiter)};
  const auto blocks_of_list = static_cast<unsigned>(divide_up(kBlocks, list_count));
  count_lines_kernel<<<grid_of_tiles(std::uint64_t{blocks_of_list} * list_count), kThreads, 0, stream>>>(
      lists, blocks_of_list, reinterpret_cast<unsigned long long*>(counts));
  check_launch("line count kernel");
}

}  // namespace sortie::kernels

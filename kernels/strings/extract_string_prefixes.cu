#include "kernels/common/launch.hpp"
#include "kernels/common/warp_sums.cuh"
#include "kernels/strings.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kStringThreads = 256;
constexpr unsigned kStringBlocks = 8;  ///< per multiprocessor, of the kernel that looks at all strings
constexpr unsigned kLooks = 8;         ///< strings per thread between two looks at what other threads have found

__global__ void begin_common_bytes_kernel(const __grid_constant__ RecordKeys strings, std::uint32_t* common_bytes) {
  const std::uint64_t length = strings.length(0);
  *common_bytes = length < kMostCommonBytes ? static_cast<std::uint32_t>(length) : kMostCommonBytes;
}

/// How many of the first `most` bytes of string i are those of string 0.
__device__ std::uint32_t bytes_in_common(const RecordKeys& strings, std::uint64_t i, std::uint32_t most) {
  const std::uint64_t length = strings.length(i);
  const std::uint32_t end = length < most ? static_cast<std::uint32_t>(length) : most;
  const std::byte* const first = strings.record(0);
  const std::byte* const other = strings.record(i);
  std::uint32_t at = 0;
  while (at < end && first[at] == other[at]) ++at;
  return at;
}

/// Lowers *common_bytes to what all strings have in common. Strings that have nothing in common are not read once that
/// is known.
__global__ void __launch_bounds__(kStringThreads)
    find_common_bytes_kernel(const __grid_constant__ RecordKeys strings, std::uint64_t count,
                             std::uint32_t* common_bytes) {
  const volatile std::uint32_t* const found_so_far = common_bytes;
  std::uint32_t common = *found_so_far;
  unsigned step = 0;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kStringThreads + threadIdx.x; i < count && common > 0;
       i += std::uint64_t{gridDim.x} * kStringThreads) {
    if (step++ % kLooks == 0) common = min(common, *found_so_far);
    common = bytes_in_common(strings, i, common);
  }
  __syncwarp();
  const std::uint32_t least = ~warp_max(~common);
  if (threadIdx.x % 32 == 0 && least < *found_so_far) atomicMin(common_bytes, least);
}

__global__ void __launch_bounds__(kStringThreads)
    extract_string_prefixes_kernel(const __grid_constant__ RecordKeys strings, std::uint64_t count,
                                   const std::uint32_t* common_bytes, PrefixPairs out) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kStringThreads + threadIdx.x;
  if (i >= count) return;
  const std::uint32_t skipped = *common_bytes;
  out.prefixes[i] = key_word(strings.plan, strings.record(i) + skipped, strings.length(i) - skipped, 0);
  out.indices[i] = static_cast<std::uint32_t>(i);
}

}  // namespace

void extract_string_prefixes(const RecordKeys& strings, std::uint64_t count, std::uint32_t* common_bytes,
                             const PrefixPairs& out, cudaStream_t stream) {
  const unsigned grid = grid_of_tiles(divide_up(count, kStringThreads));
  begin_common_bytes_kernel<<<1, 1, 0, stream>>>(strings, common_bytes);
  check_launch("kernel that begins the common bytes of strings");
  find_common_bytes_kernel<<<persistent_grid(grid, kStringBlocks), kStringThreads, 0, stream>>>(strings, count,
                                                                                                common_bytes);
  check_launch("kernel that finds the common bytes of strings");
  extract_string_prefixes_kernel<<<grid, kStringThreads, 0, stream>>>(strings, count, common_bytes, out);
  check_launch("kernel that extracts the prefixes of strings");
}

}  // namespace sortie::kernels

#include "kernels/common/launch.hpp"
#include "kernels/common/warp_sums.cuh"
#include "kernels/strings.hpp"
#include "kernels/strings/distinct_strings.cuh"

namespace sortie::kernels {
namespace {

constexpr unsigned kStringThreads = 256;
constexpr unsigned kStringBlocks = 8;  ///< per multiprocessor, of the kernel that looks at all strings
constexpr unsigned kRankThreads = 128;
constexpr unsigned kLooks = 8;  ///< strings per thread between two looks at what other threads have found

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

/// Sets slots[i] to the slot of string i, until there are too many different strings. Looks at one string of `step`.
__global__ void __launch_bounds__(kStringThreads)
    find_distinct_strings_kernel(const __grid_constant__ RecordKeys strings, std::uint64_t count, std::uint64_t step,
                                 const std::uint32_t* common_bytes, DistinctStrings found, std::uint64_t* slots) {
  const std::uint32_t skipped = *common_bytes;
  for (std::uint64_t i = (std::uint64_t{blockIdx.x} * kStringThreads + threadIdx.x) * step; i < count;
       i += std::uint64_t{gridDim.x} * kStringThreads * step) {
    if (are_too_many(found)) return;
    const std::uint32_t slot = slot_of(found, hash_of(strings.plan, tail_of(strings, i, skipped)), i);
    if (slot == DistinctStrings::kSlots) return give_up(found);
    slots[i] = slot;
  }
}

/// Gives up if some string is not that of its slot.
__global__ void __launch_bounds__(kStringThreads)
    check_distinct_strings_kernel(const __grid_constant__ RecordKeys strings, std::uint64_t count,
                                  const std::uint32_t* common_bytes, DistinctStrings found,
                                  const std::uint64_t* slots) {
  const std::uint32_t skipped = *common_bytes;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kStringThreads + threadIdx.x; i < count;
       i += std::uint64_t{gridDim.x} * kStringThreads) {
    if (are_too_many(found)) return;
    const StringTail other = tail_of(strings, found.first[slots[i]], skipped);
    if (compare_tails(strings.plan, tail_of(strings, i, skipped), other) != 0) return give_up(found);
  }
}

/// A block counts the strings that come before one.
__global__ void __launch_bounds__(kRankThreads)
    rank_distinct_strings_kernel(const __grid_constant__ RecordKeys strings, const std::uint32_t* common_bytes,
                                 DistinctStrings found) {
  const std::uint32_t count = found.state->count;
  if (count > DistinctStrings::kMost) return;
  if (blockIdx.x == 0 && threadIdx.x == 0) found.state->are_few = 1;
  if (blockIdx.x >= count) return;
  const std::uint32_t skipped = *common_bytes;
  const std::uint32_t own_slot = found.used_slots[blockIdx.x];
  const StringTail own = tail_of(strings, found.first[own_slot], skipped);
  unsigned before = 0;
  for (std::uint32_t other = threadIdx.x; other < count; other += kRankThreads) {
    const StringTail tail = tail_of(strings, found.first[found.used_slots[other]], skipped);
    before += compare_tails(strings.plan, tail, own) < 0 ? 1 : 0;
  }
  __shared__ unsigned warp_counts[kRankThreads / 32];
  const unsigned warp_count = warp_sum(before);
  if (threadIdx.x % 32 == 0) warp_counts[threadIdx.x / 32] = warp_count;
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned rank = 0;
  for (unsigned warp = 0; warp < kRankThreads / 32; ++warp) rank += warp_counts[warp];
  found.ranks[own_slot] = rank;
}

/// `are_few` may be null. If it is not 0, prefixes are slots, and become ranks, each with the position behind it: no
/// two are equal, so that nothing is compared but these.
__global__ void __launch_bounds__(kStringThreads)
    extract_string_prefixes_kernel(const __grid_constant__ RecordKeys strings, std::uint64_t count,
                                   const std::uint32_t* common_bytes, const std::uint32_t* are_few,
                                   const std::uint32_t* ranks, PrefixPairs out) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kStringThreads + threadIdx.x;
  if (i >= count) return;
  out.indices[i] = static_cast<std::uint32_t>(i);
  if (are_few != nullptr && *are_few != 0) {
    out.prefixes[i] = std::uint64_t{ranks[out.prefixes[i]]} << 32 | i;
    return;
  }
  const std::uint32_t skipped = *common_bytes;
  out.prefixes[i] = key_word(strings.plan, strings.record(i) + skipped, strings.length(i) - skipped, 0);
}

void rank_strings(const RecordKeys& strings, std::uint64_t count, const std::uint32_t* common_bytes,
                  const DistinctStrings& found, std::uint64_t* slots, cudaStream_t stream) {
  const unsigned grid = persistent_grid(divide_up(count, kStringThreads), kStringBlocks);
  check_cuda(cudaMemsetAsync(found.hashes, 0, found.cleared_bytes, stream), "clearing the table of strings");
  // Most often some thousand strings tell that too many differ, and no others wait for the same counter.
  constexpr unsigned kSampleBlocks = 2 * DistinctStrings::kMost / kStringThreads;
  const std::uint64_t step = divide_up(count, kSampleBlocks * kStringThreads);
  find_distinct_strings_kernel<<<kSampleBlocks, kStringThreads, 0, stream>>>(strings, count, step, common_bytes, found,
                                                                             slots);
  check_launch("kernel that finds different strings in a sample");
  find_distinct_strings_kernel<<<grid, kStringThreads, 0, stream>>>(strings, count, 1, common_bytes, found, slots);
  check_launch("kernel that finds different strings");
  check_distinct_strings_kernel<<<grid, kStringThreads, 0, stream>>>(strings, count, common_bytes, found, slots);
  check_launch("kernel that checks different strings");
  rank_distinct_strings_kernel<<<DistinctStrings::kMost, kRankThreads, 0, stream>>>(strings, common_bytes, found);
  check_launch("kernel that ranks different strings");
}

/// Fewer strings are sorted before their different ones have been found.
constexpr std::uint64_t kRankFrom = std::uint64_t{1} << 20;

}  // namespace

std::uint64_t string_prefix_scratch_bytes(std::uint64_t count) {
  return count < kRankFrom ? 0 : DistinctStrings().layout.size_bytes();
}

void extract_string_prefixes(const RecordKeys& strings, std::uint64_t count, std::uint32_t* common_bytes,
                             const PrefixPairs& out, void* scratch, cudaStream_t stream) {
  const unsigned grid = grid_of_tiles(divide_up(count, kStringThreads));
  begin_common_bytes_kernel<<<1, 1, 0, stream>>>(strings, common_bytes);
  check_launch("kernel that begins the common bytes of strings");
  find_common_bytes_kernel<<<persistent_grid(grid, kStringBlocks), kStringThreads, 0, stream>>>(strings, count,
                                                                                                common_bytes);
  check_launch("kernel that finds the common bytes of strings");
  const DistinctStrings found(scratch);
  const bool looks = count >= kRankFrom;
  if (looks) rank_strings(strings, count, common_bytes, found, out.prefixes, stream);
  const std::uint32_t* const are_few = looks ? &found.state->are_few : nullptr;
  extract_string_prefixes_kernel<<<grid, kStringThreads, 0, stream>>>(strings, count, common_bytes, are_few,
                                                                      found.ranks, out);
  check_launch("kernel that extracts the prefixes of strings");
}

}  // namespace sortie::kernels

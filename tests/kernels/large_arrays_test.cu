// Arrays that exceed one portion of a radix pass, and 2^32 items. They are made and checked on the device.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/merge.hpp"
#include "kernels/merge_sort.hpp"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix_sort.hpp"
#include "kernels/require_free_bytes.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocks = 4096;

/// Sets item i to i times an odd number modulo `modulus`, a power of two, shifted left by `shift`. So every value
/// below the modulus comes once, in a scattered order, and then they all come again.
template <class Key>
__global__ void scatter_values_kernel(Key* keys, std::uint64_t count, std::uint64_t modulus, unsigned shift) {
  for (std::uint64_t i = blockIdx.x * kThreads + threadIdx.x; i < count; i += std::uint64_t{kBlocks} * kThreads) {
    keys[i] = static_cast<Key>(i * 2654435761u % modulus << shift);
  }
}

/// Sets item i to i without its lowest `shift` bits.
template <class Key>
__global__ void ascending_values_kernel(Key* keys, std::uint64_t count, std::uint64_t shift) {
  for (std::uint64_t i = blockIdx.x * kThreads + threadIdx.x; i < count; i += std::uint64_t{kBlocks} * kThreads) {
    keys[i] = static_cast<Key>(i >> shift);
  }
}

template <class Key>
__global__ void count_inversions_kernel(const Key* keys, std::uint64_t count, unsigned long long* totals) {
  unsigned long long inversions = 0;
  unsigned long long sum = 0;
  for (std::uint64_t i = blockIdx.x * kThreads + threadIdx.x; i < count; i += std::uint64_t{kBlocks} * kThreads) {
    if (i > 0 && keys[i] < keys[i - 1]) ++inversions;
    sum += keys[i];
  }
  atomicAdd(&totals[0], inversions);
  atomicAdd(&totals[1], sum);
}

__global__ void count_differences_kernel(const std::uint32_t* a, const std::uint32_t* b, std::uint64_t count,
                                         unsigned long long* total) {
  unsigned long long differences = 0;
  for (std::uint64_t i = blockIdx.x * kThreads + threadIdx.x; i < count; i += std::uint64_t{kBlocks} * kThreads) {
    if (a[i] != b[i]) ++differences;
  }
  atomicAdd(total, differences);
}

std::uint64_t count_differences(const std::uint32_t* a, const std::uint32_t* b, std::uint64_t count,
                                const CudaStream& stream) {
  const DeviceArray<unsigned long long> total(std::vector<unsigned long long>(1), stream);
  count_differences_kernel<<<kBlocks, kThreads, 0, stream.handle()>>>(a, b, count, total.data());
  check_cuda(cudaGetLastError(), "difference count");
  return total.download()[0];
}

struct Totals {
  std::uint64_t inversions;
  std::uint64_t sum;
};

template <class Key>
Totals totals_of(const Key* keys, std::uint64_t count, const CudaStream& stream) {
  const DeviceArray<unsigned long long> totals(std::vector<unsigned long long>(2), stream);
  count_inversions_kernel<<<kBlocks, kThreads, 0, stream.handle()>>>(keys, count, totals.data());
  check_cuda(cudaGetLastError(), "inversion count");
  const std::vector<unsigned long long> host = totals.download();
  return {host[0], host[1]};
}

/// Sorts pairs. The keys use as many bits as `shift` and the count together, and the values ascend with them.
void expect_portions_sorted(unsigned shift) {
  const std::uint64_t count = std::uint64_t{1} << 29;
  SORTIE_REQUIRE_FREE_BYTES(count * 25);
  ASSERT_GT(count, 2 * kPortionTiles * radix_tuning(RadixShape::kLarge, 8, 4).tile_items());
  const CudaStream stream;
  const DeviceArray<std::uint64_t> keys(count, stream);
  const DeviceArray<std::uint64_t> alternate(count, stream);
  const DeviceArray<std::uint32_t> values(count, stream);
  const DeviceArray<std::uint32_t> alternate_values(count, stream);
  const DeviceArray<std::byte> scratch(radix_sort_scratch_bytes(count), stream);
  scatter_values_kernel<<<kBlocks, kThreads, 0, stream.handle()>>>(keys.data(), count, count, shift);
  scatter_values_kernel<<<kBlocks, kThreads, 0, stream.handle()>>>(values.data(), count, count, 0);
  check_cuda(cudaGetLastError(), "making keys");
  radix_sort_pairs(keys.data(), alternate.data(), values.data(), alternate_values.data(), count, {0, 64},
                   scratch.data(), stream.handle());
  const Totals sorted = totals_of(keys.data(), count, stream);
  EXPECT_EQ(sorted.inversions, 0U);
  EXPECT_EQ(sorted.sum, (count / 2 * (count - 1)) << shift);
  const Totals followed = totals_of(values.data(), count, stream);
  EXPECT_EQ(followed.inversions, 0U);
  EXPECT_EQ(followed.sum, count / 2 * (count - 1));
}

TEST(LargeArraysGpu, RadixSortOfSeveralPortions) {
  SORTIE_REQUIRE_GPU();
  expect_portions_sorted(20);  // five bytes vary
}

TEST(LargeArraysGpu, RadixSortOfSeveralPortionsOfPackedKeys) {
  SORTIE_REQUIRE_GPU();
  expect_portions_sorted(0);  // four bytes vary
}

TEST(LargeArraysGpu, RadixSortOfMoreThan32BitsOfItems) {
  SORTIE_REQUIRE_GPU();
  const std::uint64_t extra = 12'345'678;
  const std::uint64_t count = (std::uint64_t{1} << 32) + extra;
  SORTIE_REQUIRE_FREE_BYTES(count * 9);
  const CudaStream stream;
  const DeviceArray<std::uint32_t> keys(count, stream);
  const DeviceArray<std::uint32_t> alternate(count, stream);
  const DeviceArray<std::byte> scratch(radix_sort_scratch_bytes(count), stream);
  scatter_values_kernel<<<kBlocks, kThreads, 0, stream.handle()>>>(keys.data(), count, std::uint64_t{1} << 32, 0);
  check_cuda(cudaGetLastError(), "making keys");
  const Totals before = totals_of(keys.data(), count, stream);
  radix_sort_keys(keys.data(), alternate.data(), count, {0, 32}, scratch.data(), stream.handle());
  const Totals after = totals_of(keys.data(), count, stream);
  EXPECT_GT(before.inversions, 0U);
  EXPECT_EQ(after.inversions, 0U);
  EXPECT_EQ(after.sum, before.sum);
}

TEST(LargeArraysGpu, MergeOfMoreThan32BitsOfItems) {
  SORTIE_REQUIRE_GPU();
  const std::uint64_t half = (std::uint64_t{1} << 31) + 77'777;
  SORTIE_REQUIRE_FREE_BYTES(half * 17);
  const CudaStream stream;
  const DeviceArray<std::uint32_t> keys(2 * half, stream);
  const DeviceArray<std::uint32_t> merged(2 * half, stream);
  const DeviceArray<std::uint64_t> offsets(std::vector<std::uint64_t>{0, half, 2 * half}, stream);
  const DeviceArray<std::byte> scratch(merge_scratch_bytes(2 * half, 2), stream);
  ascending_values_kernel<<<kBlocks, kThreads, 0, stream.handle()>>>(keys.data(), half, 0);
  ascending_values_kernel<<<kBlocks, kThreads, 0, stream.handle()>>>(keys.data() + half, half, 3);
  check_cuda(cudaGetLastError(), "making keys");
  const Totals before = totals_of(keys.data(), 2 * half, stream);
  merge_sequences(keys.data(), merged.data(), {offsets.data(), 2, 2 * half}, scratch.data(), stream.handle());
  const Totals after = totals_of(merged.data(), 2 * half, stream);
  EXPECT_EQ(before.inversions, 1U);
  EXPECT_EQ(after.inversions, 0U);
  EXPECT_EQ(after.sum, before.sum);
}

TEST(LargeArraysGpu, MergeOfSeveralSequencesOfMoreThan32BitsOfItems) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint32_t kSequences = 3;
  const std::uint64_t length = (std::uint64_t{1} << 32) / kSequences + 77'777;
  const std::uint64_t count = kSequences * length;
  SORTIE_REQUIRE_FREE_BYTES(count * 9);
  const CudaStream stream;
  const DeviceArray<std::uint32_t> keys(count, stream);
  const DeviceArray<std::uint32_t> merged(count, stream);
  const DeviceArray<std::uint64_t> offsets(std::vector<std::uint64_t>{0, length, 2 * length, count}, stream);
  const DeviceArray<std::byte> scratch(merge_scratch_bytes(count, kSequences), stream);
  for (std::uint32_t i = 0; i < kSequences; ++i) {
    ascending_values_kernel<<<kBlocks, kThreads, 0, stream.handle()>>>(keys.data() + i * length, length, i);
  }
  check_cuda(cudaGetLastError(), "making keys");
  const Totals before = totals_of(keys.data(), count, stream);
  merge_sequences(keys.data(), merged.data(), {offsets.data(), kSequences, count}, scratch.data(), stream.handle());
  const Totals after = totals_of(merged.data(), count, stream);
  EXPECT_EQ(before.inversions, kSequences - 1);
  EXPECT_EQ(after.inversions, 0U);
  EXPECT_EQ(after.sum, before.sum);
}

/// The last merge has more than 2^32 pairs.
TEST(LargeArraysGpu, MergeSortOfMoreThan32BitsOfPairs) {
  SORTIE_REQUIRE_GPU();
  const std::uint64_t count = (std::uint64_t{1} << 32) + 12'345'678;
  SORTIE_REQUIRE_FREE_BYTES(count * 17);
  const CudaStream stream;
  const DeviceArray<std::uint32_t> keys(count, stream);
  const DeviceArray<std::uint32_t> alternate(count, stream);
  const DeviceArray<std::uint32_t> values(count, stream);
  const DeviceArray<std::uint32_t> alternate_values(count, stream);
  const DeviceArray<std::byte> scratch(merge_sort_scratch_bytes(count), stream);
  scatter_values_kernel<<<kBlocks, kThreads, 0, stream.handle()>>>(keys.data(), count, std::uint64_t{1} << 32, 0);
  scatter_values_kernel<<<kBlocks, kThreads, 0, stream.handle()>>>(values.data(), count, std::uint64_t{1} << 32, 0);
  check_cuda(cudaGetLastError(), "making pairs");
  const Totals before = totals_of(keys.data(), count, stream);
  merge_sort_pairs(keys.data(), alternate.data(), values.data(), alternate_values.data(), count, SortOrder::kAscending,
                   scratch.data(), stream.handle());
  const Totals after = totals_of(keys.data(), count, stream);
  EXPECT_GT(before.inversions, 0U);
  EXPECT_EQ(after.inversions, 0U);
  EXPECT_EQ(after.sum, before.sum);
  EXPECT_EQ(count_differences(keys.data(), values.data(), count, stream), 0U) << "values that left their keys";
}

}  // namespace
}  // namespace sortie::kernels

// In the program of the engine's tests, which runs by itself: a test fills the memory of a GPU.
#include "cuda/arrays/gpu_array_sorter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/device_error.hpp"
#include "device/cuda_error.hpp"
#include "device/device_info.hpp"
#include "device/device_memory.hpp"
#include "device/pinned_memory.hpp"
#include "record/key_plan.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

std::vector<int> all_devices() {
  std::vector<int> numbers;
  for (const DeviceInfo& device : list_devices().devices) numbers.push_back(device.number);
  return numbers;
}

template <class Number>
std::span<const std::byte> bytes_of(const std::vector<Number>& numbers) {
  return std::as_bytes(std::span(numbers));
}

/// Counts around one chunk, of several chunks, and with a share for each of several GPUs.
constexpr std::uint64_t kCounts[] = {1, 2, 1000, (1 << 22) - 1, (1 << 22) + 1, 20'000'003};

TEST(GpuArraySorterGpu, SortsPageableMemoryOfAllDistributions) {
  SORTIE_REQUIRE_GPU();
  GpuArraySorter sorter(all_devices(), 0, 4);
  for (const Distribution distribution : kAllDistributions) {
    for (const std::uint64_t count : kCounts) {
      SCOPED_TRACE(std::string(to_string(distribution)) + ", " + std::to_string(count) + " numbers, seed 31");
      const std::vector<std::uint64_t> input = make_keys<std::uint64_t>(distribution, count, 31);
      std::vector<std::uint64_t> output(count);
      sorter.sort({FieldKind::kUnsigned, 8, false}, bytes_of(input), std::as_writable_bytes(std::span(output)));
      std::vector<std::uint64_t> expected = input;
      std::ranges::sort(expected);
      EXPECT_TRUE(output == expected);
    }
  }
}

TEST(GpuArraySorterGpu, SortsPinnedMemoryInPlaceInEitherDirection) {
  SORTIE_REQUIRE_GPU();
  GpuArraySorter sorter(all_devices(), 0, 4);
  for (const bool descending : {false, true}) {
    SCOPED_TRACE(descending ? "descending" : "ascending");
    std::vector<std::uint32_t> expected = make_keys<std::uint32_t>(Distribution::kFewValued, 30'000'001, 32);
    const PinnedBuffer memory(expected.size() * sizeof expected[0], 4);
    const std::span<std::int32_t> numbers(reinterpret_cast<std::int32_t*>(memory.data()), expected.size());
    std::ranges::transform(expected, numbers.begin(), [](std::uint32_t n) { return static_cast<std::int32_t>(n); });
    std::vector<std::int32_t> sorted(numbers.begin(), numbers.end());
    sorter.sort({FieldKind::kSigned, 4, descending}, std::as_bytes(numbers), std::as_writable_bytes(numbers));
    std::ranges::sort(sorted);
    if (descending) std::ranges::reverse(sorted);
    EXPECT_TRUE(std::ranges::equal(numbers, sorted));
  }
}

/// Sorts several parts, the last one short. Some callers pass enough threads to unpack, others too few.
template <class Bits>
void expect_sorted_in_pinned_memory(const kernels::NumberOrder& order, Distribution distribution, unsigned threads) {
  SCOPED_TRACE(std::string(to_string(distribution)) + ", kind " + std::to_string(static_cast<int>(order.kind)) +
               (order.descending ? ", descending, " : ", ascending, ") + std::to_string(threads) + " threads, seed 33");
  GpuArraySorter sorter(all_devices(), 0, threads);
  std::vector<Bits> expected = make_keys<Bits>(distribution, 3'000'001, 33);
  const PinnedBuffer memory(expected.size() * sizeof(Bits), 4);
  const std::span<Bits> numbers(reinterpret_cast<Bits*>(memory.data()), expected.size());
  sorter.sort(order, bytes_of(expected), std::as_writable_bytes(numbers));
  const auto code = [&](Bits bits) {
    const auto ascending = static_cast<Bits>(encode_number(order.kind, bits, sizeof(Bits)));
    return order.descending ? static_cast<Bits>(~ascending) : ascending;
  };
  std::ranges::sort(expected, {}, code);
  EXPECT_TRUE(std::ranges::equal(numbers, expected));
}

TEST(GpuArraySorterGpu, SortsNumbersOfAllKindsAndDistributionsIntoPinnedMemory) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    for (const bool descending : {false, true}) {
      expect_sorted_in_pinned_memory<std::uint64_t>({FieldKind::kFloat, 8, descending}, distribution, 4);
      expect_sorted_in_pinned_memory<std::uint32_t>({FieldKind::kSigned, 4, descending}, distribution, 8);
    }
    expect_sorted_in_pinned_memory<std::uint64_t>({FieldKind::kUnsigned, 8, false}, distribution, 1);
  }
}

/// Sorts `count` numbers.
void sort_within_ceiling(GpuArraySorter& sorter, std::uint64_t count) {
  std::vector<std::uint64_t> numbers = make_keys<std::uint64_t>(Distribution::kUniform, count, 34);
  const auto bytes = std::as_writable_bytes(std::span(numbers));
  sorter.sort({FieldKind::kUnsigned, 8, false}, bytes, bytes);
  EXPECT_TRUE(std::ranges::is_sorted(numbers));
}

TEST(GpuArraySorterGpu, TakesNoMoreThanTheCeilingLets) {
  SORTIE_REQUIRE_GPU();
  GpuArraySorter sorter({all_devices()[0]}, 64 << 20, 1);
  sort_within_ceiling(sorter, 1 << 20);
  EXPECT_THROW(sort_within_ceiling(sorter, 1 << 22), DeviceFullError);
  EXPECT_FALSE(sorter.has_begun_output());
  sort_within_ceiling(sorter, 1 << 20);
}

TEST(GpuArraySorterGpu, TakesWhatTheArrayNeedsAndAsksAgainForEachSort) {
  SORTIE_REQUIRE_GPU();
  const int device = all_devices()[0];
  GpuArraySorter sorter({device}, 0, 1);
  select_device(device);
  const std::uint64_t free_before = free_device_bytes();
  sort_within_ceiling(sorter, 1 << 20);
  EXPECT_LT(free_before - std::min(free_before, free_device_bytes()), 256U << 20);
  // Others take all that is left but some 300 MB. There is room for the smaller array, but not for one of 1 GB.
  const std::uint64_t left = free_device_bytes();
  if (left < (std::uint64_t{2} << 30)) GTEST_SKIP() << "others use the GPU";
  const DeviceBuffer others(left - (300 << 20));
  sort_within_ceiling(sorter, 1 << 21);
  EXPECT_THROW(sort_within_ceiling(sorter, 1 << 27), DeviceFullError);
}

TEST(GpuArraySorterGpu, PlansAgainWhereMemoryIsTakenBeforeItIsAllocated) {
  SORTIE_REQUIRE_GPU();
  GpuArraySorter sorter({all_devices()[0]}, 0, 1);
  // The calls that select the GPU and ask it twice come before the allocation.
  const CudaFaultPlan fault(4, false, cudaErrorMemoryAllocation);
  sort_within_ceiling(sorter, 1 << 20);
  EXPECT_TRUE(fault.has_struck());
}

}  // namespace
}  // namespace sortie::cuda

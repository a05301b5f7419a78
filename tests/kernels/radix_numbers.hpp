// Runs a radix sort of numbers on the device, compares with std::stable_sort, and returns the plan of the sort.
// Alternate arrays and scratch are poisoned.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix_sort.hpp"
#include "kernels/stable_sorted.hpp"

namespace sortie::kernels {

/// Lengths around one tile, and around many.
inline std::vector<std::uint64_t> sizes_around(std::uint64_t tile) {
  return {0, 1, 2, 33, tile - 1, tile, tile + 1, 7 * tile, 40 * tile + 17};
}

inline RadixPlan download_plan(const DeviceArray<std::byte>& scratch, std::uint64_t count, const CudaStream& stream) {
  RadixPlan plan;
  check_cuda(cudaMemcpyAsync(&plan, radix_scratch(scratch.data(), count).plan, sizeof plan, cudaMemcpyDefault,
                             stream.handle()),
             "download of the plan");
  stream.synchronize();
  return plan;
}

/// Returns the plan of the sort. The plan means nothing for fewer than two numbers.
template <class Number>
RadixPlan expect_numbers_sorted(const std::vector<Number>& numbers, SortOrder order) {
  const CudaStream stream;
  const std::uint64_t count = numbers.size();
  const DeviceArray<Number> keys(numbers, stream);
  const DeviceArray<Number> alternate(count, stream);
  const DeviceArray<std::byte> scratch(radix_sort_scratch_bytes(count), stream);
  radix_sort_keys(keys.data(), alternate.data(), count, order, scratch.data(), stream.handle());
  expect_same_bits(keys.download(), stable_sorted(numbers, order).numbers);
  return download_plan(scratch, count, stream);
}

/// The same with the numbers' positions as values.
template <class Number, class Value>
RadixPlan expect_pairs_sorted(const std::vector<Number>& numbers, SortOrder order) {
  const CudaStream stream;
  const std::uint64_t count = numbers.size();
  const DeviceArray<Number> keys(numbers, stream);
  const DeviceArray<Number> alternate(count, stream);
  const DeviceArray<Value> values(first_positions<Value>(count), stream);
  const DeviceArray<Value> alternate_values(count, stream);
  const DeviceArray<std::byte> scratch(radix_sort_scratch_bytes(count), stream);
  radix_sort_pairs(keys.data(), alternate.data(), values.data(), alternate_values.data(), count, order, scratch.data(),
                   stream.handle());
  const StableSorted<Number> sorted = stable_sorted(numbers, order);
  expect_same_bits(keys.download(), sorted.numbers);
  const std::vector<Value> sorted_values = values.download();
  EXPECT_TRUE(std::ranges::equal(sorted_values, sorted.positions));
  return download_plan(scratch, count, stream);
}

}  // namespace sortie::kernels

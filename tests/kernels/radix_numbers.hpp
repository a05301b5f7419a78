// Runs a radix sort of numbers on the device and compares with std::stable_sort by the codes of the key plan,
// bit for bit. Alternate arrays and scratch are poisoned.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/common/key_codec.hpp"
#include "kernels/device_array.hpp"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix_sort.hpp"
#include "record/key_plan.hpp"

namespace sortie::kernels {

inline std::string to_string(SortOrder order) { return order == SortOrder::kAscending ? "ascending" : "descending"; }

template <class Number>
std::vector<Number> from_bits(const std::vector<CodeOf<Number>>& bits) {
  std::vector<Number> numbers(bits.size());
  if (!bits.empty()) std::memcpy(numbers.data(), bits.data(), bits.size() * sizeof(Number));
  return numbers;
}

/// Numbers whose codes these are.
template <class Number>
std::vector<Number> from_codes(std::vector<CodeOf<Number>> codes, SortOrder order) {
  for (CodeOf<Number>& code : codes) {
    if (order == SortOrder::kDescending) code = static_cast<CodeOf<Number>>(~code);
    code = static_cast<CodeOf<Number>>(decode_number(kKindOf<Number>, code, sizeof(Number)));
  }
  return from_bits<Number>(codes);
}

template <class Number>
struct StableSorted {
  std::vector<Number> numbers;
  std::vector<std::uint64_t> positions;  ///< in the input
};

template <class Number>
StableSorted<Number> stable_sorted(const std::vector<Number>& numbers, SortOrder order) {
  std::vector<std::uint64_t> codes(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint64_t code =
        encode_number(kKindOf<Number>, std::bit_cast<CodeOf<Number>>(numbers[i]), sizeof(Number));
    codes[i] = order == SortOrder::kAscending ? code : ~code;
  }
  StableSorted<Number> sorted{std::vector<Number>(numbers.size()), std::vector<std::uint64_t>(numbers.size())};
  std::iota(sorted.positions.begin(), sorted.positions.end(), std::uint64_t{0});
  std::ranges::stable_sort(sorted.positions, {}, [&](std::uint64_t i) { return codes[i]; });
  for (std::size_t i = 0; i < numbers.size(); ++i) sorted.numbers[i] = numbers[sorted.positions[i]];
  return sorted;
}

/// By their bits: a NaN is not equal to itself.
template <class Number>
void expect_same_bits(const std::vector<Number>& actual, const std::vector<Number>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_EQ(std::bit_cast<CodeOf<Number>>(actual[i]), std::bit_cast<CodeOf<Number>>(expected[i])) << "at " << i;
  }
}

inline RadixPlan download_plan(const DeviceArray<std::byte>& scratch, std::uint64_t count, const CudaStream& stream) {
  RadixPlan plan;
  check_cuda(cudaMemcpyAsync(&plan, radix_scratch(scratch.data(), count).plan, sizeof plan, cudaMemcpyDefault,
                             stream.handle()),
             "download of the plan");
  stream.synchronize();
  return plan;
}

/// Returns what the sort planned; nothing to rely on if there were fewer than two numbers.
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
  std::vector<Value> positions(count);
  std::iota(positions.begin(), positions.end(), Value{0});
  const DeviceArray<Number> keys(numbers, stream);
  const DeviceArray<Number> alternate(count, stream);
  const DeviceArray<Value> values(positions, stream);
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

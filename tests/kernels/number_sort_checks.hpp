// Runs a sort of numbers on the device in all its forms, keys alone and with values, and compares with
// std::stable_sort. Alternate arrays and scratch are poisoned. A Sorter has scratch_bytes(count), keys(...) and
// pairs(...), with the arguments of radix_sort.hpp, and kTakesWideValues, which says whether values may have 64 bits.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/special_numbers.hpp"

namespace sortie::kernels {

template <class Sorter, class Number>
void expect_keys_agree(const std::vector<Number>& numbers, SortOrder order, const StableSorted<Number>& expected) {
  const CudaStream stream;
  const std::uint64_t count = numbers.size();
  const DeviceArray<Number> keys(numbers, stream);
  const DeviceArray<Number> alternate(count, stream);
  const DeviceArray<std::byte> scratch(Sorter::scratch_bytes(count), stream);
  Sorter::keys(keys.data(), alternate.data(), count, order, scratch.data(), stream.handle());
  expect_same_bits(keys.download(), expected.numbers);
}

/// The values are the numbers' positions, complemented. So sorting by (key, value) would not pass for a stable sort.
template <class Sorter, class Value, class Number>
void expect_pairs_agree(const std::vector<Number>& numbers, SortOrder order, const StableSorted<Number>& expected) {
  const CudaStream stream;
  const std::uint64_t count = numbers.size();
  const auto values_of = [](const std::vector<std::uint64_t>& positions) {
    std::vector<Value> values;
    for (const std::uint64_t position : positions) values.push_back(static_cast<Value>(~position));
    return values;
  };
  const DeviceArray<Number> keys(numbers, stream);
  const DeviceArray<Number> alternate(count, stream);
  const DeviceArray<Value> values(values_of(first_positions(count)), stream);
  const DeviceArray<Value> alternate_values(count, stream);
  const DeviceArray<std::byte> scratch(Sorter::scratch_bytes(count), stream);
  Sorter::pairs(keys.data(), alternate.data(), values.data(), alternate_values.data(), count, order, scratch.data(),
                stream.handle());
  expect_same_bits(keys.download(), expected.numbers);
  EXPECT_EQ(values.download(), values_of(expected.positions));
}

/// Sorts in both orders.
template <class Sorter, class Number>
void expect_all_forms_sorted(const std::vector<Number>& numbers) {
  for (const SortOrder order : kBothOrders) {
    SCOPED_TRACE(to_string(order));
    const StableSorted<Number> expected = stable_sorted(numbers, order);
    expect_keys_agree<Sorter>(numbers, order, expected);
    expect_pairs_agree<Sorter, std::uint32_t>(numbers, order, expected);
    if constexpr (Sorter::kTakesWideValues) expect_pairs_agree<Sorter, std::uint64_t>(numbers, order, expected);
  }
}

/// Sorts all distributions at each of `sizes`.
template <class Sorter, class Number, class Sizes>
void expect_all_numbers_sorted(const Sizes& sizes, std::uint64_t seed) {
  for (const Distribution distribution : kAllDistributions) {
    for (const std::uint64_t size : sizes) {
      SCOPED_TRACE(to_string(distribution) + ", " + std::to_string(size) + " items, seed " + std::to_string(seed));
      expect_all_forms_sorted<Sorter>(numbers_with_specials<Number>(distribution, size, seed));
    }
  }
}

}  // namespace sortie::kernels

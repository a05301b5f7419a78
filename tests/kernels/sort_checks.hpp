// Runs a sort of keys or pairs on the device and compares with std::stable_sort. Alternate arrays and scratch
// are poisoned.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/record_keys.hpp"
#include "support/distributions.hpp"

namespace sortie::kernels {

inline std::string describe(Distribution distribution, std::uint64_t size, std::uint64_t seed) {
  return to_string(distribution) + ", " + std::to_string(size) + " items, seed " + std::to_string(seed);
}

/// Calls expect(narrow, wide) with 32-bit and 64-bit keys of all distributions, in every length of `sizes`.
template <class Sizes, class Expect>
void for_all_keys(const Sizes& sizes, std::uint64_t seed, const Expect& expect) {
  for (const Distribution distribution : kAllDistributions) {
    for (const std::uint64_t size : sizes) {
      SCOPED_TRACE(describe(distribution, size, seed));
      expect(make_keys<std::uint32_t>(distribution, size, seed), make_keys<std::uint64_t>(distribution, size, seed));
    }
  }
}

/// sort(keys, alternate, scratch, stream) leaves the result in `keys`.
template <class Key, class Sort>
void expect_keys_sorted(std::vector<Key> keys, std::uint64_t scratch_bytes, const Sort& sort) {
  const CudaStream stream;
  const DeviceArray<Key> array(keys, stream);
  const DeviceArray<Key> alternate(keys.size(), stream);
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  sort(array.data(), alternate.data(), scratch.data(), stream.handle());
  std::ranges::sort(keys);
  EXPECT_EQ(array.download(), keys);
}

/// Floats of all kinds from any bits; compared by the bits, in total order.
template <class Sort>
void expect_floats_sorted(const std::vector<std::uint32_t>& bits, std::uint64_t scratch_bytes, const Sort& sort) {
  const CudaStream stream;
  const DeviceArray<std::uint32_t> array(bits, stream);
  const DeviceArray<std::uint32_t> alternate(bits.size(), stream);
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  sort(reinterpret_cast<float*>(array.data()), reinterpret_cast<float*>(alternate.data()), scratch.data(),
       stream.handle());
  std::vector<std::uint32_t> expected = bits;
  std::ranges::sort(expected, {}, [](std::uint32_t x) { return encode_number(FieldKind::kFloat, x, 4); });
  EXPECT_EQ(array.download(), expected);
}

/// sort(pairs, alternate, scratch, stream) leaves the result in `pairs`; `order` is what becomes of `values`.
template <class Key, class Sort>
void expect_pairs_become(const std::vector<Key>& keys, const std::vector<std::uint32_t>& values,
                         const std::vector<std::uint32_t>& order, std::uint64_t scratch_bytes, const Sort& sort) {
  const CudaStream stream;
  const DeviceArray<Key> array(keys, stream);
  const DeviceArray<std::uint32_t> array_values(values, stream);
  const DeviceArray<Key> alternate(keys.size(), stream);
  const DeviceArray<std::uint32_t> alternate_values(keys.size(), stream);
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  sort(array.data(), array_values.data(), alternate.data(), alternate_values.data(), scratch.data(), stream.handle());
  EXPECT_EQ(array_values.download(), order);
  std::vector<Key> sorted = keys;
  std::ranges::sort(sorted);
  EXPECT_EQ(array.download(), sorted);
}

/// Values that fall, so that sorting by (key, value) would not pass for a stable sort.
template <class Key, class Sort>
void expect_pairs_sorted(const std::vector<Key>& keys, std::uint64_t scratch_bytes, const Sort& sort) {
  std::vector<std::uint32_t> values(keys.size());
  const auto last = static_cast<std::uint32_t>(keys.size()) - 1;
  for (std::uint32_t i = 0; i < keys.size(); ++i) values[i] = last - i;
  std::vector<std::uint32_t> order = values;
  std::ranges::stable_sort(order, {}, [&](std::uint32_t value) { return keys[last - value]; });
  expect_pairs_become(keys, values, order, scratch_bytes, sort);
}

}  // namespace sortie::kernels

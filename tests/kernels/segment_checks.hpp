// Runs a segmented sort on the device and compares with std::stable_sort of every segment by itself. Scratch is
// poisoned, and the items before and behind the segments are watched.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "kernels/segmented_sort.hpp"
#include "kernels/special_numbers.hpp"

namespace sortie::kernels {

/// Bounds of segments of these lengths, the first of which begins at item `first`.
inline std::vector<std::uint64_t> segment_offsets(const std::vector<std::uint64_t>& lengths, std::uint64_t first) {
  std::vector<std::uint64_t> offsets(lengths.size() + 1, first);
  std::inclusive_scan(lengths.begin(), lengths.end(), offsets.begin() + 1, std::plus<>(), first);
  return offsets;
}

/// Positions of the items, every segment's sorted stably by the items' codes.
template <class Number>
std::vector<std::uint64_t> sorted_positions(const std::vector<Number>& numbers,
                                            const std::vector<std::uint64_t>& offsets, SortOrder order) {
  const KeyCodec<CodeOf<Number>> codec =
      make_key_codec<CodeOf<Number>>(kKindOf<Number>, order == SortOrder::kDescending);
  std::vector<CodeOf<Number>> codes(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) codes[i] = codec.encode(std::bit_cast<CodeOf<Number>>(numbers[i]));
  std::vector<std::uint64_t> positions(numbers.size());
  std::iota(positions.begin(), positions.end(), std::uint64_t{0});
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    std::stable_sort(positions.begin() + offsets[i], positions.begin() + offsets[i + 1],
                     [&](std::uint64_t a, std::uint64_t b) { return codes[a] < codes[b]; });
  }
  return positions;
}

/// Segments on the device, and scratch to sort them with.
class DeviceSegments {
 public:
  DeviceSegments(const std::vector<std::uint64_t>& offsets, const CudaStream& stream)
      : offsets_(offsets, stream),
        segments_{offsets_.data(), offsets.size() - 1, offsets.back() - offsets.front()},
        scratch_(segmented_sort_scratch_bytes(segments_), stream) {}

  const Segments& segments() const { return segments_; }
  void* scratch() const { return scratch_.data(); }

 private:
  DeviceArray<std::uint64_t> offsets_;
  Segments segments_;
  DeviceArray<std::byte> scratch_;
};

template <class Number>
std::vector<Number> sort_segment_keys(const std::vector<Number>& numbers, const std::vector<std::uint64_t>& offsets,
                                      SortOrder order) {
  const CudaStream stream;
  const DeviceSegments device(offsets, stream);
  const DeviceArray<Number> keys(numbers, stream);
  segmented_sort_keys(keys.data(), device.segments(), order, device.scratch(), stream.handle());
  return keys.download();
}

template <class Number>
void expect_segment_keys_sorted(const std::vector<Number>& numbers, const std::vector<std::uint64_t>& offsets,
                                SortOrder order) {
  std::vector<Number> expected(numbers.size());
  const std::vector<std::uint64_t> positions = sorted_positions(numbers, offsets, order);
  for (std::size_t i = 0; i < numbers.size(); ++i) expected[i] = numbers[positions[i]];
  expect_same_bits(sort_segment_keys(numbers, offsets, order), expected);
}

/// With the items' positions as values.
template <class Value, class Number>
void expect_segment_pairs_sorted(const std::vector<Number>& numbers, const std::vector<std::uint64_t>& offsets,
                                 SortOrder order) {
  const CudaStream stream;
  const DeviceSegments device(offsets, stream);
  std::vector<Value> values(numbers.size());
  std::iota(values.begin(), values.end(), Value{0});
  const DeviceArray<Number> keys(numbers, stream);
  const DeviceArray<Value> device_values(values, stream);
  segmented_sort_pairs(keys.data(), device_values.data(), device.segments(), order, device.scratch(), stream.handle());
  const std::vector<std::uint64_t> positions = sorted_positions(numbers, offsets, order);
  std::vector<Number> expected(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) expected[i] = numbers[positions[i]];
  expect_same_bits(keys.download(), expected);
  EXPECT_TRUE(std::ranges::equal(device_values.download(), positions));
}

/// Keys alone, and with values of both sizes.
template <class Number>
void expect_segments_sorted(const std::vector<Number>& numbers, const std::vector<std::uint64_t>& offsets,
                            SortOrder order) {
  expect_segment_keys_sorted(numbers, offsets, order);
  expect_segment_pairs_sorted<std::uint32_t>(numbers, offsets, order);
  expect_segment_pairs_sorted<std::uint64_t>(numbers, offsets, order);
}

}  // namespace sortie::kernels

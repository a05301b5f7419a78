// Runs a segmented sort on the device and compares with std::stable_sort of every segment. Scratch is poisoned, and
// the items before and behind the segments are checked.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/segmented_sort.hpp"
#include "kernels/stable_sorted.hpp"

namespace sortie::kernels {

/// The bounds of segments of these lengths. The first segment begins at item `first`.
inline std::vector<std::uint64_t> segment_offsets(const std::vector<std::uint64_t>& lengths, std::uint64_t first) {
  std::vector<std::uint64_t> offsets(lengths.size() + 1, first);
  std::inclusive_scan(lengths.begin(), lengths.end(), offsets.begin() + 1, std::plus<>(), first);
  return offsets;
}

/// The items with every segment sorted by itself, and their original positions.
template <class Number>
StableSorted<Number> stable_sorted_segments(const std::vector<Number>& numbers,
                                            const std::vector<std::uint64_t>& offsets, SortOrder order) {
  StableSorted<Number> sorted{numbers, first_positions(numbers.size())};
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    const std::uint64_t begin = offsets[i];
    const std::vector<Number> segment(numbers.begin() + begin, numbers.begin() + offsets[i + 1]);
    const StableSorted<Number> own = stable_sorted(segment, order);
    std::ranges::copy(own.numbers, sorted.numbers.begin() + begin);
    std::ranges::transform(own.positions, sorted.positions.begin() + begin,
                           [begin](std::uint64_t position) { return begin + position; });
  }
  return sorted;
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
void expect_segment_keys_sorted(const std::vector<Number>& numbers, const std::vector<std::uint64_t>& offsets,
                                SortOrder order) {
  const CudaStream stream;
  const DeviceSegments device(offsets, stream);
  const DeviceArray<Number> keys(numbers, stream);
  segmented_sort_keys(keys.data(), device.segments(), order, device.scratch(), stream.handle());
  expect_same_bits(keys.download(), stable_sorted_segments(numbers, offsets, order).numbers);
}

/// The values are the items' positions.
template <class Value, class Number>
void expect_segment_pairs_sorted(const std::vector<Number>& numbers, const std::vector<std::uint64_t>& offsets,
                                 SortOrder order) {
  const CudaStream stream;
  const DeviceSegments device(offsets, stream);
  const DeviceArray<Number> keys(numbers, stream);
  const DeviceArray<Value> values(first_positions<Value>(numbers.size()), stream);
  segmented_sort_pairs(keys.data(), values.data(), device.segments(), order, device.scratch(), stream.handle());
  const StableSorted<Number> sorted = stable_sorted_segments(numbers, offsets, order);
  expect_same_bits(keys.download(), sorted.numbers);
  EXPECT_TRUE(std::ranges::equal(values.download(), sorted.positions));
}

/// Sorts keys alone, and with values of both sizes.
template <class Number>
void expect_segments_sorted(const std::vector<Number>& numbers, const std::vector<std::uint64_t>& offsets,
                            SortOrder order) {
  expect_segment_keys_sorted(numbers, offsets, order);
  expect_segment_pairs_sorted<std::uint32_t>(numbers, offsets, order);
  expect_segment_pairs_sorted<std::uint64_t>(numbers, offsets, order);
}

}  // namespace sortie::kernels

#include <sortie/cuda/device_segmented_sort.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "cuda/sort_checks.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

using Offsets = std::vector<std::uint64_t>;

/// Segments of random lengths below `limit`, some of them empty.
Offsets random_segments(std::uint32_t segment_count, std::uint64_t limit) {
  std::mt19937_64 random(103);
  Offsets offsets{0};
  for (std::uint32_t i = 0; i < segment_count; ++i) {
    offsets.push_back(offsets.back() + (random() % 4 == 0 ? 0 : random() % limit));
  }
  return offsets;
}

void expect_segments_sorted(KeyType type, std::size_t value_bytes, const Offsets& offsets, Order order) {
  const std::uint64_t count = offsets.back();
  const auto segment_count = static_cast<std::uint32_t>(offsets.size() - 1);
  SCOPED_TRACE(name_of(type) + " with values of " + std::to_string(value_bytes) + ", " + std::to_string(count) +
               " items in " + std::to_string(segment_count) + " segments, " + name_of(order));
  const CudaStream stream;
  const ItemArray keys = make_key_items(type, Distribution::kZipf, count, 105);
  const ItemArray values = make_value_items(value_bytes, count);
  const DeviceItems items(keys, type, values, stream);
  const DeviceArray<std::uint64_t> device_offsets(offsets, stream);
  const std::size_t scratch_bytes = segmented_sort_scratch_bytes(type, value_bytes, count);
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  expect_ok(segmented_sort(items.keys(), items.values(), count, {device_offsets.data(), segment_count}, order,
                           Scratch(scratch.data(), scratch_bytes), stream.handle()));
  const std::vector<std::uint64_t> codes = codes_of(keys, type, order);
  std::vector<std::uint64_t> expected(count);
  for (std::uint64_t i = 0; i < count; ++i) expected[i] = i;
  for (std::uint32_t s = 0; s < segment_count; ++s) {
    std::stable_sort(expected.begin() + offsets[s], expected.begin() + offsets[s + 1],
                     [&](std::uint64_t a, std::uint64_t b) { return codes[a] < codes[b]; });
  }
  expect_same_items(gathered(keys, expected), items.keys_memory.download(), "keys");
  expect_same_items(gathered(values, expected), items.values_memory.download(), "values");
}

class CudaSegmentedSortGpu : public testing::TestWithParam<KeyType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, CudaSegmentedSortGpu, testing::ValuesIn(kAllKeyTypes),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(CudaSegmentedSortGpu, SortsEachSegmentByItself) {
  SORTIE_REQUIRE_GPU();
  const std::vector<Offsets> shapes = {{0},
                                       {0, 0},
                                       {0, 1},
                                       {0, 5000},
                                       {0, 0, 0, 3, 3},
                                       {0, 1, 2, 3, 4, 5},
                                       {0, 4000, 4000, 4001, 9000},
                                       random_segments(30'000, 3),
                                       random_segments(1000, 100),
                                       random_segments(7, 30'000),
                                       random_segments(40, 40'000)};
  for (const Offsets& offsets : shapes) {
    for (const std::size_t value_bytes : {0, 4, 8, 16, 3}) {
      for (const Order order : kBothOrders) expect_segments_sorted(GetParam(), value_bytes, offsets, order);
    }
  }
}

}  // namespace
}  // namespace sortie::cuda

// Shapes of radix tiles by themselves: that for GPUs with little shared memory, and that between it and large ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/radix/radix_launch.cuh"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

/// The keys have zeros where `mask` has zeros.
template <class Key, class Value, RadixShape kShape = RadixShape::kSmall>
void expect_sorted_in_tiles(std::uint64_t count, Key mask = static_cast<Key>(~Key{0})) {
  using Tile = RadixTile<kShape, sizeof(Key), sizeof(Value)>;
  static_assert(kShape != RadixShape::kSmall || sizeof(RadixPassShared<Key, Value, Tile>) <= 48 * 1024);
  const CudaStream stream;
  std::vector<Key> keys = make_keys<Key>(Distribution::kZipf, count, 25);
  for (Key& key : keys) key &= mask;
  std::vector<Value> positions(count);
  std::iota(positions.begin(), positions.end(), Value{0});
  const DeviceArray<Key> primary(keys, stream);
  const DeviceArray<Key> alternate(count, stream);
  const DeviceArray<Value> values(positions, stream);
  const DeviceArray<Value> alternate_values(count, stream);
  const DeviceArray<std::byte> scratch(radix_sort_scratch_bytes(count), stream);
  launch_radix_sort<Tile>(
      RadixArrays<Key, Value>{primary.data(), alternate.data(), values.data(), alternate_values.data()},
      static_cast<const Key*>(nullptr), PlainKeys{}, count, {0, 8 * sizeof(Key)}, scratch.data(), stream.handle());
  std::ranges::stable_sort(positions, {}, [&](Value i) { return keys[i]; });
  EXPECT_EQ(values.download(), positions);
}

TEST(RadixShapesGpu, SmallTilesSortTheSame) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t count : {2047, 2048, 2049, 100'000}) {
    SCOPED_TRACE(std::to_string(count) + " items, Zipf, seed 25");
    expect_sorted_in_tiles<std::uint32_t, std::uint32_t>(count);
    expect_sorted_in_tiles<std::uint64_t, std::uint32_t>(count);
    expect_sorted_in_tiles<std::uint64_t, std::uint64_t>(count);
  }
}

TEST(RadixShapesGpu, MiddleTilesSortTheSame) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t count : {4607, 4608, 4609, 300'000}) {
    SCOPED_TRACE(std::to_string(count) + " items, Zipf, seed 25");
    expect_sorted_in_tiles<std::uint32_t, std::uint32_t, RadixShape::kMiddle>(count);
    expect_sorted_in_tiles<std::uint64_t, std::uint64_t, RadixShape::kMiddle>(count);
  }
}

TEST(RadixShapesGpu, SmallTilesSortPackedKeys) {
  SORTIE_REQUIRE_GPU();
  expect_sorted_in_tiles<std::uint64_t, std::uint32_t>(kShortenFrom + 1, 0xff00ff00ff00ff00ULL);
}

}  // namespace
}  // namespace sortie::kernels

// Radix sorts of keys of 8 and 16 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix_sort.hpp"
#include "kernels/stable_sorted.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kRadixShortSeed = 51;

template <class Key>
void expect_short_keys_sorted(std::vector<Key> keys) {
  const CudaStream stream;
  const DeviceArray<Key> primary(keys, stream);
  const DeviceArray<Key> alternate(keys.size(), stream);
  const DeviceArray<std::byte> scratch(short_radix_sort_scratch_bytes(keys.size()), stream);
  radix_sort_keys(primary.data(), alternate.data(), keys.size(), scratch.data(), stream.handle());
  const std::vector<Key> sorted = primary.download();
  std::ranges::sort(keys);
  EXPECT_TRUE(sorted == keys);
}

template <class T>
std::vector<T> downloaded(const T* items, std::uint64_t count, const CudaStream& stream) {
  std::vector<T> host(count);
  if (count == 0) return host;
  check_cuda(cudaMemcpyAsync(host.data(), items, count * sizeof(T), cudaMemcpyDefault, stream.handle()), "download");
  stream.synchronize();
  return host;
}

/// Values are the keys' positions, complemented, so that a sort by (key, value) would not pass for a stable one.
template <class Value, class Key>
void expect_short_pairs_sorted(const std::vector<Key>& keys) {
  const CudaStream stream;
  const std::uint64_t count = keys.size();
  std::vector<Value> positions = first_positions<Value>(count);
  const auto complemented = [&] {
    std::vector<Value> values = positions;
    for (Value& value : values) value = static_cast<Value>(~value);
    return values;
  };
  const DeviceArray<Key> primary(keys, stream);
  const DeviceArray<Key> alternate(count, stream);
  const DeviceArray<Value> values(complemented(), stream);
  const DeviceArray<Value> alternate_values(count, stream);
  const DeviceArray<std::byte> scratch(short_radix_sort_scratch_bytes(count), stream);
  const SortedArrays<Key, Value> sorted = radix_sort_pairs(
      primary.data(), alternate.data(), values.data(), alternate_values.data(), count, scratch.data(), stream.handle());
  std::ranges::stable_sort(positions, {}, [&](Value i) { return keys[i]; });
  EXPECT_TRUE(downloaded(sorted.values, count, stream) == complemented());
  const std::vector<Key> sorted_keys = downloaded(sorted.keys, count, stream);
  EXPECT_TRUE(std::ranges::equal(sorted_keys, positions, {}, {}, [&](Value i) { return keys[i]; }));
}

template <class Key>
class RadixShortGpu : public testing::Test {
 public:
  static void expect_all_sorts_agree(const std::vector<Key>& keys) {
    SCOPED_TRACE(std::to_string(keys.size()) + " items, seed " + std::to_string(kRadixShortSeed));
    expect_short_keys_sorted(keys);
    expect_short_pairs_sorted<std::uint32_t>(keys);
    expect_short_pairs_sorted<std::uint64_t>(keys);
  }
};

using ShortKeys = testing::Types<std::uint8_t, std::uint16_t>;
TYPED_TEST_SUITE(RadixShortGpu, ShortKeys);

/// Around what one launch sorts, and around the tiles that are counted, filled and sorted in a pass.
TYPED_TEST(RadixShortGpu, AgreesWithStableSortOnAllDistributions) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    SCOPED_TRACE(to_string(distribution));
    for (const std::uint64_t size : {0, 1, 2, 33, 1024, 1025, 16'384, 16'385, 32'767, 32'768, 32'769, 65'536 + 7,
                                     300'007, (1 << 21) - 1, (1 << 21) + 13}) {
      TestFixture::expect_all_sorts_agree(make_keys<TypeParam>(distribution, size, kRadixShortSeed));
    }
  }
}

/// Blocks take many rounds, and counts of 16 bits would run over.
TYPED_TEST(RadixShortGpu, CountsMoreThanAWordOfABlockHolds) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    SCOPED_TRACE(to_string(distribution));
    expect_short_keys_sorted(make_keys<TypeParam>(distribution, 30'000'001, kRadixShortSeed));
  }
}

/// A tile of the output may hold the first and the last value, with nothing between them.
TYPED_TEST(RadixShortGpu, SortsTheLeastAndTheGreatestKeyAlone) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t size : {40'000, 200'003}) {
    for (const std::uint64_t of_the_least : {std::uint64_t{1}, std::uint64_t{16'384}, size / 2, size - 1}) {
      std::vector<TypeParam> keys(size, static_cast<TypeParam>(~TypeParam{0}));
      for (std::uint64_t i = 0; i < of_the_least; ++i) keys[i * 7919 % size] = 0;
      TestFixture::expect_all_sorts_agree(keys);
    }
  }
}

}  // namespace
}  // namespace sortie::kernels

#include "kernels/radix_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix_numbers.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kRadixSortSeed = 20;

template <class Key>
Key bits_of(Key key, BitRange bits) {
  const unsigned width = bits.end - bits.begin;
  const Key mask = width == 8 * sizeof(Key) ? static_cast<Key>(~Key{0}) : static_cast<Key>((Key{1} << width) - 1);
  return static_cast<Key>(key >> bits.begin) & mask;
}

/// The positions of the items in stable order.
template <class Key>
std::vector<std::uint64_t> stable_order(const std::vector<Key>& keys, BitRange bits) {
  std::vector<std::uint64_t> order = first_positions(keys.size());
  std::ranges::stable_sort(order, {}, [&](std::uint64_t i) { return bits_of(keys[i], bits); });
  return order;
}

template <class Key>
void expect_keys_sorted(const std::vector<Key>& keys, BitRange bits) {
  const CudaStream stream;
  const DeviceArray<Key> primary(keys, stream);
  const DeviceArray<Key> alternate(keys.size(), stream);
  const DeviceArray<std::byte> scratch(radix_sort_scratch_bytes(keys.size()), stream);
  radix_sort_keys(primary.data(), alternate.data(), keys.size(), bits, scratch.data(), stream.handle());
  const std::vector<Key> sorted = primary.download();
  const std::vector<std::uint64_t> order = stable_order(keys, bits);
  for (std::uint64_t i = 0; i < keys.size(); ++i) ASSERT_EQ(sorted[i], keys[order[i]]) << "at " << i;
}

template <class Key, class Value>
void expect_pairs_sorted(const std::vector<Key>& keys, BitRange bits) {
  const CudaStream stream;
  const DeviceArray<Key> primary(keys, stream);
  const DeviceArray<Key> alternate(keys.size(), stream);
  const DeviceArray<Value> values(first_positions<Value>(keys.size()), stream);
  const DeviceArray<Value> alternate_values(keys.size(), stream);
  const DeviceArray<std::byte> scratch(radix_sort_scratch_bytes(keys.size()), stream);
  radix_sort_pairs(primary.data(), alternate.data(), values.data(), alternate_values.data(), keys.size(), bits,
                   scratch.data(), stream.handle());
  const std::vector<Key> sorted = primary.download();
  const std::vector<Value> sorted_values = values.download();
  const std::vector<std::uint64_t> order = stable_order(keys, bits);
  for (std::uint64_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(sorted[i], keys[order[i]]) << "at " << i;
    ASSERT_EQ(sorted_values[i], order[i]) << "at " << i;
  }
}

template <class Key, class Value>
struct Types {
  using KeyType = Key;
  using ValueType = Value;
};

template <class T>
class RadixSortGpu : public testing::Test {};

using AllTypes = testing::Types<Types<std::uint32_t, std::uint32_t>, Types<std::uint32_t, std::uint64_t>,
                                Types<std::uint64_t, std::uint32_t>, Types<std::uint64_t, std::uint64_t>>;
TYPED_TEST_SUITE(RadixSortGpu, AllTypes);

TYPED_TEST(RadixSortGpu, AgreesWithStableSortOnAllDistributions) {
  SORTIE_REQUIRE_GPU();
  using Key = typename TypeParam::KeyType;
  using Value = typename TypeParam::ValueType;
  const BitRange all{0, 8 * sizeof(Key)};
  for (const Distribution distribution : kAllDistributions) {
    for (const std::uint64_t size :
         sizes_around(radix_tuning(RadixShape::kLarge, sizeof(Key), sizeof(Value)).tile_items())) {
      SCOPED_TRACE(to_string(distribution) + ", " + std::to_string(size) + " items, seed " +
                   std::to_string(kRadixSortSeed));
      expect_pairs_sorted<Key, Value>(make_keys<Key>(distribution, size, kRadixSortSeed), all);
    }
    for (const std::uint64_t size : sizes_around(radix_tuning(RadixShape::kLarge, sizeof(Key), 0).tile_items())) {
      SCOPED_TRACE(to_string(distribution) + ", " + std::to_string(size) + " keys, seed " +
                   std::to_string(kRadixSortSeed));
      expect_keys_sorted<Key>(make_keys<Key>(distribution, size, kRadixSortSeed), all);
    }
  }
}

TYPED_TEST(RadixSortGpu, AnyBitRangeOrdersByThoseBitsAlone) {
  SORTIE_REQUIRE_GPU();
  using Key = typename TypeParam::KeyType;
  using Value = typename TypeParam::ValueType;
  const std::vector<Key> keys = make_keys<Key>(Distribution::kUniform, 20'000, kRadixSortSeed);
  for (const BitRange bits : {BitRange{0, 1}, BitRange{3, 14}, BitRange{0, 24}, BitRange{8, 32}, BitRange{5, 5}}) {
    SCOPED_TRACE("bits " + std::to_string(bits.begin) + " to " + std::to_string(bits.end));
    expect_pairs_sorted<Key, Value>(keys, bits);
  }
}

/// In one block, in a cluster, by samples and in tiles; the last sort looks at its keys.
TYPED_TEST(RadixSortGpu, FewDigitsAreTakenWhetherTheyVaryOrNot) {
  SORTIE_REQUIRE_GPU();
  using Key = typename TypeParam::KeyType;
  using Value = typename TypeParam::ValueType;
  for (const Distribution distribution :
       {Distribution::kUniform, Distribution::kSorted, Distribution::kFewValued, Distribution::kConstant}) {
    for (const std::uint64_t size : {std::uint64_t{2}, std::uint64_t{700}, std::uint64_t{7'000}, std::uint64_t{50'000},
                                     std::uint64_t{300'001}, kShortenFrom - 1, kShortenFrom}) {
      const std::vector<Key> keys = make_keys<Key>(distribution, size, kRadixSortSeed);
      for (const BitRange bits : {BitRange{8, 24}, BitRange{0, 8}, BitRange{5, 14}}) {
        SCOPED_TRACE(to_string(distribution) + ", " + std::to_string(size) + " items, bits from " +
                     std::to_string(bits.begin));
        expect_keys_sorted<Key>(keys, bits);
        expect_pairs_sorted<Key, Value>(keys, bits);
      }
    }
  }
}

TYPED_TEST(RadixSortGpu, ConstantDigitsAreSkippedAndTheResultComesHome) {
  SORTIE_REQUIRE_GPU();
  using Key = typename TypeParam::KeyType;
  using Value = typename TypeParam::ValueType;
  for (const std::uint64_t varying : {0xff00ULL, 0xff0000ffULL, 0xff00ffffULL, 0xffff00ffff00ff00ULL, 0ULL}) {
    SCOPED_TRACE("bits that vary: " + std::to_string(varying));
    std::vector<Key> keys = make_keys<Key>(Distribution::kUniform, 30'000, kRadixSortSeed);
    for (Key& key : keys) key = static_cast<Key>((key & varying) | (0x5a5a5a5a5a5a5a5aULL & ~varying));
    expect_pairs_sorted<Key, Value>(keys, {0, 8 * sizeof(Key)});
  }
}

TEST(RadixSortScratch, StaysSmallHoweverLongTheInput) {
  EXPECT_LT(radix_sort_scratch_bytes(1), 64U << 10);
  EXPECT_LT(radix_sort_scratch_bytes(std::uint64_t{1} << 36), 38U << 20);
  EXPECT_EQ(radix_sort_scratch_bytes(std::uint64_t{1} << 36), radix_sort_scratch_bytes(std::uint64_t{1} << 33));
}

}  // namespace
}  // namespace sortie::kernels

#include <sortie/cuda/device_radix_sort.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "cuda/sort_checks.hpp"
#include "kernels/radix_sort_long_values.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

struct RadixSorter {
  static std::size_t scratch_bytes(KeyType type, std::size_t value_bytes, std::uint64_t count) {
    return radix_sort_scratch_bytes(type, value_bytes, count);
  }
  static Status sort(Keys keys, Values values, std::uint64_t count, Order order, Scratch scratch, cudaStream_t stream) {
    return radix_sort(keys, values, count, order, scratch, stream);
  }
};

class CudaRadixSortGpu : public testing::TestWithParam<KeyType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, CudaRadixSortGpu, testing::ValuesIn(kTypesOfAnyOrder),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(CudaRadixSortGpu, AgreesWithStableSortOnAllDistributions) {
  SORTIE_REQUIRE_GPU();
  expect_all_distributions_sorted<RadixSorter>(GetParam(), {0, 4, 8, 16},
                                               {0, 1, 2, 3, 1023, 1024, 1025, 8191, 8192, 8193, 16'385, 70'001});
}

TEST_P(CudaRadixSortGpu, SortsManyTiles) {
  SORTIE_REQUIRE_GPU();
  for (const std::size_t value_bytes : {0, 4, 8, 16}) {
    for (const Distribution distribution : {Distribution::kUniform, Distribution::kFewValued}) {
      for (const Order order : kBothOrders) {
        expect_sorted<RadixSorter>({GetParam(), value_bytes, distribution, 600'001, order});
        expect_sorted<RadixSorter>({GetParam(), value_bytes, distribution, (1 << 21) + 5, order});
      }
    }
  }
}

TEST_P(CudaRadixSortGpu, ValuesOfAnySizeTravel) {
  SORTIE_REQUIRE_GPU();
  for (const std::size_t value_bytes : {1, 2, 3, 12, 24, 100, 3000}) {
    for (const std::uint64_t count : {1, 2, 1025, 5003}) {
      expect_sorted<RadixSorter>({GetParam(), value_bytes, Distribution::kFewValued, count, Order::kDescending});
    }
  }
}

TEST_P(CudaRadixSortGpu, ArgsortGivesStablePositionsAndLeavesKeysAlone) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  for (const std::uint64_t count : {0, 1, 2, 8193, 70'001, 600'001}) {
    for (const Order order : kBothOrders) {
      SCOPED_TRACE(std::to_string(count) + " items, " + name_of(order));
      // The keys begin one key behind the start of the memory: they need no alignment.
      const ItemArray keys = make_key_items(GetParam(), Distribution::kFewValued, count + 1, 73);
      const DeviceArray<std::byte> keys_memory(keys.bytes, stream);
      const ConstKeys device_keys(keys_memory.data() + keys.size, GetParam());
      const ItemArray own{keys.size, Bytes(keys.bytes.begin() + keys.size, keys.bytes.end())};
      const std::vector<std::uint64_t> expected = stable_order(own, GetParam(), order);

      const DeviceArray<std::int64_t> positions(count, stream);
      const std::size_t scratch_bytes = argsort_scratch_bytes(GetParam(), 8, count);
      const DeviceArray<std::byte> scratch(scratch_bytes, stream);
      expect_ok(argsort(device_keys, positions.data(), count, order, Scratch(scratch.data(), scratch_bytes),
                        stream.handle()));
      EXPECT_TRUE(std::ranges::equal(positions.download(), expected));

      const DeviceArray<std::uint32_t> short_positions(count, stream);
      StreamAllocator allocator;
      expect_ok(argsort(device_keys, short_positions.data(), count, order, allocator, stream.handle()));
      EXPECT_TRUE(std::ranges::equal(short_positions.download(), expected));
      expect_same_items(keys, keys_memory.download(), "keys");
    }
  }
}

TEST_P(CudaRadixSortGpu, SortsWithPositionsAndLeavesKeysAlone) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  for (const std::uint64_t count : {0, 1, 2, 4096, 8193, 600'001, (1 << 20) + 7}) {
    for (const Order order : kBothOrders) {
      SCOPED_TRACE(std::to_string(count) + " items, " + name_of(order));
      // Many keys may be read where they are if they are aligned; but they need not be.
      const std::size_t shift = order == Order::kAscending ? 0 : 1;
      const ItemArray keys = make_key_items(GetParam(), Distribution::kFewValued, count, 79);
      Bytes shifted(shift);
      shifted.insert(shifted.end(), keys.bytes.begin(), keys.bytes.end());
      const DeviceArray<std::byte> keys_memory(shifted, stream);
      const ConstKeys device_keys(keys_memory.data() + shift, GetParam());
      const DeviceArray<std::byte> sorted(keys.bytes.size(), stream);
      const DeviceArray<std::int64_t> positions(count, stream);
      const std::size_t scratch_bytes = sort_with_positions_scratch_bytes(GetParam(), 8, count);
      const DeviceArray<std::byte> scratch(scratch_bytes, stream);
      expect_ok(sort_with_positions(device_keys, Keys(sorted.data(), GetParam()), positions.data(), count, order,
                                    Scratch(scratch.data(), scratch_bytes), stream.handle()));
      const std::vector<std::uint64_t> expected = stable_order(keys, GetParam(), order);
      EXPECT_TRUE(std::ranges::equal(positions.download(), expected));
      expect_same_items(gathered(keys, expected), sorted.download(), "sorted keys");
      EXPECT_EQ(keys_memory.download(), shifted) << "keys changed";
    }
  }
}

/// Every key a NaN or a zero of some kind: all bits are saved, in every tile. And keys of which one alone is.
TEST(CudaRadixSortByValueGpu, EqualFloatsKeepOrderAndBits) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  for (const KeyType type : kTypesByValue) {
    for (const bool all : {false, true}) {
      constexpr std::uint64_t kCount = 100'003;
      SCOPED_TRACE(name_of(type) + (all ? ", all special" : ", one special"));
      ItemArray keys = make_key_items(type, Distribution::kConstant, 0, 1);
      keys.size = bytes_of(type);
      std::mt19937_64 random(80);
      const std::uint64_t sign = std::uint64_t{1} << (8 * keys.size - 1);
      for (std::uint64_t i = 0; i < kCount; ++i) {
        std::uint64_t bits = all ? (infinity_of(type) + 1 + random() % 99) : 1 + random() % 999;
        if (all && random() % 2 == 0) bits = 0;
        if (random() % 2 == 0 && (all || bits > 0)) bits |= sign;
        if (!all && i == 77'777) bits = sign;
        const auto* const begin = reinterpret_cast<const std::byte*>(&bits);
        keys.bytes.insert(keys.bytes.end(), begin, begin + keys.size);
      }
      const ItemArray values = make_value_items(8, kCount);
      const DeviceItems items(keys, type, values, stream);
      StreamAllocator allocator;
      expect_ok(radix_sort(items.keys(), items.values(), kCount, Order::kDescending, allocator, stream.handle()));
      const std::vector<std::uint64_t> order = stable_order(keys, type, Order::kDescending);
      expect_same_items(gathered(keys, order), items.keys_memory.download(), "keys");
      expect_same_items(gathered(values, order), items.values_memory.download(), "values");
    }
  }
}

class CudaArgsortGpu : public testing::TestWithParam<KeyType> {};

INSTANTIATE_TEST_SUITE_P(WideTypes, CudaArgsortGpu, testing::ValuesIn(kWideKeyTypes),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(CudaArgsortGpu, ReadsManyKeysWhereTheyAre) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  StreamAllocator allocator;
  for (const std::uint64_t count : {(std::uint64_t{1} << 20) + 3, std::uint64_t{4'200'017}}) {
    for (const Distribution distribution : kAllDistributions) {
      const Order order = count % 4 == 3 ? Order::kDescending : Order::kAscending;
      SCOPED_TRACE(std::to_string(count) + " items, " + to_string(distribution));
      const ItemArray keys = make_key_items(GetParam(), distribution, count, 79);
      const DeviceArray<std::byte> keys_memory(keys.bytes, stream);
      const std::vector<std::uint64_t> expected = stable_order(keys, GetParam(), order);
      const ConstKeys device_keys(keys_memory.data(), GetParam());
      const DeviceArray<std::uint32_t> positions(count, stream);
      expect_ok(argsort(device_keys, positions.data(), count, order, allocator, stream.handle()));
      EXPECT_TRUE(std::ranges::equal(positions.download(), expected));
      expect_same_items(keys, keys_memory.download(), "keys");
    }
  }
}

TEST(CudaArgsortOrderedGpu, GivesThePositionsOfKeysThatNeedNoPass) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  StreamAllocator allocator;
  constexpr std::uint64_t kCount = 2'100'001;
  std::vector<std::uint32_t> keys(kCount, 5);
  for (const bool are_equal : {true, false}) {
    for (std::uint64_t i = 0; i < kCount; ++i) keys[i] = are_equal ? 5 : static_cast<std::uint32_t>(i);
    const DeviceArray<std::uint32_t> device_keys(keys, stream);
    const DeviceArray<std::uint64_t> positions(kCount, stream);
    expect_ok(argsort(ConstKeys(device_keys.data(), KeyType::kUint32), positions.data(), kCount, Order::kAscending,
                      allocator, stream.handle()));
    const std::vector<std::uint64_t> sorted = positions.download();
    for (std::uint64_t i = 0; i < kCount; ++i) ASSERT_EQ(sorted[i], i);
  }
}

/// So many pairs that buckets are counted (kernels/radix/radix_buckets.cuh).
TEST(CudaArgsortOfBucketsGpu, IsStable) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  StreamAllocator allocator;
  constexpr std::uint64_t kCount = (std::uint64_t{1} << 26) + 5;
  std::vector<std::uint32_t> keys(kCount);
  for (std::uint64_t i = 0; i < kCount; ++i) keys[i] = static_cast<std::uint32_t>(scramble(i % (kCount / 2)));
  const DeviceArray<std::uint32_t> device_keys(keys, stream);
  const DeviceArray<std::uint64_t> positions(kCount, stream);
  expect_ok(argsort(ConstKeys(device_keys.data(), KeyType::kUint32), positions.data(), kCount, Order::kAscending,
                    allocator, stream.handle()));
  const std::vector<std::uint64_t> sorted = positions.download();
  std::vector<bool> is_there(kCount);
  for (std::uint64_t i = 0; i < kCount; ++i) {
    ASSERT_LT(sorted[i], kCount);
    ASSERT_FALSE(is_there[sorted[i]]) << "twice";
    is_there[sorted[i]] = true;
    if (i == 0) continue;
    const std::uint64_t before = sorted[i - 1];
    ASSERT_TRUE(keys[before] < keys[sorted[i]] || (keys[before] == keys[sorted[i]] && before < sorted[i])) << i;
  }
}

/// `shift`: of the values, in bytes, from an address that is aligned.
void expect_shifted_values_sorted(std::size_t value_bytes, std::size_t shift, std::uint64_t count) {
  SCOPED_TRACE(std::to_string(count) + " values of " + std::to_string(value_bytes));
  const CudaStream stream;
  const ItemArray keys = make_key_items(KeyType::kFloat32, Distribution::kZipf, count, 75);
  const ItemArray values = make_value_items(value_bytes, count);
  const DeviceArray<std::byte> keys_memory(keys.bytes, stream);
  Bytes shifted(shift + values.bytes.size());
  std::ranges::copy(values.bytes, shifted.begin() + static_cast<std::ptrdiff_t>(shift));
  const DeviceArray<std::byte> values_memory(shifted, stream);
  StreamAllocator allocator;
  expect_ok(radix_sort(Keys(keys_memory.data(), KeyType::kFloat32), Values(values_memory.data() + shift, value_bytes),
                       count, Order::kAscending, allocator, stream.handle()));
  const std::vector<std::uint64_t> order = stable_order(keys, KeyType::kFloat32, Order::kAscending);
  Bytes sorted = values_memory.download();
  const auto first = sorted.begin() + static_cast<std::ptrdiff_t>(shift);
  EXPECT_TRUE(std::equal(sorted.begin(), first, shifted.begin())) << "bytes in front of the values changed";
  sorted.erase(sorted.begin(), first);
  expect_same_items(gathered(values, order), sorted, "values");
}

TEST(CudaRadixSortValuesGpu, NeedNoAlignmentUnlessTheyMoveWithTheKeys) {
  SORTIE_REQUIRE_GPU();
  expect_shifted_values_sorted(13, 5, 10'007);
  for (const std::uint64_t count : {100, 5000, 10'007}) expect_shifted_values_sorted(16, 8, count);
}

/// Values of 16 bytes: by a network, by samples, by way of positions beyond, and by digits where they are many.
TEST(CudaRadixSortValuesGpu, LongOnesMoveWithFewKeysAndWithMany) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kMost = kernels::kFewLongValues;
  for (const KeyType type : {KeyType::kUint32, KeyType::kInt32, KeyType::kFloat32ByValue}) {
    for (const std::uint64_t count :
         {std::uint64_t{1024}, std::uint64_t{1025}, std::uint64_t{8192}, std::uint64_t{8193}, kMost / 2 + 1, kMost,
          kMost + 1, kernels::kManyLongValues + 1}) {
      for (const Distribution distribution :
           {Distribution::kUniform, Distribution::kFewValued, Distribution::kSorted}) {
        for (const Order order : kBothOrders) expect_sorted<RadixSorter>({type, 16, distribution, count, order});
      }
    }
  }
}

template <class Key>
void expect_sorted_by_bits(KeyBits bits, std::size_t value_bytes) {
  SCOPED_TRACE("bits " + std::to_string(bits.begin) + " to " + std::to_string(bits.end));
  const CudaStream stream;
  constexpr std::uint64_t kCount = 20'011;
  const KeyType type = key_type_of<Key>();
  const ItemArray keys = make_key_items(type, Distribution::kUniform, kCount, 77);
  const ItemArray values = make_value_items(value_bytes, kCount);
  const DeviceItems items(keys, type, values, stream);
  StreamAllocator allocator;
  expect_ok(radix_sort_by_bits(items.keys(), items.values(), kCount, bits, allocator, stream.handle()));
  std::vector<std::uint64_t> codes = codes_of(keys, type, Order::kAscending);
  const unsigned width = bits.end - bits.begin;
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  for (std::uint64_t& code : codes) code = bits.begin == 64 ? 0 : code >> bits.begin & mask;
  const std::vector<std::uint64_t> order = stable_order(codes);
  expect_same_items(gathered(keys, order), items.keys_memory.download(), "keys");
  expect_same_items(gathered(values, order), items.values_memory.download(), "values");
}

TEST(CudaRadixSortByBitsGpu, OrdersByTheseBitsAlone) {
  SORTIE_REQUIRE_GPU();
  for (const std::size_t value_bytes : {0, 4, 8, 16}) {
    for (const KeyBits bits :
         {KeyBits{0, 1}, KeyBits{3, 14}, KeyBits{0, 24}, KeyBits{8, 32}, KeyBits{5, 5}, KeyBits{0, 32}}) {
      expect_sorted_by_bits<std::uint32_t>(bits, value_bytes);
      expect_sorted_by_bits<std::uint64_t>(bits, value_bytes);
    }
    expect_sorted_by_bits<std::uint64_t>({40, 64}, value_bytes);
  }
}

TEST(CudaRadixSortScratch, IsTwiceTheItemsAndLittleMore) {
  constexpr std::uint64_t kCount = 1 << 28;
  EXPECT_LT(radix_sort_scratch_bytes(KeyType::kUint64, 0, kCount), 8 * kCount + (40U << 20));
  EXPECT_LT(radix_sort_scratch_bytes(KeyType::kUint32, 4, kCount), 8 * kCount + (40U << 20));
  EXPECT_LT(radix_sort_scratch_bytes(KeyType::kUint32, 16, kCount), 28 * kCount + (40U << 20));
  EXPECT_LT(argsort_scratch_bytes(KeyType::kFloat16, 4, kCount), 8 * kCount + (40U << 20));
  EXPECT_LT(sort_with_positions_scratch_bytes(KeyType::kFloat32ByValue, 8, kCount), 12 * kCount + (40U << 20));
  EXPECT_LT(radix_sort_scratch_bytes(KeyType::kFloat32ByValue, 0, kCount), 4 * kCount + (40U << 20));
  EXPECT_LT(radix_sort_scratch_bytes(KeyType::kFloat32ByValue, 4, kCount), 12 * kCount + (40U << 20));
}

}  // namespace
}  // namespace sortie::cuda

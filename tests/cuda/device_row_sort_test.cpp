#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <sortie/cuda/device_segmented_sort.hpp>

#include "cuda/sort_checks.hpp"
#include "cuda/test_allocators.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

constexpr std::uint64_t kRowSeed = 109;

/// What is wanted of a sort of rows.
enum class RowResult { kKeys, kKeysInPlace, kPlaces, kBoth };

std::string to_string(RowResult result) {
  constexpr const char* kNames[] = {"keys", "keys in place", "places", "both"};
  return kNames[static_cast<int>(result)];
}

struct RowCase {
  KeyType type;
  Rows rows;
  Order order = Order::kAscending;
  RowResult result = RowResult::kBoth;
  std::size_t place_bytes = 8;
  Distribution distribution = Distribution::kFewValued;

  std::uint64_t count() const { return rows.row_count * rows.row_items; }
  bool has_places() const { return result == RowResult::kPlaces || result == RowResult::kBoth; }
  std::string describe() const {
    return name_of(type) + ", " + std::to_string(rows.row_count) + " rows of " + std::to_string(rows.row_items) + ", " +
           name_of(order) + ", " + to_string(result) + ", places of " + std::to_string(place_bytes) + ", " +
           to_string(distribution) + ", seed " + std::to_string(kRowSeed);
  }
};

/// The items of each row in order. `is_stable`: whether keys of one value keep their order.
std::vector<std::uint64_t> order_of_rows(const ItemArray& keys, const RowCase& test, bool is_stable) {
  const auto codes =
      is_stable ? codes_of(keys, test.type, test.order) : codes_without_values(keys, test.type, test.order);
  std::vector<std::uint64_t> order(test.count());
  for (std::uint64_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::uint64_t begin = 0; begin < order.size(); begin += test.rows.row_items) {
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(begin);
    std::stable_sort(first, first + static_cast<std::ptrdiff_t>(test.rows.row_items),
                     [&](std::uint64_t a, std::uint64_t b) { return codes[a] < codes[b]; });
  }
  return order;
}

ItemArray places_of(const std::vector<std::uint64_t>& order, const RowCase& test) {
  ItemArray places{test.place_bytes, Bytes(order.size() * test.place_bytes)};
  for (std::uint64_t i = 0; i < order.size(); ++i) {
    const std::uint64_t place = order[i] % test.rows.row_items;
    std::memcpy(places.bytes.data() + i * test.place_bytes, &place, test.place_bytes);
  }
  return places;
}

void expect_rows_sorted(const RowCase& test, const ItemArray& keys) {
  SCOPED_TRACE(test.describe());
  const CudaStream stream;
  const bool is_short = test.rows.row_items <= kMostItemsOfShortRow;
  const std::size_t place_bytes = test.has_places() ? test.place_bytes : 0;
  const DeviceArray<std::byte> given(keys.bytes, stream);
  const DeviceArray<std::byte> sorted(keys.bytes.size(), stream);
  const DeviceArray<std::byte> places(test.count() * place_bytes, stream);
  const std::size_t scratch_bytes = sort_rows_scratch_bytes(test.type, place_bytes, test.rows);
  EXPECT_EQ(scratch_bytes == 0, is_short);
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  const bool gives_keys = test.result != RowResult::kPlaces || !is_short;
  void* const to = test.result == RowResult::kKeysInPlace ? given.data() : gives_keys ? sorted.data() : nullptr;
  expect_ok(sort_rows(ConstKeys(given.data(), test.type), Keys(to, test.type), Positions(places.data(), place_bytes),
                      test.rows, test.order, Scratch(scratch.data(), scratch_bytes), stream.handle()));
  const auto order = order_of_rows(keys, test, test.has_places() || !is_short);
  const Bytes result = (test.result == RowResult::kKeysInPlace ? given : sorted).download();
  if (gives_keys) expect_same_items(gathered(keys, order), result, "keys");
  if (test.has_places()) expect_same_items(places_of(order, test), places.download(), "places");
  if (test.result != RowResult::kKeysInPlace) expect_same_items(keys, given.download(), "keys that were given");
}

void expect_rows_sorted(const RowCase& test) {
  expect_rows_sorted(test, make_key_items(test.type, test.distribution, test.count(), kRowSeed));
}

class CudaRowSortGpu : public testing::TestWithParam<KeyType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, CudaRowSortGpu, testing::ValuesIn(kTypesOfAnyOrder),
                         [](const auto& test) { return name_of(test.param); });

constexpr RowResult kAllResults[] = {RowResult::kKeys, RowResult::kKeysInPlace, RowResult::kPlaces, RowResult::kBoth};

/// So few items that a checker of races gets through, but a row for each kind of team, and rows that fill no block.
TEST_P(CudaRowSortGpu, SortsRowsOfEachLength) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t items :
       {1, 2, 7, 8, 9, 16, 30, 64, 65, 128, 250, 384, 385, 512, 700, 768, 1023, 1024, 2048, 2049, 4095, 4096, 4097}) {
    for (const RowResult result : kAllResults) {
      for (const Order order : kBothOrders) expect_rows_sorted({GetParam(), {3, items}, order, result});
    }
  }
}

TEST_P(CudaRowSortGpu, SortsManyRows) {
  SORTIE_REQUIRE_GPU();
  for (const Rows& rows : {Rows{100'003, 3}, Rows{5001, 100}, Rows{1003, 1000}, Rows{70, 4000}, Rows{20, 10'000}}) {
    for (const RowResult result : {RowResult::kKeys, RowResult::kBoth}) {
      expect_rows_sorted({GetParam(), rows, Order::kDescending, result, 4, Distribution::kUniform});
    }
  }
}

TEST_P(CudaRowSortGpu, SortsNothing) {
  SORTIE_REQUIRE_GPU();
  for (const Rows& rows : {Rows{0, 0}, Rows{0, 5}, Rows{5, 0}, Rows{0, 5000}}) expect_rows_sorted({GetParam(), rows});
}

/// The highest codes are those that fill up teams.
TEST(CudaRowSortShapesGpu, TakesNoItemForPadding) {
  SORTIE_REQUIRE_GPU();
  for (const KeyType type : {KeyType::kUint8, KeyType::kUint16, KeyType::kUint32, KeyType::kUint64}) {
    for (const std::uint64_t items : {3, 33, 300, 1000, 3000}) {
      const CudaStream stream;
      const Rows rows{10, items};
      const DeviceArray<std::byte> keys(Bytes(10 * items * bytes_of(type), std::byte{0xff}), stream);
      const DeviceArray<std::byte> sorted(10 * items * bytes_of(type), stream);
      const DeviceArray<std::uint32_t> places(10 * items, stream);
      expect_ok(sort_rows(ConstKeys(keys.data(), type), Keys(sorted.data(), type), places.data(), rows,
                          Order::kAscending, Scratch(nullptr, 0), stream.handle()));
      EXPECT_EQ(sorted.download(), keys.download());
      const std::vector<std::uint32_t> found = places.download();
      for (std::uint64_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], i % items);
    }
  }
}

TEST(CudaRowSortShapesGpu, SortsKeysOfAllDistributions) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    for (const KeyType type : {KeyType::kInt16, KeyType::kFloat32ByValue, KeyType::kInt64}) {
      for (const std::uint64_t items : {100, 1024}) {
        expect_rows_sorted({type, {50, items}, Order::kAscending, RowResult::kBoth, 8, distribution});
      }
    }
  }
}

/// With places, so many bits of 64 do not fit: keys that agree in the others, few or many of them, and all of a row.
TEST(CudaRowSortShapesGpu, SortsKeysThatDifferInTheirLowestBits) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(kRowSeed);
  for (const std::uint64_t items : {2, 30, 100, 300, 1000, 4096}) {
    for (const std::uint64_t alike : {2, 50, 5000}) {
      ItemArray keys{8, Bytes(8 * 7 * items)};
      for (std::uint64_t i = 0; i < 7 * items; ++i) {
        const std::uint64_t key = (i % 2 << 63) | (random() % (items / alike + 1) << 13) | random() % 4096;
        std::memcpy(keys.bytes.data() + 8 * i, &key, 8);
      }
      for (const KeyType type : {KeyType::kUint64, KeyType::kInt64, KeyType::kFloat64, KeyType::kFloat64ByValue}) {
        for (const Order order : kBothOrders) expect_rows_sorted({type, {7, items}, order}, keys);
      }
    }
  }
}

/// What keys of a row have in common beside their 12 lowest bits.
enum class RowShape { kOneOutlier, kFewOutliers, kTwoClusters, kFewThatDiffer, kFewTwins };

std::uint64_t key_of_shape(RowShape shape, std::uint64_t i, std::uint64_t items, std::mt19937_64& random) {
  constexpr std::uint64_t kHigh = std::uint64_t{1} << 63;
  const std::uint64_t low = random() % 4096;
  switch (shape) {
    case RowShape::kOneOutlier:
      return low | (i % items == items / 3 ? kHigh : 0);
    case RowShape::kFewOutliers:
      return random() % 64 == 0 ? random() : low;
    case RowShape::kTwoClusters:
      return low | (random() % 2 == 0 ? kHigh : 0);
    case RowShape::kFewThatDiffer:
      return i % items == 1 ? kHigh : random() % 50 == 0 ? low : 7;
    case RowShape::kFewTwins:
      return low | (random() % (4 * items) << 12) | (i % items == 0 ? kHigh : 0);
  }
  return low;
}

/// Keys of which so many agree in the bits that fit beside a place that a row is sorted twice.
TEST(CudaRowSortShapesGpu, SortsRowsOfOutliersAndClusters) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(kRowSeed);
  for (const RowShape shape : {RowShape::kOneOutlier, RowShape::kFewOutliers, RowShape::kTwoClusters,
                               RowShape::kFewThatDiffer, RowShape::kFewTwins}) {
    for (const std::uint64_t items : {2, 7, 31, 100, 300, 1000, 1024, 2047, 4095, 4096, 5000}) {
      SCOPED_TRACE("shape " + std::to_string(static_cast<int>(shape)));
      constexpr std::uint64_t kRowCount = 21;
      ItemArray keys{8, Bytes(8 * kRowCount * items)};
      for (std::uint64_t i = 0; i < kRowCount * items; ++i) {
        const std::uint64_t key = key_of_shape(shape, i, items, random);
        std::memcpy(keys.bytes.data() + 8 * i, &key, 8);
      }
      for (const KeyType type : {KeyType::kUint64, KeyType::kInt64, KeyType::kFloat64ByValue}) {
        for (const RowResult result : {RowResult::kPlaces, RowResult::kBoth}) {
          expect_rows_sorted({type, {kRowCount, items}, Order::kAscending, result, 4}, keys);
        }
        expect_rows_sorted({type, {kRowCount, items}, Order::kDescending}, keys);
      }
    }
  }
}

TEST(CudaRowSort, RefusesWhatItCannotSort) {
  alignas(16) std::byte memory[1024]{};
  const Keys keys(memory, KeyType::kInt32);
  const Keys others(memory + 256, KeyType::kInt32);
  const Positions none(nullptr, 0);
  const auto message = [&](const Keys& sorted, const Positions& places, const Rows& rows) {
    return sort_rows(keys, sorted, places, rows, Order::kAscending, Scratch(nullptr, 0), nullptr).message();
  };
  EXPECT_EQ(message(keys, Positions(memory + 512, 8), {1, 10}),
            "keys with places are sorted into another array: give one");
  EXPECT_EQ(message(Keys(memory + 4, KeyType::kInt32), none, {1, 10}),
            "keys and sorted keys overlap: give each memory of its own");
  EXPECT_EQ(message(others, Positions(memory + 512, 2), {1, 10}), "places have 4 or 8 bytes, or none");
  EXPECT_EQ(message(others, none, {std::uint64_t{1} << 32, 1}), "2^32 or more rows: sort them in parts");
  EXPECT_EQ(message(Keys(memory + 256, KeyType::kInt64), none, {1, 10}), "keys and sorted keys are of different types");
  EXPECT_EQ(message(Keys(nullptr, KeyType::kInt32), none, {1, 10}),
            "sorted keys: null, give an array in device memory");
}

/// Else the sort within, which takes no others, would refuse them when keys and places are written.
TEST(CudaRowSort, RefusesPlacesOfLongRowsThatAreNotAligned) {
  alignas(256) static std::byte memory[1 << 18]{};
  const Keys keys(memory, KeyType::kInt32);
  const Keys sorted(memory + (1 << 16), KeyType::kInt32);
  EmptyAllocator allocator;
  const auto sort = [&](std::size_t places, std::uint64_t row_items) {
    return sort_rows(keys, sorted, Positions(memory + places, 8), {1, row_items}, Order::kAscending, allocator,
                     nullptr);
  };
  EXPECT_EQ(sort((1 << 17) + 8, kMostItemsOfShortRow + 1).message(),
            "places: not aligned to 16 bytes, begin at such an address");
  EXPECT_EQ(sort(1 << 17, kMostItemsOfShortRow + 1).code(), StatusCode::kOutOfMemory);
}

}  // namespace
}  // namespace sortie::cuda

#include <sortie/cuda/device_sets.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

#include "cuda/sort_checks.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

/// Items of a tile of unique(), and of a set operation, as the kernels have them for keys of some size.
constexpr std::uint64_t kUniqueTiles[] = {2048, 4096, 8192, 16384};
constexpr std::uint64_t kSetTiles[] = {std::uint64_t{512} * 11, std::uint64_t{512} * 15, std::uint64_t{512} * 31};

/// A sorted list on the host. The values tell which list an item is of, and which item of it.
struct HostList {
  HostList(KeyType type, std::size_t value_bytes, std::uint64_t count, Order order, Distribution distribution,
           std::uint64_t seed) {
    const ItemArray drawn = make_key_items(type, distribution, count, seed);
    keys = gathered(drawn, stable_order(drawn, type, order));
    codes = codes_of(keys, type, order);
    values = make_value_items(value_bytes, count);
    for (std::byte& byte : values.bytes) byte ^= static_cast<std::byte>(seed);
  }

  std::uint64_t count() const { return codes.size(); }

  ItemArray keys;
  ItemArray values;
  std::vector<std::uint64_t> codes;
};

SortedList on_device(const DeviceItems& items, std::uint64_t count) { return {items.keys(), items.values(), count}; }

/// The first `count` items of what a call has written behind it is poison, which must be left.
void expect_kept(const ItemArray& expected, const Bytes& actual, const char* what) {
  ASSERT_LE(expected.bytes.size(), actual.size());
  const auto end = actual.begin() + static_cast<std::ptrdiff_t>(expected.bytes.size());
  expect_same_items(expected, Bytes(actual.begin(), end), what);
  EXPECT_TRUE(std::all_of(end, actual.end(), [](std::byte byte) { return byte == std::byte{kPoison}; }))
      << what << ": something was written behind the items that are kept";
}

DeviceItems poisoned_items(KeyType type, std::size_t value_bytes, std::uint64_t count, const CudaStream& stream) {
  const ItemArray keys{bytes_of(type), Bytes(count * bytes_of(type), std::byte{kPoison})};
  const ItemArray values{value_bytes, Bytes(count * value_bytes, std::byte{kPoison})};
  return {keys, type, values, stream};
}

void expect_unique(KeyType type, std::size_t value_bytes, std::uint64_t count, Distribution distribution, Order order,
                   Keep keep) {
  SCOPED_TRACE(name_of(type) + " with values of " + std::to_string(value_bytes) + ", " + std::to_string(count) +
               " items, " + to_string(distribution) + ", " + name_of(order));
  const CudaStream stream;
  const HostList list(type, value_bytes, count, order, distribution, 107);
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < count; ++i) {
    const bool is_first = i == 0 || list.codes[i] != list.codes[i - 1];
    const bool is_last = i + 1 == count || list.codes[i] != list.codes[i + 1];
    if (keep == Keep::kFirst ? is_first : is_last) expected.push_back(i);
  }
  const DeviceItems items(list.keys, type, list.values, stream);
  const DeviceItems output = poisoned_items(type, value_bytes, count, stream);
  const DeviceArray<std::uint64_t> kept_count(1, stream);
  const std::size_t scratch_bytes = unique_scratch_bytes(count);
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  expect_ok(unique(on_device(items, count), output.keys(), output.values(), kept_count.data(), keep,
                   Scratch(scratch.data(), scratch_bytes), stream.handle()));
  ASSERT_EQ(kept_count.download()[0], expected.size());
  expect_kept(gathered(list.keys, expected), output.keys_memory.download(), "keys");
  expect_kept(gathered(list.values, expected), output.values_memory.download(), "values");
}

class CudaUniqueGpu : public testing::TestWithParam<KeyType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, CudaUniqueGpu, testing::ValuesIn(kTypesOfAnyOrder),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(CudaUniqueGpu, KeepsTheFirstOrTheLastOfEqualKeys) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::uint64_t> counts = {0, 1, 2, 50'021};
  for (const std::uint64_t tile : kUniqueTiles) counts.insert(counts.end(), {tile - 1, tile, tile + 1, 2 * tile});
  for (const std::uint64_t count : counts) {
    for (const std::size_t value_bytes : {0, 4, 8, 16, 3}) {
      for (const Keep keep : {Keep::kFirst, Keep::kLast}) {
        expect_unique(GetParam(), value_bytes, count, Distribution::kUniform, Order::kAscending, keep);
        expect_unique(GetParam(), value_bytes, count, Distribution::kConstant, Order::kAscending, keep);
        expect_unique(GetParam(), value_bytes, count, Distribution::kZipf, Order::kDescending, keep);
      }
    }
  }
}

/// Unique of many keys, which begin anywhere in memory, with their positions.
template <class Key, class Position>
void expect_unique_of_many(std::uint64_t count, unsigned offset, Keep keep) {
  SCOPED_TRACE("keys of " + std::to_string(sizeof(Key)) + " bytes, " + std::to_string(count) + ", offset " +
               std::to_string(offset));
  const CudaStream stream;
  std::vector<Key> keys(offset + count);
  std::vector<Position> positions(offset + count);
  std::uint64_t key = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    key += scramble(i) % 3 == 0 ? 1 : 0;
    keys[offset + i] = static_cast<Key>(key);
    positions[offset + i] = static_cast<Position>(i);
  }
  std::vector<Key> expected;
  std::vector<Position> expected_positions;
  for (std::uint64_t i = offset; i < offset + count; ++i) {
    const bool is_first = i == offset || keys[i] != keys[i - 1];
    const bool is_last = i + 1 == offset + count || keys[i] != keys[i + 1];
    if (keep == Keep::kFirst ? !is_first : !is_last) continue;
    expected.push_back(keys[i]);
    expected_positions.push_back(positions[i]);
  }
  const DeviceArray<Key> device_keys(keys, stream);
  const DeviceArray<Position> device_positions(positions, stream);
  const DeviceArray<Key> kept(count, stream);
  const DeviceArray<Position> kept_positions(count, stream);
  const DeviceArray<std::uint64_t> kept_count(1, stream);
  const std::size_t scratch_bytes = unique_scratch_bytes(count);
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  for (const std::size_t value_bytes : {std::size_t{0}, sizeof(Position)}) {
    const SortedList list{
        {device_keys.data() + offset, key_type_of<Key>()}, {device_positions.data() + offset, value_bytes}, count};
    expect_ok(unique(list, kept.data(), Values(kept_positions.data(), value_bytes), kept_count.data(), keep,
                     Scratch(scratch.data(), scratch_bytes), stream.handle()));
    ASSERT_EQ(kept_count.download()[0], expected.size());
    std::vector<Key> found = kept.download();
    found.resize(expected.size());
    EXPECT_TRUE(found == expected);
  }
  std::vector<Position> found = kept_positions.download();
  found.resize(expected.size());
  EXPECT_TRUE(found == expected_positions);
}

TEST(CudaUniqueOfManyGpu, KeepsKeysThatBeginAnywhere) {
  SORTIE_REQUIRE_GPU();
  for (const Keep keep : {Keep::kFirst, Keep::kLast}) {
    for (const unsigned offset : {0, 1, 3}) {
      for (const std::uint64_t count : {40'001, 65'536, 65'537, 1'000'000, 9'000'001}) {
        expect_unique_of_many<std::uint32_t, std::uint32_t>(count, offset, keep);
        expect_unique_of_many<std::uint64_t, std::uint64_t>(count, offset, keep);
      }
    }
  }
  expect_unique_of_many<std::uint8_t, std::uint64_t>(34'000'001, 5, Keep::kFirst);
  expect_unique_of_many<std::uint16_t, std::uint32_t>(17'000'001, 5, Keep::kLast);
}

/// An item of either list, as std::set_union() and its like see it.
struct SetItem {
  std::uint64_t code;
  std::uint64_t number;  ///< of the second list: behind those of the first one

  bool operator<(const SetItem& other) const { return code < other.code; }
};

std::vector<SetItem> set_items(const HostList& list, std::uint64_t first_number) {
  std::vector<SetItem> items;
  for (std::uint64_t i = 0; i < list.count(); ++i) items.push_back({list.codes[i], first_number + i});
  return items;
}

/// What the standard library keeps, as numbers of items.
std::vector<std::uint64_t> expected_of(SetOperation operation, const HostList& first, const HostList& second) {
  const std::vector<SetItem> a = set_items(first, 0);
  const std::vector<SetItem> b = set_items(second, first.count());
  std::vector<SetItem> kept;
  const auto out = std::back_inserter(kept);
  if (operation == SetOperation::kUnion) std::ranges::set_union(a, b, out, std::less<>());
  if (operation == SetOperation::kIntersection) std::ranges::set_intersection(a, b, out, std::less<>());
  if (operation == SetOperation::kDifference) std::ranges::set_difference(a, b, out, std::less<>());
  if (operation == SetOperation::kSymmetricDifference) std::ranges::set_symmetric_difference(a, b, out, std::less<>());
  std::vector<std::uint64_t> numbers;
  for (const SetItem& item : kept) numbers.push_back(item.number);
  return numbers;
}

ItemArray joined(const ItemArray& first, const ItemArray& second) {
  ItemArray both = first;
  both.bytes.insert(both.bytes.end(), second.bytes.begin(), second.bytes.end());
  return both;
}

void expect_set(SetOperation operation, KeyType type, const HostList& first, const HostList& second, Order order) {
  SCOPED_TRACE("operation " + std::to_string(static_cast<int>(operation)) + " on " + name_of(type) + ", " +
               std::to_string(first.count()) + " and " + std::to_string(second.count()) + " items, " + name_of(order));
  const CudaStream stream;
  const DeviceItems first_items(first.keys, type, first.values, stream);
  const DeviceItems second_items(second.keys, type, second.values, stream);
  const std::uint64_t count = first.count() + second.count();
  const bool keeps_both = operation == SetOperation::kUnion || operation == SetOperation::kSymmetricDifference;
  const DeviceItems output = poisoned_items(type, first.values.size, keeps_both ? count : first.count(), stream);
  const DeviceArray<std::uint64_t> kept_count(1, stream);
  const std::size_t scratch_bytes = set_operation_scratch_bytes(operation, type, count);
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  expect_ok(set_operation(operation, on_device(first_items, first.count()), on_device(second_items, second.count()),
                          output.keys(), output.values(), kept_count.data(), order,
                          Scratch(scratch.data(), scratch_bytes), stream.handle()));
  const std::vector<std::uint64_t> expected = expected_of(operation, first, second);
  ASSERT_EQ(kept_count.download()[0], expected.size());
  expect_kept(gathered(joined(first.keys, second.keys), expected), output.keys_memory.download(), "keys");
  expect_kept(gathered(joined(first.values, second.values), expected), output.values_memory.download(), "values");
}

class CudaSetsGpu : public testing::TestWithParam<KeyType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, CudaSetsGpu, testing::ValuesIn(kTypesOfAnyOrder),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(CudaSetsGpu, AgreeWithTheStandardLibrary) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> shapes = {{0, 0},       {1, 0},       {0, 1},          {1, 1},
                                                                 {30'011, 50}, {50, 30'011}, {20'003, 20'011}};
  for (const std::uint64_t tile : kSetTiles) {
    for (const std::uint64_t count : {tile - 1, tile, tile + 1}) shapes.emplace_back(count / 2, count - count / 2);
  }
  const SetOperation operations[] = {SetOperation::kUnion, SetOperation::kIntersection, SetOperation::kDifference,
                                     SetOperation::kSymmetricDifference};
  for (const auto& [first_count, second_count] : shapes) {
    for (const std::size_t value_bytes : {0, 4, 8, 16, 3}) {
      for (const Order order : kBothOrders) {
        for (const Distribution distribution :
             {Distribution::kUniform, Distribution::kFewValued, Distribution::kZipf}) {
          const HostList first(GetParam(), value_bytes, first_count, order, distribution, 109);
          const HostList second(GetParam(), value_bytes, second_count, order, distribution, 111);
          for (const SetOperation operation : operations) expect_set(operation, GetParam(), first, second, order);
        }
      }
    }
  }
}

TEST_P(CudaSetsGpu, OfAListWithItself) {
  SORTIE_REQUIRE_GPU();
  const HostList list(GetParam(), 8, 10'007, Order::kAscending, Distribution::kZipf, 113);
  for (const SetOperation operation : {SetOperation::kUnion, SetOperation::kIntersection, SetOperation::kDifference,
                                       SetOperation::kSymmetricDifference}) {
    expect_set(operation, GetParam(), list, list, Order::kAscending);
  }
}

}  // namespace
}  // namespace sortie::cuda

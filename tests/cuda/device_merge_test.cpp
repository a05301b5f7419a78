#include <sortie/cuda/device_merge.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "cuda/sort_checks.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

using Lengths = std::vector<std::uint64_t>;

/// Lists in order, side by side, and what a stable merge makes of them.
struct MergeCase {
  MergeCase(KeyType key_type, std::size_t value_bytes, const Lengths& lengths, Order key_order,
            Distribution distribution)
      : type(key_type), order(key_order), offsets{0} {
    for (const std::uint64_t length : lengths) offsets.push_back(offsets.back() + length);
    const ItemArray drawn = make_key_items(type, distribution, count(), 81);
    keys.size = drawn.size;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const ItemArray list{drawn.size, Bytes(drawn.bytes.begin() + offsets[i] * drawn.size,
                                             drawn.bytes.begin() + offsets[i + 1] * drawn.size)};
      const ItemArray sorted = gathered(list, stable_order(list, type, order));
      keys.bytes.insert(keys.bytes.end(), sorted.bytes.begin(), sorted.bytes.end());
    }
    values = make_value_items(value_bytes, count());
    // Short keys are sorted.
    const bool sorts = bytes_of(type) < 4 && lengths.size() > 1;
    merged = sorts ? order_of_sort(keys, type, order, value_bytes) : stable_order(keys, type, order);
  }

  std::uint64_t count() const { return offsets.back(); }
  std::uint32_t list_count() const { return static_cast<std::uint32_t>(offsets.size() - 1); }
  std::string describe() const {
    return name_of(type) + " with values of " + std::to_string(values.size) + ", " + std::to_string(list_count()) +
           " lists, " + std::to_string(count()) + " items, " + name_of(order);
  }

  void expect_merged(const DeviceItems& output) const {
    expect_same_items(gathered(keys, merged), output.keys_memory.download(), "keys");
    expect_same_items(gathered(values, merged), output.values_memory.download(), "values");
  }

  KeyType type;
  Order order;
  std::vector<std::uint64_t> offsets;
  ItemArray keys;
  ItemArray values;
  std::vector<std::uint64_t> merged;
};

/// Room for the output, poisoned.
DeviceItems poisoned_like(const MergeCase& test, const CudaStream& stream) {
  const ItemArray keys{test.keys.size, Bytes(test.keys.bytes.size(), std::byte{kPoison})};
  const ItemArray values{test.values.size, Bytes(test.values.bytes.size(), std::byte{kPoison})};
  return {keys, test.type, values, stream};
}

void expect_lists_merged(const MergeCase& test) {
  SCOPED_TRACE(test.describe());
  const CudaStream stream;
  const DeviceItems input(test.keys, test.type, test.values, stream);
  const DeviceItems output = poisoned_like(test, stream);
  const DeviceArray<std::uint64_t> offsets(test.offsets, stream);
  const std::size_t scratch_bytes =
      merge_lists_scratch_bytes(test.type, test.values.size, test.count(), test.list_count());
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  const SortedLists lists{input.keys(), input.values(), offsets.data(), test.list_count(), test.count()};
  expect_ok(merge_lists(lists, output.keys(), output.values(), test.order, Scratch(scratch.data(), scratch_bytes),
                        stream.handle()));
  test.expect_merged(output);
  expect_same_items(test.keys, input.keys_memory.download(), "keys of the lists");
  expect_same_items(test.values, input.values_memory.download(), "values of the lists");
}

class CudaMergeGpu : public testing::TestWithParam<KeyType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, CudaMergeGpu, testing::ValuesIn(kTypesOfAnyOrder),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(CudaMergeGpu, ManyListsAgreeWithStableSort) {
  SORTIE_REQUIRE_GPU();
  const std::vector<Lengths> shapes = {{},
                                       {0},
                                       {1},
                                       {5000},
                                       {0, 0},
                                       {1, 0},
                                       {0, 4097},
                                       {4095, 4097},
                                       {1, 30'001},
                                       {9, 9000, 0, 12'345},
                                       Lengths(16, 1001),
                                       Lengths(17, 999),
                                       Lengths(40, 700),
                                       Lengths(300, 77)};
  for (const Lengths& lengths : shapes) {
    for (const std::size_t value_bytes : {0, 4, 8, 16, 3}) {
      for (const Order order : kBothOrders) {
        expect_lists_merged({GetParam(), value_bytes, lengths, order, Distribution::kUniform});
        expect_lists_merged({GetParam(), value_bytes, lengths, order, Distribution::kFewValued});
      }
    }
  }
}

/// How many items behind the start of their memory keys and values begin.
struct Shifts {
  std::uint64_t keys;
  std::uint64_t values;
};

/// The lists in arrays of their own, which end with their memory.
void expect_two_merged(const MergeCase& test, const Shifts& first, const Shifts& second) {
  SCOPED_TRACE(test.describe() + ", shifted by " + std::to_string(first.keys) + ", " + std::to_string(first.values) +
               " and " + std::to_string(second.keys) + ", " + std::to_string(second.values));
  const CudaStream stream;
  const auto part = [&](const ItemArray& items, std::uint64_t begin, std::uint64_t end, std::uint64_t shift) {
    Bytes bytes(shift * items.size);
    bytes.insert(bytes.end(), items.bytes.begin() + begin * items.size, items.bytes.begin() + end * items.size);
    return bytes;
  };
  const std::uint64_t cut = test.offsets[1];
  const DeviceArray<std::byte> first_keys(part(test.keys, 0, cut, first.keys), stream);
  const DeviceArray<std::byte> second_keys(part(test.keys, cut, test.count(), second.keys), stream);
  const DeviceArray<std::byte> first_values(part(test.values, 0, cut, first.values), stream);
  const DeviceArray<std::byte> second_values(part(test.values, cut, test.count(), second.values), stream);
  const auto list = [&](const auto& keys, const auto& values, const Shifts& shifts, std::uint64_t count) {
    return SortedList{ConstKeys(keys.data() + shifts.keys * test.keys.size, test.type),
                      ConstValues(values.data() + shifts.values * test.values.size, test.values.size), count};
  };
  const DeviceItems output = poisoned_like(test, stream);
  const std::size_t scratch_bytes = merge_scratch_bytes(test.type, test.values.size, test.count());
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  expect_ok(merge(list(first_keys, first_values, first, cut),
                  list(second_keys, second_values, second, test.count() - cut), output.keys(), output.values(),
                  test.order, Scratch(scratch.data(), scratch_bytes), stream.handle()));
  test.expect_merged(output);
}

/// The second list begins where the first one ends.
void expect_neighbours_merged(const MergeCase& test) {
  SCOPED_TRACE(test.describe() + ", side by side");
  const CudaStream stream;
  const DeviceItems input(test.keys, test.type, test.values, stream);
  const DeviceItems output = poisoned_like(test, stream);
  const std::uint64_t cut = test.offsets[1];
  const SortedList first{input.keys(), input.values(), cut};
  const SortedList second{ConstKeys(input.keys_memory.data() + cut * test.keys.size, test.type),
                          ConstValues(input.values_memory.data() + cut * test.values.size, test.values.size),
                          test.count() - cut};
  StreamAllocator allocator;
  expect_ok(merge(first, second, output.keys(), output.values(), test.order, allocator, stream.handle()));
  test.expect_merged(output);
}

TEST_P(CudaMergeGpu, TwoListsAgreeWithStableSort) {
  SORTIE_REQUIRE_GPU();
  const std::vector<Lengths> shapes = {{0, 0},      {1, 0},      {0, 1},           {1, 1},     {4095, 4097},
                                       {30'001, 7}, {7, 30'001}, {16'384, 16'385}, {50'000, 0}};
  for (const Lengths& lengths : shapes) {
    for (const std::size_t value_bytes : {0, 4, 8, 16, 3}) {
      for (const Order order : kBothOrders) {
        const MergeCase test{GetParam(), value_bytes, lengths, order, Distribution::kFewValued};
        expect_two_merged(test, {0, 0}, {0, 0});
        expect_two_merged(test, {1, 1}, {1, 1});
        expect_neighbours_merged(test);
      }
    }
  }
}

TEST_P(CudaMergeGpu, TwoListsMayBeginAnywhere) {
  SORTIE_REQUIRE_GPU();
  for (const std::size_t value_bytes : {0, 4, 8, 5}) {
    for (std::uint64_t cut = 20'000; cut < 20'004; ++cut) {
      const MergeCase test{GetParam(), value_bytes, {cut, 10'007}, Order::kAscending, Distribution::kFewValued};
      for (std::uint64_t shift = 0; shift < 4; ++shift) {
        expect_two_merged(test, {0, 0}, {shift, 0});
        expect_two_merged(test, {shift, 1}, {3, shift});
      }
    }
  }
}

/// The edges of the tiles of few items, and of some more, which one launch merges.
TEST(CudaMergeTilesGpu, EndWhereTheListsDo) {
  SORTIE_REQUIRE_GPU();
  for (const std::size_t value_bytes : {0, 4, 8}) {
    for (const std::uint64_t count : {640, 2 * 640, 1 << 18, (1 << 18) + 2816, 1 << 21}) {
      for (const std::uint64_t all : {count - 1, count, count + 1}) {
        const MergeCase test{
            KeyType::kUint32, value_bytes, {all / 3, all - all / 3}, Order::kAscending, Distribution::kFewValued};
        expect_two_merged(test, {0, 0}, {0, 0});
      }
    }
  }
}

/// Lengths that take tiles of each kind, the last ones more than one launch.
TEST(CudaLongMergesGpu, TwoLongListsMayBeginAnywhere) {
  SORTIE_REQUIRE_GPU();
  for (const KeyType type : {KeyType::kUint32, KeyType::kFloat64}) {
    for (const std::size_t value_bytes : {0, 4, 8}) {
      for (const Lengths& lengths : {Lengths{700'001, 400'003}, Lengths{1'500'001, 700'003}}) {
        const MergeCase test{type, value_bytes, lengths, Order::kDescending, Distribution::kZipf};
        expect_two_merged(test, {0, 0}, {0, 0});
        expect_two_merged(test, {1, 3}, {2, 1});
        expect_neighbours_merged(test);
      }
    }
  }
  const MergeCase test{KeyType::kInt64, 8, {5'000'001, 4'000'003}, Order::kAscending, Distribution::kUniform};
  expect_two_merged(test, {1, 0}, {0, 1});
}

/// compute-sanitizer notices what is read behind the end of memory.
TEST(CudaMergeEdgesGpu, ReadNothingBehindTheLists) {
  SORTIE_REQUIRE_GPU();
  for (const KeyType type : {KeyType::kUint8, KeyType::kInt32, KeyType::kFloat64}) {
    for (const std::size_t value_bytes : {0, 3, 4, 8, 17, 100, 3000}) {
      for (const Lengths& lengths : {Lengths{0, 7}, Lengths{7, 0}, Lengths{0, 1}, Lengths{311, 1002}}) {
        const MergeCase test{type, value_bytes, lengths, Order::kDescending, Distribution::kFewValued};
        expect_two_merged(test, {0, 0}, {0, 0});
        expect_neighbours_merged(test);
        expect_lists_merged(test);
      }
    }
  }
}

TEST(CudaMergeScratch, NeedsNoCopyForSixteenLists) {
  constexpr std::uint64_t kCount = 1 << 28;
  EXPECT_LT(merge_scratch_bytes(KeyType::kUint64, 8, kCount), kCount / 10);
  EXPECT_LT(merge_lists_scratch_bytes(KeyType::kUint64, 8, kCount, 16), kCount / 10);
  EXPECT_GT(merge_lists_scratch_bytes(KeyType::kUint64, 8, kCount, 17), 16 * kCount);
}

}  // namespace
}  // namespace sortie::cuda

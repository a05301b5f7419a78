#include <sortie/cuda/device_top_k.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cuda/sort_checks.hpp"
#include "kernels/select/sample_select_plan.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

/// Items of a tile whose selected items are moved: of keys of 8 bytes, and of fewer.
constexpr std::uint64_t kMoveTiles[] = {4096, 8192};

/// Items of which a sample is taken, and the most that go to one cluster or to buckets at once: of short items and of
/// long ones.
constexpr std::uint64_t kSampleEdges[] = {kernels::kMostRankedSooner,  kernels::kMostRankedItems,
                                          kernels::most_team_items(8), kernels::most_team_items(16),
                                          kernels::most_bucketed(8),   kernels::most_bucketed(16)};

/// `lead`: so many other keys lie in front, so that the address suits no loads of several keys.
template <class Position>
void expect_top_of(const ItemArray& keys, KeyType type, std::uint64_t k, Order order, std::uint64_t lead = 0) {
  const CudaStream stream;
  const std::uint64_t count = keys.bytes.size() / keys.size;
  Bytes behind_others(lead * keys.size);
  behind_others.insert(behind_others.end(), keys.bytes.begin(), keys.bytes.end());
  const DeviceArray<std::byte> keys_memory(behind_others, stream);
  const ConstKeys device_keys(keys_memory.data() + lead * keys.size, type);
  const DeviceArray<std::byte> top_keys(k * keys.size, stream);
  const DeviceArray<Position> top_positions(k, stream);
  const std::size_t scratch_bytes = top_k_scratch_bytes(type, sizeof(Position), count, k);
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  expect_ok(top_k(device_keys, count, k, Keys(top_keys.data(), type), top_positions.data(), order,
                  Scratch(scratch.data(), scratch_bytes), stream.handle()));
  std::vector<std::uint64_t> expected = stable_order(keys, type, order);
  expected.resize(k);
  expect_same_items(gathered(keys, expected), top_keys.download(), "top keys");
  EXPECT_TRUE(std::ranges::equal(top_positions.download(), expected)) << "positions";
  EXPECT_EQ(keys_memory.download(), behind_others) << "keys changed";
}

template <class Position>
void expect_top(KeyType type, Distribution distribution, std::uint64_t count, std::uint64_t k, Order order,
                std::uint64_t lead = 0) {
  SCOPED_TRACE(name_of(type) + ", " + to_string(distribution) + ", " + std::to_string(k) + " of " +
               std::to_string(count) + ", " + name_of(order));
  expect_top_of<Position>(make_key_items(type, distribution, count, 101), type, k, order, lead);
}

class CudaTopKGpu : public testing::TestWithParam<KeyType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, CudaTopKGpu, testing::ValuesIn(kTypesOfAnyOrder),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(CudaTopKGpu, IsTheBeginningOfAStableSort) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::uint64_t> counts = {1, 2, 50'021};
  for (const std::uint64_t tile : kMoveTiles) counts.insert(counts.end(), {tile - 1, tile, tile + 1});
  for (const std::uint64_t count : counts) {
    for (const std::uint64_t k : {std::uint64_t{0}, std::uint64_t{1}, count / 100 + 1, count / 2, count - 1, count}) {
      for (const Distribution distribution : kAllDistributions) {
        for (const Order order : kBothOrders) expect_top<std::uint32_t>(GetParam(), distribution, count, k, order);
      }
    }
  }
}

TEST_P(CudaTopKGpu, SelectsOfManyTiles) {
  SORTIE_REQUIRE_GPU();
  // So many that a sample is taken, where k is small, and that candidates are moved together, where they are few.
  constexpr std::uint64_t kMany = 4'200'017;
  for (const Distribution distribution : {Distribution::kUniform, Distribution::kConstant, Distribution::kSorted}) {
    expect_top<std::uint64_t>(GetParam(), distribution, kMany, 100, Order::kDescending);
  }
  expect_top<std::uint32_t>(GetParam(), Distribution::kZipf, kMany, 12'345, Order::kAscending);
  expect_top<std::uint32_t>(GetParam(), Distribution::kUniform, kMany, 500'003, Order::kAscending);
  expect_top<std::uint64_t>(GetParam(), Distribution::kUniform, kMany, 2'000'003, Order::kAscending);
  expect_top<std::uint32_t>(GetParam(), Distribution::kFewValued, kMany, 1 << 16, Order::kDescending);
  expect_top<std::uint32_t>(GetParam(), Distribution::kSorted, kMany, 1 << 17, Order::kDescending);
}

TEST_P(CudaTopKGpu, SelectsOfAsManyAsGoToBuckets) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t edge : kSampleEdges) {
    for (const std::uint64_t count : {edge, edge + 1}) {
      for (const std::uint64_t wanted : {std::uint64_t{64}, count / 4, std::uint64_t{kernels::kMostTeamSelected},
                                         std::uint64_t{kernels::kMostTeamSelected + 1}}) {
        expect_top<std::uint32_t>(GetParam(), Distribution::kUniform, count, std::min(wanted, count),
                                  Order::kDescending);
      }
      expect_top<std::uint64_t>(GetParam(), Distribution::kConstant, count, count / 4 + 1, Order::kAscending);
      expect_top<std::uint64_t>(GetParam(), Distribution::kConstant, count, count / 4, Order::kAscending);
    }
  }
}

/// Keys that are arranged around the sample: those that it looks at come first in order, or last.
ItemArray misleading_keys(std::uint64_t count, bool are_first) {
  std::vector<std::uint32_t> keys(count);
  for (std::uint64_t i = 0; i < count; ++i) keys[i] = 1'000'000 + static_cast<std::uint32_t>(scramble(i) % 1'000'000);
  for (unsigned i = 0; i < kernels::kSampleSize; ++i) {
    keys[kernels::select_sample_position(i, count, 0)] = are_first ? i : 3'000'000 + i;
  }
  ItemArray items{sizeof(std::uint32_t), Bytes(count * sizeof(std::uint32_t))};
  std::memcpy(items.bytes.data(), keys.data(), items.bytes.size());
  return items;
}

TEST(CudaTopKSampleGpu, MayMislead) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t count : {5'000, 50'021, 1'000'003}) {
    for (const std::uint64_t k : {std::uint64_t{1}, std::uint64_t{kernels::kMostTeamSelected}, count / 4}) {
      for (const bool are_first : {true, false}) {
        SCOPED_TRACE(std::to_string(k) + " of " + std::to_string(count) + (are_first ? ", first" : ", last"));
        const ItemArray keys = misleading_keys(count, are_first);
        expect_top_of<std::uint32_t>(keys, KeyType::kUint32, k, Order::kAscending);
        expect_top_of<std::uint64_t>(keys, KeyType::kUint32, k, Order::kAscending);
      }
    }
  }
}

TEST_P(CudaTopKGpu, KeysAreAlignedAsTheirType) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t count : {5000, 50'021, 4'200'017}) {
    expect_top<std::uint32_t>(GetParam(), Distribution::kUniform, count, 77, Order::kAscending, 1);
  }
}

TEST(CudaTopK, RefusesMoreThanThereIs) {
  alignas(16) std::uint32_t keys[16] = {};
  alignas(16) std::uint32_t top[16] = {};
  alignas(16) std::uint32_t positions[16] = {};
  StreamAllocator allocator;
  EXPECT_EQ(top_k(keys, 8, 9, top, positions, Order::kAscending, allocator, nullptr).code(),
            StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace sortie::cuda

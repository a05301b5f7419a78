// Calls of sortie::cuda on lists, segments, shards and arrays of the host that are refused, and scratch of the caller's
// that is. Arguments are looked at before the device is: no GPU is needed to refuse them.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <sortie/cuda/device_merge.hpp>
#include <sortie/cuda/device_radix_sort.hpp>
#include <sortie/cuda/device_segmented_sort.hpp>
#include <sortie/cuda/device_sets.hpp>
#include <sortie/cuda/device_shards.hpp>
#include <sortie/cuda/host_arrays.hpp>

#include "cuda/test_allocators.hpp"

namespace sortie::cuda {
namespace {

constexpr auto kInvalid = StatusCode::kInvalidArgument;
constexpr auto kUp = Order::kAscending;

class CudaListCalls : public testing::Test {
 protected:
  /// Nothing is ever launched, so any memory will do.
  void* memory(std::size_t offset = 0) { return memory_ + offset; }
  Keys keys(std::size_t offset = 0, KeyType type = KeyType::kInt32) { return {memory(offset), type}; }
  std::uint64_t* number(std::size_t offset = 4000) { return static_cast<std::uint64_t*>(memory(offset)); }

  alignas(256) std::byte memory_[4096];
  EmptyAllocator allocator_;
};

void expect_refused(const Status& status, const char* text) {
  EXPECT_EQ(status.code(), kInvalid) << status.message();
  EXPECT_NE(status.message().find(text), std::string::npos) << status.message();
}

TEST_F(CudaListCalls, UniqueRefusesWhatCannotBe) {
  const auto call = [&](const SortedList& list, const Keys& out, const Values& values, std::uint64_t* count,
                        Keep keep = Keep::kFirst) {
    return unique(list, out, values, count, keep, allocator_, nullptr);
  };
  const SortedList list{keys(), {}, 10};
  expect_refused(call(list, keys(1024, KeyType::kFloat32), {}, number()), "different types");
  expect_refused(call(list, keys(1024), Values(memory(2048), 4), number()), "different sizes");
  expect_refused(call(list, keys(1024), {}, nullptr), "kept_count: null");
  expect_refused(call(list, keys(1024), {}, number(4001)), "kept_count: not aligned to 8 bytes");
  expect_refused(call(list, keys(1024), {}, number(1032)), "unique keys and kept_count overlap");
  expect_refused(call(list, keys(20), {}, number()), "keys of the list and unique keys overlap");
  expect_refused(call(list, keys(1026), {}, number()), "unique keys: not aligned to 4 bytes");
  expect_refused(call(list, keys(1024), {}, number(), static_cast<Keep>(2)), "neither the first nor the last");
  expect_refused(call({keys(0, static_cast<KeyType>(99)), {}, 10}, keys(1024, static_cast<KeyType>(99)), {}, number()),
                 "none that is known");
  EXPECT_EQ(call(list, keys(1024), {}, number()).code(), StatusCode::kOutOfMemory);
}

TEST_F(CudaListCalls, SetOperationsRefuseWhatCannotBe) {
  const auto call = [&](SetOperation operation, const SortedList& second, const Keys& out, std::uint64_t* count,
                        Order order = kUp) {
    return set_operation(operation, {keys(), {}, 10}, second, out, {}, count, order, allocator_, nullptr);
  };
  const SortedList second{keys(512), {}, 10};
  expect_refused(call(static_cast<SetOperation>(9), second, keys(1024), number()), "none that is known");
  expect_refused(call(SetOperation::kUnion, {keys(512, KeyType::kUint32), {}, 10}, keys(1024), number()),
                 "different types");
  expect_refused(call(SetOperation::kUnion, second, keys(1024), number(), static_cast<Order>(5)),
                 "the order is neither");
  expect_refused(call(SetOperation::kUnion, second, keys(1024), nullptr), "kept_count: null");
  // A union has room for 20 items, a difference for the 10 of the first list.
  expect_refused(call(SetOperation::kUnion, second, keys(472), number()), "overlap");
  EXPECT_EQ(call(SetOperation::kDifference, second, keys(472), number()).code(), StatusCode::kOutOfMemory);
}

TEST_F(CudaListCalls, SegmentsThatCannotBeAreRefused) {
  const auto call = [&](const Keys& sorted, std::uint64_t count, const Segments& segments) {
    return segmented_sort(sorted, {}, count, segments, kUp, allocator_, nullptr);
  };
  expect_refused(call(keys(), 10, {number(), 0}), "no segments, but items");
  expect_refused(call(keys(), 10, {nullptr, 2}), "offsets: null");
  expect_refused(call(keys(), 10, {number(1028), 2}), "offsets: not aligned to 8 bytes");
  expect_refused(call(keys(2), 10, {number(), 2}), "keys: not aligned to 4 bytes");
  expect_refused(call(keys(), 10, {number(16), 2}), "keys and offsets overlap");
  expect_refused(call(keys(0, KeyType::kFloat64ByValue), std::uint64_t{1} << 32, {number(), 2}), "sort them in parts");
  EXPECT_TRUE(call(Keys(nullptr, KeyType::kInt8), 0, {nullptr, 0}).ok());
  expect_refused(merge_lists({keys(), {}, nullptr, 2, 10}, keys(1024), {}, kUp, allocator_, nullptr), "null");
}

TEST_F(CudaListCalls, ScratchOfTheCallersIsRefusedWhereItCannotBe) {
  constexpr std::uint64_t kCount = 100;
  const std::size_t bytes = radix_sort_scratch_bytes(KeyType::kInt32, 0, kCount);
  ASSERT_GT(bytes, 0U);
  const auto call = [&](void* area, std::size_t area_bytes) {
    return radix_sort(keys(), kCount, kUp, Scratch(area, area_bytes), nullptr);
  };
  const Status too_small = call(memory(1024), bytes - 1);
  EXPECT_EQ(too_small.code(), StatusCode::kScratchTooSmall);
  EXPECT_EQ(too_small.message(),
            "scratch of " + std::to_string(bytes - 1) + " bytes is too small: give " + std::to_string(bytes));
  expect_refused(call(nullptr, bytes), "scratch: null");
  expect_refused(call(memory(1024 + 16), bytes), "scratch: not aligned to 256 bytes");
  expect_refused(call(memory(256), bytes), "scratch and keys overlap");
}

TEST_F(CudaListCalls, ShardsThatCannotBeAreRefused) {
  const Shard shard{0, keys(), {}, 10, allocator_, nullptr};
  expect_refused(sort_shards({}, kUp), "no shards");
  expect_refused(sort_shards(std::vector<Shard>(kMostShards + 1, shard), kUp), "more than 1024 shards");
  expect_refused(sort_shards(std::vector<Shard>(1, shard), static_cast<Order>(5)), "the order is neither");
  Shard wrong = shard;
  wrong.keys.type = static_cast<KeyType>(99);
  expect_refused(sort_shards(std::vector<Shard>(1, wrong), kUp), "none that is known");
  wrong = shard;
  wrong.values = Values(memory(1024), kMostValueBytes + 1);
  expect_refused(sort_shards(std::vector<Shard>(1, wrong), kUp), "at most 65536 bytes");
  const ArgsortShard other{0, keys(), Positions(memory(1024), 2), 10, allocator_, nullptr};
  expect_refused(argsort_shards({}, kUp), "no shards");
  expect_refused(argsort_shards(std::vector<ArgsortShard>(1, other), kUp), "positions have 4 or 8 bytes");
}

TEST_F(CudaListCalls, ArraysOfTheHostThatCannotBeAreRefused) {
  expect_refused(sort_host_array(Keys(nullptr, KeyType::kInt8), 5, kUp), "keys: null");
  expect_refused(sort_host_array(keys(), Values(memory(8), 4), 10, kUp), "keys and values overlap");
  expect_refused(sort_host_array(keys(), 10, static_cast<Order>(5)), "the order is neither");
  expect_refused(sort_host_array(keys(0, static_cast<KeyType>(99)), 10, kUp), "none that is known");
  expect_refused(argsort_host_array(keys(), Positions(memory(1024), 3), 10, kUp), "positions have 4 or 8 bytes");
  expect_refused(argsort_host_array(keys(), Positions(memory(8), 4), 10, kUp), "keys and positions overlap");
  EXPECT_TRUE(sort_host_array(Keys(nullptr, KeyType::kFloat32ByValue), 0, kUp).ok());
  EXPECT_TRUE(argsort_host_array(ConstKeys(nullptr, KeyType::kInt8), Positions(nullptr, 8), 0, kUp).ok());
}

}  // namespace
}  // namespace sortie::cuda

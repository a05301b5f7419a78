// Calls of sortie::cuda that are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include <sortie/cuda/device_classic_sorts.hpp>
#include <sortie/cuda/device_lexsort.hpp>
#include <sortie/cuda/device_merge.hpp>
#include <sortie/cuda/device_merge_sort.hpp>
#include <sortie/cuda/device_radix_sort.hpp>
#include <sortie/cuda/device_segmented_sort.hpp>
#include <sortie/cuda/device_sets.hpp>
#include <sortie/cuda/device_top_k.hpp>

#include "cuda/test_allocators.hpp"

namespace sortie::cuda {
namespace {

/// Arguments are looked at before the device is: no GPU is needed to refuse them.
class CudaCalls : public testing::Test {
 protected:
  /// Nothing is ever launched, so any memory will do.
  void* memory(std::size_t offset = 0) { return memory_ + offset; }

  alignas(256) std::byte memory_[4096];
  EmptyAllocator allocator_;
};

TEST_F(CudaCalls, RefuseWhatCannotBe) {
  auto* const keys = static_cast<std::uint32_t*>(memory());
  auto* const values = static_cast<std::uint32_t*>(memory(2048));
  const auto sort = [&](Keys k, Values v, std::uint64_t count, Order order = Order::kAscending) {
    return radix_sort(k, v, count, order, allocator_, nullptr).code();
  };
  constexpr auto kInvalid = StatusCode::kInvalidArgument;
  EXPECT_EQ(sort(static_cast<std::uint32_t*>(nullptr), {}, 10), kInvalid);
  EXPECT_EQ(sort(Keys(memory(4), KeyType::kUint32), {}, 10), kInvalid);
  EXPECT_EQ(sort(keys, Values(memory(2052), 4), 10), kInvalid);
  EXPECT_EQ(sort(keys, Values(nullptr, 4), 10), kInvalid);
  EXPECT_EQ(sort(keys, keys, 10), kInvalid);
  EXPECT_EQ(sort(keys, values, 513), kInvalid);
  EXPECT_EQ(sort(keys, values, std::numeric_limits<std::uint64_t>::max()), kInvalid);
  EXPECT_EQ(sort(keys, Values(values, kMostValueBytes + 1), 1), kInvalid);
  EXPECT_EQ(sort(keys, Values(values, 16), (std::uint64_t{1} << 32) + 1), kInvalid);
  EXPECT_EQ(sort(Keys(keys, static_cast<KeyType>(99)), {}, 10), kInvalid);
  EXPECT_EQ(sort(keys, {}, 10, static_cast<Order>(7)), kInvalid);
  EXPECT_EQ(sort(keys, values, 512), StatusCode::kOutOfMemory);
}

TEST_F(CudaCalls, TakeNoItemsFromNowhere) {
  const Scratch nothing(nullptr, 0);
  EXPECT_TRUE(radix_sort(static_cast<float*>(nullptr), 0, Order::kAscending, nothing, nullptr).ok());
  EXPECT_TRUE(merge_sort(static_cast<float*>(nullptr), 0, Order::kAscending, nothing, nullptr).ok());
  EXPECT_TRUE(bitonic_sort(static_cast<float*>(nullptr), {}, 0, Order::kAscending, nullptr).ok());
}

TEST_F(CudaCalls, RefuseKeysAndValuesThatAFunctionDoesNotTake) {
  const Keys halves(memory(), KeyType::kFloat16);
  const Keys unknown(memory(), static_cast<KeyType>(99));
  const Keys floats(memory(), KeyType::kFloat32);
  const Values wide(memory(2048), 16);
  constexpr auto kInvalid = StatusCode::kInvalidArgument;
  constexpr auto kUp = Order::kAscending;
  EXPECT_EQ(merge_sort(unknown, 10, kUp, allocator_, nullptr).code(), kInvalid);
  EXPECT_EQ(split_radix_sort(halves, {}, 10, kUp, allocator_, nullptr).code(), kInvalid);
  EXPECT_EQ(bitonic_sort(halves, {}, 10, kUp, nullptr).code(), kInvalid);
  EXPECT_EQ(bitonic_sort(floats, wide, 10, kUp, nullptr).code(), kInvalid);
  EXPECT_EQ(odd_even_sort(floats, Values(memory(2048), 8), 10, 1024, kUp, allocator_, nullptr).code(), kInvalid);
  EXPECT_EQ(odd_even_sort(floats, {}, 2000, 1000, kUp, allocator_, nullptr).code(), kInvalid);
  EXPECT_EQ(radix_sort_by_bits(floats, {}, 10, {0, 8}, allocator_, nullptr).code(), kInvalid);
  EXPECT_EQ(radix_sort_by_bits(Keys(memory(), KeyType::kUint32), {}, 10, {8, 33}, allocator_, nullptr).code(),
            kInvalid);
  EXPECT_EQ(radix_sort_by_bits(Keys(memory(), KeyType::kUint32), {}, 10, {8, 7}, allocator_, nullptr).code(), kInvalid);
  EXPECT_EQ(argsort(floats, Positions(memory(2048), 2), 10, kUp, allocator_, nullptr).code(), kInvalid);
  EXPECT_EQ(argsort(floats, Positions(memory(2048), 4), (std::uint64_t{1} << 32) + 1, kUp, allocator_, nullptr).code(),
            kInvalid);
  const SortedList list{floats, {}, 10};
  EXPECT_EQ(merge(list, list, Keys(memory(1024), KeyType::kInt32), {}, kUp, allocator_, nullptr).code(), kInvalid);
  EXPECT_EQ(merge(list, list, Keys(memory(1024), KeyType::kFloat32), Values(memory(2048), 4), kUp, allocator_, nullptr)
                .code(),
            kInvalid);
  // A list may be merged with itself.
  EXPECT_EQ(merge(list, list, Keys(memory(1024), KeyType::kFloat32), {}, kUp, allocator_, nullptr).code(),
            StatusCode::kOutOfMemory);
}

TEST_F(CudaCalls, RefuseFloatsByValueWhereTheOrderIsTotal) {
  constexpr auto kType = KeyType::kFloat32ByValue;
  constexpr auto kUp = Order::kAscending;
  const Keys keys(memory(), kType);
  EXPECT_EQ(by_value(KeyType::kFloat64), KeyType::kFloat64ByValue);
  EXPECT_EQ(by_value(KeyType::kInt64), KeyType::kInt64);
  EXPECT_EQ(in_total_order(kType), KeyType::kFloat32);
  const Status refused[] = {bitonic_sort(keys, {}, 10, kUp, nullptr),
                            odd_even_sort(keys, {}, 1000, 1000, kUp, allocator_, nullptr),
                            split_radix_sort(keys, {}, 10, kUp, allocator_, nullptr)};
  for (const Status& status : refused) {
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << "call " << &status - refused;
    EXPECT_EQ(status.message(), "this function takes floats in totalOrder alone: name their type without ByValue");
  }
}

TEST_F(CudaCalls, TakeFloatsByValueEverywhereElse) {
  constexpr auto kUp = Order::kAscending;
  constexpr std::uint64_t kMany = 5000;  // fewer need no scratch for their first ones
  const std::vector<std::byte> many(8 * kMany);
  std::vector<std::byte> many_sorted(8 * kMany);
  for (const KeyType type :
       {KeyType::kFloat16ByValue, KeyType::kBfloat16ByValue, KeyType::kFloat32ByValue, KeyType::kFloat64ByValue}) {
    const Keys keys(memory(), type);
    const Keys out(memory(1024), type);
    auto* const numbers = static_cast<std::uint64_t*>(memory(2048));
    auto* const count = static_cast<std::uint64_t*>(memory(4000));
    const SortedList list{keys, {}, 10};
    const SortedLists lists{keys, {}, numbers, 2, 20};
    const std::vector<Column> columns{{keys}};
    const Status statuses[] = {
        radix_sort(keys, 10, kUp, allocator_, nullptr),
        argsort(keys, numbers, 10, kUp, allocator_, nullptr),
        sort_with_positions(keys, out, numbers, 10, kUp, allocator_, nullptr),
        lexsort(columns, numbers, 10, allocator_, nullptr),
        merge(list, list, out, {}, kUp, allocator_, nullptr),
        merge_lists(lists, out, {}, kUp, allocator_, nullptr),
        merge_sort(keys, {}, 10, kUp, allocator_, nullptr),
        segmented_sort(keys, {}, 10, {numbers, 1}, kUp, allocator_, nullptr),
        sort_rows(ConstKeys(many.data(), type), Keys(many_sorted.data(), type), Positions(nullptr, 0), {1, kMany}, kUp,
                  allocator_, nullptr),
        top_k(ConstKeys(many.data(), type), kMany, 7, out, numbers, kUp, allocator_, nullptr),
        unique(list, out, {}, count, Keep::kFirst, allocator_, nullptr),
        set_operation(SetOperation::kUnion, list, list, out, {}, count, kUp, allocator_, nullptr)};
    for (const Status& status : statuses) {
      EXPECT_EQ(status.code(), StatusCode::kOutOfMemory) << "call " << &status - statuses << status.message();
    }
  }
}

/// For keys of 64 bits and short ones, and for all that takes scratch.
TEST_F(CudaCalls, LeaveAllArraysWithoutMemoryForScratch) {
  constexpr std::uint64_t kManyItems = 5000;  // fewer need no scratch for their first ones
  const std::vector<std::byte> many(8 * kManyItems);
  for (const KeyType type : {KeyType::kInt8, KeyType::kFloat16, KeyType::kFloat64}) {
    std::ranges::fill(memory_, std::byte{0x5a});
    const Keys keys(memory(), type);
    const Keys out(memory(1024), type);
    const Values values(memory(2048), 8);
    const Values out_values(memory(3072), 8);
    auto* const number = static_cast<std::uint64_t*>(memory(4000));
    auto* const positions = static_cast<std::uint64_t*>(out_values.data);
    constexpr auto kUp = Order::kAscending;
    const SortedList list{keys, values, 10};
    const SortedLists lists{keys, values, number, 2, 20};
    const Field field{FieldKind::kBytes, ByteOrder::kBig, 0, 5, false};
    std::vector<Status> statuses;
    statuses.push_back(radix_sort(keys, values, 20, kUp, allocator_, nullptr));
    statuses.push_back(radix_sort_by_bits(Keys(memory(), KeyType::kUint64), values, 20, {0, 9}, allocator_, nullptr));
    statuses.push_back(argsort(keys, positions, 20, kUp, allocator_, nullptr));
    statuses.push_back(merge(list, list, out, out_values, kUp, allocator_, nullptr));
    statuses.push_back(merge_lists(lists, out, out_values, kUp, allocator_, nullptr));
    statuses.push_back(merge_sort(keys, values, 20, kUp, allocator_, nullptr));
    statuses.push_back(merge_sort_records({memory(), 5, 20}, {&field, 1}, memory(1024), allocator_, nullptr));
    statuses.push_back(segmented_sort(keys, values, 20, {number, 2}, kUp, allocator_, nullptr));
    statuses.push_back(top_k(ConstKeys(many.data(), type), kManyItems, 7, out, positions, kUp, allocator_, nullptr));
    statuses.push_back(unique(list, out, out_values, number, Keep::kFirst, allocator_, nullptr));
    for (const SetOperation operation : {SetOperation::kUnion, SetOperation::kIntersection, SetOperation::kDifference,
                                         SetOperation::kSymmetricDifference}) {
      statuses.push_back(set_operation(operation, list, list, out, out_values, number, kUp, allocator_, nullptr));
    }
    const Keys wide(memory(), KeyType::kInt32);
    statuses.push_back(odd_even_sort(wide, {}, 1000, 1000, kUp, allocator_, nullptr));
    statuses.push_back(split_radix_sort(wide, values, 20, kUp, allocator_, nullptr));
    for (const Status& status : statuses) {
      EXPECT_EQ(status.code(), StatusCode::kOutOfMemory) << status.message() << ", call " << &status - statuses.data();
    }
    EXPECT_TRUE(std::ranges::all_of(memory_, [](std::byte byte) { return byte == std::byte{0x5a}; }));
  }
}

/// Asks for a device that there is not.
class WrongAllocator final : public Allocator {
 public:
  void* allocate(std::size_t /*bytes*/, cudaStream_t /*stream*/) noexcept override {
    static_cast<void>(cudaSetDevice(100'000));
    return nullptr;
  }
  void deallocate(void* /*memory*/, std::size_t /*bytes*/, cudaStream_t /*stream*/) noexcept override {}
};

/// Without a driver the reason is that.
TEST_F(CudaCalls, SayWhyAnAllocatorGivesNothing) {
  WrongAllocator wrong;
  auto* const keys = static_cast<std::uint32_t*>(memory());
  const Status status = radix_sort(keys, 10, Order::kAscending, wrong, nullptr);
  EXPECT_NE(status.message().find(" bytes of scratch: "), std::string::npos) << status.message();
  EXPECT_EQ(status.message().find("free memory"), std::string::npos) << status.message();
  EXPECT_EQ(radix_sort(keys, 10, Order::kAscending, allocator_, nullptr).code(), StatusCode::kOutOfMemory);
}

TEST_F(CudaCalls, SayWhatIsWrongInOneLine) {
  const Status status = radix_sort(Keys(memory(4), KeyType::kUint32), 10, Order::kAscending, allocator_, nullptr);
  EXPECT_EQ(status.message(), "keys: not aligned to 16 bytes, begin at such an address");
  EXPECT_FALSE(status.ok());
  EXPECT_TRUE(Status().ok());
  EXPECT_TRUE(Status().message().empty());
}

}  // namespace
}  // namespace sortie::cuda

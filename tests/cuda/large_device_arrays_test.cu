// More than 2^32 items. They are made and checked on the device.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <sortie/cuda/device_radix_sort.hpp>
#include <sortie/cuda/device_sets.hpp>
#include <sortie/cuda/device_shards.hpp>
#include <sortie/cuda/device_top_k.hpp>

#include "cuda/host_items.hpp"
#include "kernels/device_array.hpp"
#include "kernels/require_free_bytes.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocks = 4096;
constexpr std::uint64_t kRange = std::uint64_t{1} << 32;
constexpr std::uint64_t kExtra = 12'345'678;
constexpr std::uint64_t kLarge = kRange + kExtra;
constexpr std::uint64_t kOdd = 2'654'435'761;

/// Calls visit(i), i < count, which says whether item i is wrong. Returns how many are.
template <class Visit>
__global__ void count_wrong_kernel(Visit visit, std::uint64_t count, unsigned long long* total) {
  unsigned long long wrong = 0;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
       i += std::uint64_t{kBlocks} * kThreads) {
    if (visit(i)) ++wrong;
  }
  if (wrong != 0) atomicAdd(total, wrong);
}

template <class Visit>
std::uint64_t count_wrong(const Visit& visit, std::uint64_t count, const CudaStream& stream) {
  const DeviceArray<unsigned long long> total(std::vector<unsigned long long>(1), stream);
  count_wrong_kernel<<<kBlocks, kThreads, 0, stream.handle()>>>(visit, count, total.data());
  check_cuda(cudaGetLastError(), "visiting items");
  return total.download()[0];
}

/// Item i is the bits of i times an odd number from `shift` on. With no shift the first 2^32 items of 32 bits are all
/// different, and then they come again.
template <class Key>
struct ScatteredKeys {
  Key* keys;
  unsigned shift;

  __device__ bool operator()(std::uint64_t i) const {
    keys[i] = static_cast<Key>(i * kOdd >> shift);
    return false;
  }
};

/// Each key comes twice.
template <class Key>
struct KeysInPairs {
  Key* keys;

  __device__ bool operator()(std::uint64_t i) const {
    keys[i] = static_cast<Key>(i / 2);
    return false;
  }
};

/// Positions ascend by key, and by position where keys are equal. So all of them differ.
struct ArgsortOrder {
  const std::uint8_t* keys;
  const std::uint64_t* positions;

  __device__ bool operator()(std::uint64_t i) const {
    const std::uint64_t at = positions[i];
    if (at >= kLarge) return true;
    if (i == 0) return false;
    const std::uint64_t before = positions[i - 1];
    if (before >= kLarge) return true;
    return keys[before] != keys[at] ? keys[before] > keys[at] : before >= at;
  }
};

template <class Key>
struct CountingUp {
  const Key* keys;

  __device__ bool operator()(std::uint64_t i) const { return keys[i] != i; }
};

void expect_argsort() {
  const CudaStream stream;
  const DeviceArray<std::uint8_t> keys(kLarge, stream);
  const DeviceArray<std::uint64_t> positions(kLarge, stream);
  EXPECT_EQ(count_wrong(ScatteredKeys<std::uint8_t>{keys.data(), 13}, kLarge, stream), 0U);
  const std::size_t scratch_bytes = argsort_scratch_bytes(KeyType::kUint8, 8, kLarge);
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  expect_ok(argsort(keys.data(), positions.data(), kLarge, Order::kAscending, Scratch(scratch.data(), scratch_bytes),
                    stream.handle()));
  EXPECT_EQ(count_wrong(ArgsortOrder{keys.data(), positions.data()}, kLarge, stream), 0U);
}

void expect_top() {
  constexpr std::uint64_t kTop = 100'000;
  const CudaStream stream;
  const DeviceArray<std::uint32_t> keys(kLarge, stream);
  const DeviceArray<std::uint32_t> top_keys(kTop, stream);
  const DeviceArray<std::uint64_t> top_positions(kTop, stream);
  EXPECT_EQ(count_wrong(ScatteredKeys<std::uint32_t>{keys.data(), 0}, kLarge, stream), 0U);
  const std::size_t scratch_bytes = top_k_scratch_bytes(KeyType::kUint32, 8, kLarge, kTop);
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  expect_ok(top_k(keys.data(), kLarge, kTop, top_keys.data(), top_positions.data(), Order::kAscending,
                  Scratch(scratch.data(), scratch_bytes), stream.handle()));
  std::uint32_t inverse = 1;  // of the odd number: each step doubles the bits that are right
  for (int step = 0; step < 5; ++step) inverse *= 2 - static_cast<std::uint32_t>(kOdd) * inverse;
  const std::vector<std::uint32_t> found_keys = top_keys.download();
  const std::vector<std::uint64_t> found_positions = top_positions.download();
  std::uint64_t at = 0;
  for (std::uint32_t key = 0; at < kTop; ++key) {
    const std::uint32_t position = key * inverse;
    for (std::uint64_t item = position; item < kLarge && at < kTop; item += kRange, ++at) {
      ASSERT_EQ(found_keys[at], key) << at;
      ASSERT_EQ(found_positions[at], item) << at;
    }
  }
}

template <class Key>
void expect_unique(std::uint64_t count) {
  const CudaStream stream;
  const DeviceArray<Key> keys(count, stream);
  const DeviceArray<Key> kept(count, stream);
  const DeviceArray<std::uint64_t> kept_count(1, stream);
  EXPECT_EQ(count_wrong(KeysInPairs<Key>{keys.data()}, count, stream), 0U);
  const std::size_t scratch_bytes = unique_scratch_bytes(count);
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  expect_ok(unique({keys.data(), {}, count}, kept.data(), {}, kept_count.data(), Keep::kLast,
                   Scratch(scratch.data(), scratch_bytes), stream.handle()));
  const std::uint64_t pairs = count / 2 + count % 2;
  ASSERT_EQ(kept_count.download()[0], pairs);
  EXPECT_EQ(count_wrong(CountingUp<Key>{kept.data()}, pairs, stream), 0U);
}

/// The keys of a shard that begins with item `first` of the whole, whose keys descend to 0.
struct DescendingKeys {
  std::uint64_t* keys;
  std::uint64_t first;

  __device__ bool operator()(std::uint64_t i) const {
    keys[i] = kLarge - 1 - first - i;
    return false;
  }
};

struct AscendingKeys {
  const std::uint64_t* keys;
  std::uint64_t first;

  __device__ bool operator()(std::uint64_t i) const { return keys[i] != first + i; }
};

/// The first of two shards has more than 2^32 items.
void expect_shards() {
  constexpr std::uint64_t kFirst = kRange + 1;
  constexpr std::uint64_t kSecond = kLarge - kFirst;
  const CudaStream streams[2];
  const DeviceArray<std::uint64_t> first(kFirst, streams[0]);
  const DeviceArray<std::uint64_t> second(kSecond, streams[1]);
  EXPECT_EQ(count_wrong(DescendingKeys{first.data(), 0}, kFirst, streams[0]), 0U);
  EXPECT_EQ(count_wrong(DescendingKeys{second.data(), kFirst}, kSecond, streams[1]), 0U);
  const std::size_t scratch_bytes[] = {sort_shards_scratch_bytes(KeyType::kUint64, 0, kFirst, 2),
                                       sort_shards_scratch_bytes(KeyType::kUint64, 0, kSecond, 2)};
  const DeviceArray<std::byte> first_scratch(scratch_bytes[0], streams[0]);
  const DeviceArray<std::byte> second_scratch(scratch_bytes[1], streams[1]);
  const Shard shards[] = {
      {0, first.data(), {}, kFirst, Scratch(first_scratch.data(), scratch_bytes[0]), streams[0].handle()},
      {0, second.data(), {}, kSecond, Scratch(second_scratch.data(), scratch_bytes[1]), streams[1].handle()}};
  expect_ok(sort_shards(shards, Order::kAscending));
  EXPECT_EQ(count_wrong(AscendingKeys{first.data(), 0}, kFirst, streams[0]), 0U);
  EXPECT_EQ(count_wrong(AscendingKeys{second.data(), kFirst}, kSecond, streams[1]), 0U);
}

/// One test, so that shards of this program do not take the memory for it at the same time.
TEST(CudaLargeArraysGpu, HaveMoreThan32BitsOfItems) {
  SORTIE_REQUIRE_GPU();
  SORTIE_REQUIRE_FREE_BYTES(kLarge * 20);
  expect_argsort();
  expect_top();
  expect_unique<std::uint32_t>(kLarge);
  expect_shards();
}

/// So many that tiles are the largest: one less, as many, and a part of a tile more.
TEST(CudaLargeArraysGpu, HaveManyWideKeysOfWhichSomeAreKept) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kMany = std::uint64_t{1} << 26;
  SORTIE_REQUIRE_FREE_BYTES(kMany * 20);
  for (const std::uint64_t count : {kMany - 1, kMany, kMany + 12'345}) {
    SCOPED_TRACE(count);
    expect_unique<std::uint64_t>(count);
  }
}

}  // namespace
}  // namespace sortie::cuda

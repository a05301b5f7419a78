// The sorts of warps and blocks on the CPU: a thread for each of the block's, barriers and shuffles by std::barrier. So
// their networks and merges are tested where there is no GPU; tests/cuda/block_sort_test.cu has them on one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <deque>
#include <numeric>
#include <thread>
#include <vector>

#include "support/distributions.hpp"

// What the headers need of CUDA.
#define __device__
#define __forceinline__ inline

namespace {

struct ThreadIndex {
  unsigned x = 0;
};
thread_local ThreadIndex threadIdx;

/// The block that runs. Each warp has its barrier, and a word for each of its lanes.
class EmulatedBlock {
 public:
  explicit EmulatedBlock(unsigned threads) : barrier_(threads), words_(threads), votes_(threads) {
    for (unsigned warp = 0; warp < threads / 32; ++warp) warps_.emplace_back(32);
  }

  void synchronise() { barrier_.arrive_and_wait(); }

  bool any(bool vote) {
    votes_[threadIdx.x] = vote ? 1 : 0;
    synchronise();
    const bool is_any = std::ranges::find(votes_, 1) != votes_.end();
    synchronise();
    return is_any;
  }

  std::uint64_t exchange(std::uint64_t word, unsigned mask) {
    std::barrier<>& warp = warps_[threadIdx.x / 32];
    words_[threadIdx.x] = word;
    warp.arrive_and_wait();
    const std::uint64_t other = words_[threadIdx.x ^ mask];
    warp.arrive_and_wait();
    return other;
  }

 private:
  std::barrier<> barrier_;
  std::deque<std::barrier<>> warps_;
  std::vector<std::uint64_t> words_;
  std::vector<char> votes_;
};

EmulatedBlock* emulated_block = nullptr;

void __syncthreads() { emulated_block->synchronise(); }
int __syncthreads_or(bool vote) { return emulated_block->any(vote) ? 1 : 0; }

template <class T>
T __shfl_xor_sync(unsigned /*lanes*/, T value, unsigned mask) {
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof(T));
  word = emulated_block->exchange(word, mask);
  std::memcpy(&value, &word, sizeof(T));
  return value;
}

/// Runs a kernel of one block.
template <class Kernel>
void run_block(unsigned threads, const Kernel& kernel) {
  EmulatedBlock block(threads);
  emulated_block = &block;
  std::vector<std::jthread> running;
  for (unsigned thread = 0; thread < threads; ++thread) {
    running.emplace_back([&kernel, thread] {
      threadIdx.x = thread;
      kernel();
    });
  }
}

}  // namespace

#include <sortie/cuda/block_sort.cuh>
#include <sortie/cuda/warp_sort.cuh>

namespace sortie::cuda {
namespace {

constexpr std::uint64_t kEmulationSeed = 109;
using Positions = std::vector<std::uint32_t>;

Positions in_order(std::size_t count) {
  Positions positions(count);
  std::iota(positions.begin(), positions.end(), 0U);
  return positions;
}

/// Runs sort(keys, positions) on the items of each thread, and checks that each list is sorted, that no item is lost,
/// and, if it is to be stable, which item is where. Only `count` items are looked at.
template <unsigned kThreads, unsigned kItems, class Key, class Sort>
void expect_lists_sorted(Distribution distribution, unsigned list_items, unsigned count, bool is_stable,
                         const Sort& sort) {
  SCOPED_TRACE(to_string(distribution) + ", " + std::to_string(count) + " items, seed " +
               std::to_string(kEmulationSeed));
  const std::vector<Key> keys = make_keys<Key>(distribution, kThreads * kItems, kEmulationSeed);
  std::vector<Key> sorted_keys = keys;
  Positions positions = in_order(keys.size());
  run_block(kThreads, [&] {
    Key own_keys[kItems];
    std::uint32_t own_positions[kItems];
    const unsigned first = threadIdx.x * kItems;
    for (unsigned k = 0; k < kItems; ++k) own_keys[k] = keys[first + k];
    for (unsigned k = 0; k < kItems; ++k) own_positions[k] = first + k;
    sort(own_keys, own_positions);
    for (unsigned k = 0; k < kItems; ++k) sorted_keys[first + k] = own_keys[k];
    for (unsigned k = 0; k < kItems; ++k) positions[first + k] = own_positions[k];
  });
  for (unsigned begin = 0; begin < count; begin += list_items) {
    const unsigned end = std::min(begin + list_items, count);
    Positions expected = in_order(end);
    std::stable_sort(expected.begin() + begin, expected.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    for (unsigned i = begin; i < end; ++i) ASSERT_EQ(sorted_keys[i], keys[expected[i]]) << i;
    for (unsigned i = begin; i < end; ++i) ASSERT_EQ(keys[positions[i]], sorted_keys[i]) << i;
    if (!is_stable) {
      std::sort(positions.begin() + begin, positions.begin() + end);
      std::sort(expected.begin() + begin, expected.end());
    }
    EXPECT_TRUE(std::equal(expected.begin() + begin, expected.end(), positions.begin() + begin)) << "from " << begin;
  }
}

constexpr Distribution kEmulated[] = {Distribution::kUniform, Distribution::kFewValued, Distribution::kConstant,
                                      Distribution::kReversed};

template <class Key, unsigned kLanes, unsigned kItems>
void expect_warps_sort() {
  for (const Distribution distribution : kEmulated) {
    expect_lists_sorted<64, kItems, Key>(distribution, kLanes * kItems, 64 * kItems, false,
                                         [](auto& keys, auto& values) { warp_sort_pairs<kLanes>(keys, values); });
  }
}

TEST(EmulatedWarpSort, SortsTheListsOfAllTeams) {
  expect_warps_sort<std::uint32_t, 32, 1>();
  expect_warps_sort<std::uint64_t, 32, 4>();
  expect_warps_sort<std::uint8_t, 8, 3>();
  expect_warps_sort<std::uint64_t, 4, 6>();
  expect_warps_sort<std::uint32_t, 1, 8>();
}

template <class Key, unsigned kThreads, unsigned kItems>
void expect_bitonic_block_sorts() {
  using Sort = BlockBitonicSort<Key, kThreads, kItems, std::uint32_t>;
  typename Sort::Storage storage;
  for (const Distribution distribution : kEmulated) {
    expect_lists_sorted<kThreads, kItems, Key>(distribution, kThreads * kItems, kThreads * kItems, false,
                                               [&](auto& keys, auto& values) { Sort(storage).sort(keys, values); });
  }
}

TEST(EmulatedBlockSort, BitonicLosesNoItem) {
  expect_bitonic_block_sorts<std::uint32_t, 32, 4>();
  expect_bitonic_block_sorts<std::uint64_t, 128, 3>();
  expect_bitonic_block_sorts<std::uint8_t, 64, 2>();
}

template <class Key, unsigned kThreads, unsigned kItems>
void expect_merging_block_sorts() {
  using Sort = BlockMergeSort<Key, kThreads, kItems, std::uint32_t>;
  constexpr unsigned kAll = Sort::kCapacity;
  typename Sort::Storage storage;
  for (const Distribution distribution : kEmulated) {
    for (const unsigned count : {kAll, 0U, 1U, 31U, kAll / 2, kAll / 2 + 1, kAll - 1}) {
      expect_lists_sorted<kThreads, kItems, Key>(distribution, kAll, count, true, [&](auto& keys, auto& values) {
        Sort(storage).sort(keys, values, Less(), count);
      });
    }
  }
}

TEST(EmulatedBlockSort, MergesAreStableForAnyCount) {
  expect_merging_block_sorts<std::uint32_t, 32, 1>();
  expect_merging_block_sorts<std::uint64_t, 64, 7>();
  expect_merging_block_sorts<std::uint8_t, 64, 4>();
}

TEST(EmulatedBlockSort, OddEvenIsStableAndSaysWhetherAnythingMoved) {
  constexpr unsigned kThreads = 64;
  for (const Distribution distribution : kEmulated) {
    for (const unsigned count : {0U, 1U, 2U, 31U, 127U, 128U}) {
      SCOPED_TRACE(to_string(distribution) + ", " + std::to_string(count));
      const auto keys = make_keys<std::uint32_t>(distribution, 2 * kThreads, kEmulationSeed);
      std::vector<std::uint32_t> sorted = keys;
      Positions positions = in_order(keys.size());
      std::array<bool, kThreads> moved{};
      std::array<bool, kThreads> moves_again{};
      run_block(kThreads, [&] {
        moved[threadIdx.x] = block_odd_even_sort_pairs(sorted.data(), positions.data(), count);
        moves_again[threadIdx.x] = block_odd_even_sort(sorted.data(), count);
      });
      Positions expected = in_order(keys.size());
      std::stable_sort(expected.begin(), expected.begin() + count,
                       [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
      EXPECT_EQ(positions, expected);
      const bool was_sorted = expected == in_order(keys.size());
      EXPECT_EQ(std::ranges::count(moved, true), was_sorted ? 0 : kThreads);
      EXPECT_EQ(std::ranges::count(moves_again, true), 0);
    }
  }
}

}  // namespace
}  // namespace sortie::cuda

// The different strings of an array, if they are few: then each string's rank among them is what it is sorted by. A
// hash table finds them; that strings with one hash are equal is checked by their bytes. If there are too many, or two
// of one hash differ, all blocks stop, and strings are sorted by their bytes.
//
// Nobody has to know on the host which of the two it is: kernels read it on the device.
#pragma once

#include <cstdint>

#include "kernels/common/scratch_layout.hpp"
#include "kernels/common/warp_sums.cuh"
#include "kernels/record_keys.hpp"
#include "kernels/strings.hpp"

namespace sortie::kernels {

struct DistinctStrings {
  static constexpr std::uint32_t kMost = 4096;
  static constexpr std::uint32_t kSlots = 4 * kMost;
  static constexpr std::uint32_t kProbes = 64;  ///< slots looked at for a string; more mean that the table is full

  explicit DistinctStrings(void* area = nullptr) : layout(area) {
    hashes = layout.take<std::uint64_t>(kSlots);
    state = layout.take<State>(1);
    cleared_bytes = layout.size_bytes();
    first = layout.take<std::uint32_t>(kSlots);
    ranks = layout.take<std::uint32_t>(kSlots);
    used_slots = layout.take<std::uint32_t>(kMost);
  }

  struct State {
    std::uint32_t count;    ///< of different strings; greater than kMost if there are too many
    std::uint32_t are_few;  ///< 1 if `ranks` are to be sorted by
  };

  ScratchLayout layout;
  std::uint64_t* hashes;  ///< 0: a free slot
  State* state;
  std::uint64_t cleared_bytes;  ///< from `hashes` on, zeros at the start
  std::uint32_t* first;         ///< a string of each slot
  std::uint32_t* ranks;
  std::uint32_t* used_slots;
};

/// Bytes of a string behind those that all have in common.
struct StringTail {
  const std::byte* bytes;
  std::uint64_t length;
};

__device__ inline StringTail tail_of(const RecordKeys& strings, std::uint64_t i, std::uint32_t skipped) {
  return {strings.record(i) + skipped, strings.length(i) - skipped};
}

/// Never 0.
__device__ inline std::uint64_t hash_of(const KeyPlan& plan, const StringTail& tail) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  std::uint64_t hash = tail.length;
  for (std::uint64_t word = 0; 8 * word < tail.length; ++word) {
    hash = (hash ^ key_word(plan, tail.bytes, tail.length, word)) * kFactor;
    hash ^= hash >> 32;
  }
  hash *= kFactor;
  hash ^= hash >> 29;
  return hash == 0 ? 1 : hash;
}

/// Negative, zero or positive as a comes before b, is equal to it, or comes after it.
__device__ inline int compare_tails(const KeyPlan& plan, const StringTail& a, const StringTail& b) {
  return compare_keys(plan, a.bytes, a.length, b.bytes, b.length);
}

/// The slot of a string with this hash; kSlots if the table is full. A new slot is noted, with the string.
__device__ inline std::uint32_t slot_of(const DistinctStrings& found, std::uint64_t hash, std::uint64_t string) {
  std::uint32_t slot = static_cast<std::uint32_t>(hash % DistinctStrings::kSlots);
  for (std::uint32_t probe = 0; probe < DistinctStrings::kProbes; ++probe) {
    // Not from the first cache, which would show a slot as free long after it was taken.
    std::uint64_t there = __ldcg(reinterpret_cast<const unsigned long long*>(found.hashes + slot));
    if (there == 0) {
      there = atomicCAS(reinterpret_cast<unsigned long long*>(found.hashes + slot), 0ULL,
                        static_cast<unsigned long long>(hash));
      if (there == 0) {
        const std::uint32_t number = atomicAdd(&found.state->count, 1U);
        if (number >= DistinctStrings::kMost) return DistinctStrings::kSlots;
        found.used_slots[number] = slot;
        found.first[slot] = static_cast<std::uint32_t>(string);
        return slot;
      }
    }
    if (there == hash) return slot;
    slot = (slot + 1) % DistinctStrings::kSlots;
  }
  return DistinctStrings::kSlots;
}

__device__ inline bool are_too_many(const DistinctStrings& found) {
  return *const_cast<const volatile std::uint32_t*>(&found.state->count) > DistinctStrings::kMost;
}

__device__ inline void give_up(const DistinctStrings& found) {
  atomicMax(&found.state->count, DistinctStrings::kMost + 1);
}

}  // namespace sortie::kernels

// Copies between the arrays of a merge and its tiles in shared memory, in units of 16 bytes.
#pragma once

#include <cstdint>

#include "kernels/common/async_copy.cuh"
#include "kernels/merge/merge_plan.hpp"

namespace sortie::kernels {

/// Threads that copy together, as one of them sees them.
struct CopyTeam {
  unsigned thread;
  unsigned thread_count;
};

/// Starts the copy of `count` items of a list. `shared` and `in` have the same phase. There are at least three threads.
template <class Item>
__device__ void copy_list_async(const Item* in, unsigned phase, unsigned count, Item* shared, const CopyTeam& team) {
  constexpr unsigned kUnitItems = 16 / sizeof(Item);
  const unsigned before_unit = (kPhaseItems - phase) % kUnitItems;
  const unsigned head = before_unit < count ? before_unit : count;
  const unsigned units = (count - head) / kUnitItems;
  for (unsigned unit = team.thread; unit < units; unit += team.thread_count) {
    copy_async<16>(shared + head + unit * kUnitItems, in + head + unit * kUnitItems);
  }
  const unsigned tail = head + units * kUnitItems;
  if (team.thread < head) copy_async<sizeof(Item)>(shared + team.thread, in + team.thread);
  if (team.thread < count - tail) copy_async<sizeof(Item)>(shared + tail + team.thread, in + tail + team.thread);
}

/// Starts the copy of a list that may lie anywhere, item by item if it has another phase than `shared`.
template <class Item>
__device__ void copy_any_list_async(const Item* in, unsigned phase, unsigned count, Item* shared,
                                    const CopyTeam& team) {
  if (reinterpret_cast<std::uintptr_t>(in) % 16 == phase * sizeof(Item) % 16) {
    return copy_list_async(in, phase, count, shared, team);
  }
  for (unsigned i = team.thread; i < count; i += team.thread_count) copy_async<sizeof(Item)>(shared + i, in + i);
}

/// Stores items [phase, phase + count) of shared memory to `out`, which has the same phase.
template <class Item>
__device__ void store_merged(const Item* shared, unsigned phase, unsigned count, Item* out) {
  constexpr unsigned kUnitItems = 16 / sizeof(Item);
  const unsigned end = phase + count;
  out -= phase;
  for (unsigned i = threadIdx.x * kUnitItems; i < end; i += blockDim.x * kUnitItems) {
    if (i >= phase && i + kUnitItems <= end) {
      *reinterpret_cast<uint4*>(out + i) = *reinterpret_cast<const uint4*>(shared + i);
      continue;
    }
    for (unsigned k = i; k < i + kUnitItems; ++k) {
      if (k >= phase && k < end) out[k] = shared[k];
    }
  }
}

}  // namespace sortie::kernels

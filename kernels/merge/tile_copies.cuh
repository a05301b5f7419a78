// Copies between the arrays of a merge and its tiles in shared memory, in units of 16 bytes. An item has the same
// phase, its position within a unit, in shared memory as in global memory.
#pragma once

#include <cstdint>

#include "kernels/common/async_copy.cuh"

namespace sortie::kernels {

/// All arrays have the same phase at multiples of this many items: a unit of the smallest item.
inline constexpr unsigned kPhaseItems = 4;

__device__ inline unsigned phase_of(std::uint64_t position) { return static_cast<unsigned>(position % kPhaseItems); }

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

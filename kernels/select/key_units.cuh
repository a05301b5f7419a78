// Reads of all keys of an input, in units of 16 bytes, whatever address the first one has.
#pragma once

#include <cstdint>

#include "kernels/select/sample_selection.cuh"

namespace sortie::kernels {

inline constexpr unsigned kUnitsOfThread = 4;  ///< of 16 bytes that a thread has under way

/// Keys in units of 16 bytes, behind those in front of the first whole unit.
template <class Bits>
struct KeyUnits {
  static constexpr unsigned kKeys = 16 / sizeof(Bits);

  __device__ KeyUnits(const Bits* all, std::uint64_t count) : keys(all) {
    const auto address = reinterpret_cast<std::uintptr_t>(all);
    const std::uint64_t in_front = (16 - address % 16) % 16 / sizeof(Bits);
    head = in_front < count ? in_front : count;
    units = (count - head) / kKeys;
  }

  __device__ uint4 load(std::uint64_t unit) const { return __ldg(reinterpret_cast<const uint4*>(keys + head) + unit); }

  const Bits* keys;
  std::uint64_t head;  ///< keys in front of the first unit
  std::uint64_t units;
};

/// Calls use_key(position) for the keys of this part that are in no unit, use_unit(unit, position of its first key) for
/// the units, and after_round() between rounds, which the whole block calls: after some units of each thread.
template <class Bits, class UseKey, class UseUnit, class AfterRound>
__device__ void for_each_unit(const Bits* all, std::uint64_t count, const BlockPart& part, const UseKey& use_key,
                              const UseUnit& use_unit, const AfterRound& after_round) {
  const KeyUnits<Bits> keys(all, count);
  if (part.index == 0) {
    if (threadIdx.x < keys.head) use_key(threadIdx.x);
    const std::uint64_t behind = keys.head + keys.units * KeyUnits<Bits>::kKeys + threadIdx.x;
    if (behind < count) use_key(behind);
  }
  const std::uint64_t row = std::uint64_t{part.count} * kSampleSelectThreads;  // a unit of each thread of all parts
  const std::uint64_t own = part.index * kSampleSelectThreads + threadIdx.x;
  for (std::uint64_t first = 0; first < keys.units; first += kUnitsOfThread * row) {
    uint4 units[kUnitsOfThread];
#pragma unroll
    for (unsigned v = 0; v < kUnitsOfThread; ++v) {
      const std::uint64_t unit = first + v * row + own;
      if (unit < keys.units) units[v] = keys.load(unit);
    }
#pragma unroll
    for (unsigned v = 0; v < kUnitsOfThread; ++v) {
      const std::uint64_t unit = first + v * row + own;
      if (unit < keys.units) use_unit(units[v], keys.head + unit * KeyUnits<Bits>::kKeys);
    }
    after_round();
  }
}

}  // namespace sortie::kernels

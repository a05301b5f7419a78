// A filter of a sample select: one read of all keys, or of candidates, that leaves those up to a limit. They are few,
// so each block gathers its own in shared memory, and asks for places among all candidates once it has many.
#pragma once

#include <cstdint>

#include "kernels/common/overlapping_launch.cuh"
#include "kernels/select/key_units.cuh"
#include "kernels/select/sample_selection.cuh"

namespace sortie::kernels {

inline constexpr unsigned kFilterBlocks = 3;   ///< per multiprocessor
inline constexpr unsigned kRoundsOfFlush = 4;  ///< rounds between looks at how many candidates there are

/// Items that a block takes in a round, of the input.
template <class Bits>
inline constexpr std::uint64_t kFilterTile = std::uint64_t{kSampleSelectThreads} * kUnitsOfThread*(16 / sizeof(Bits));

template <class Placed>
struct FilterShared {
  static constexpr unsigned kRoom = 1536;

  Placed items[kRoom];
  unsigned count;
  std::uint64_t target;
};

/// Where a block leaves its candidates.
template <class Placed>
class CandidateBuffer {
 public:
  __device__ CandidateBuffer(FilterShared<Placed>& shared, const Placed& limit, Placed* candidates,
                             std::uint64_t capacity, std::uint64_t* count)
      : shared_(shared), limit_(limit), candidates_(candidates), capacity_(capacity), count_(count) {
    if (threadIdx.x == 0) shared_.count = 0;
    __syncthreads();
  }

  __device__ const Placed& limit() const { return limit_; }

  /// Keeps the item if it is not behind the limit.
  __device__ void add(const Placed& item) {
    if (limit_ < item) return;
    const unsigned place = atomicAdd(&shared_.count, 1U);
    if (place < FilterShared<Placed>::kRoom) {
      shared_.items[place] = item;
    } else {
      store(take_places(1), item);
    }
  }

  /// Moves what there is to all candidates if there is more than `most`. Called by the whole block.
  __device__ void flush(unsigned most) {
    constexpr unsigned kRoom = FilterShared<Placed>::kRoom;
    __syncthreads();
    const unsigned here = shared_.count < kRoom ? shared_.count : kRoom;
    if (here <= most) {
      __syncthreads();
      return;
    }
    if (threadIdx.x == 0) shared_.target = take_places(here);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < here; i += kSampleSelectThreads) store(shared_.target + i, shared_.items[i]);
    if (threadIdx.x == 0) shared_.count = 0;
    __syncthreads();
  }

 private:
  __device__ std::uint64_t take_places(unsigned count) {
    return atomicAdd(reinterpret_cast<unsigned long long*>(count_), static_cast<unsigned long long>(count));
  }
  __device__ void store(std::uint64_t place, const Placed& item) {
    if (place < capacity_) candidates_[place] = item;
  }

  FilterShared<Placed>& shared_;
  const Placed limit_;
  Placed* const candidates_;
  const std::uint64_t capacity_;
  std::uint64_t* const count_;
};

/// Adds the candidates of a unit. Nearly all units have none, so all keys are looked at together first.
template <class Bits, class Codec, class Placed>
__device__ void add_unit(const uint4& unit, std::uint64_t first, const Codec& codec, CandidateBuffer<Placed>& buffer) {
  constexpr unsigned kKeys = KeyUnits<Bits>::kKeys;
  Bits codes[kKeys];
  memcpy(codes, &unit, sizeof unit);
  const auto limit = static_cast<Bits>(buffer.limit().code());
  const bool may_be_equal = first <= buffer.limit().position();
  bool any = false;
#pragma unroll
  for (unsigned k = 0; k < kKeys; ++k) {
    codes[k] = codec.encode(codes[k]);
    any |= codes[k] < limit || (may_be_equal && codes[k] == limit);
  }
  if (!any) return;
#pragma unroll
  for (unsigned k = 0; k < kKeys; ++k) {
    if (codes[k] <= limit) buffer.add(Placed::of(codes[k], first + k));
  }
}

template <class Bits, class Codec, class Position, class Placed>
__device__ void filter_items(const InputItems<Bits, Codec, Position>& input, const BlockPart& part,
                             CandidateBuffer<Placed>& buffer) {
  unsigned rounds = 0;
  for_each_unit(
      input.keys.keys, input.count, part, [&](std::uint64_t i) { buffer.add(input[i]); },
      [&](const uint4& unit, std::uint64_t first) { add_unit<Bits>(unit, first, input.keys.codec, buffer); },
      [&] {
        if (++rounds % kRoundsOfFlush == 0) buffer.flush(FilterShared<Placed>::kRoom / 2);
      });
}

template <class Placed>
__device__ void filter_items(const CandidateItems<Placed>& items, const BlockPart& part,
                             CandidateBuffer<Placed>& buffer) {
  const std::uint64_t stride = std::uint64_t{part.count} * kSampleSelectThreads;
  unsigned rounds = 0;
  for (std::uint64_t tile = std::uint64_t{part.index} * kSampleSelectThreads; tile < items.size(); tile += stride) {
    if (tile + threadIdx.x < items.size()) buffer.add(items[tile + threadIdx.x]);
    if (++rounds % kRoundsOfFlush == 0) buffer.flush(FilterShared<Placed>::kRoom / 2);
  }
}

template <class Selection>
__device__ void filter_candidates(const Selection& selection, unsigned step, const BlockPart& part,
                                  FilterShared<typename Selection::Placed>& shared) {
  using Placed = typename Selection::Placed;
  selection.with_items(step, [&](const auto& items) {
    const Placed limit = typename Selection::Candidates{selection.areas.splitters, 1}[0];
    CandidateBuffer<Placed> buffer(shared, limit, selection.areas.candidates[step], selection.capacities[step],
                                   selection.areas.candidate_counts + step);
    filter_items(items, part, buffer);
    buffer.flush(0);
  });
}

template <class Bits, class Codec, class Position>
__global__ void __launch_bounds__(kSampleSelectThreads, kFilterBlocks)
    filter_candidates_kernel(const __grid_constant__ SampleSelection<Bits, Codec, Position> selection, unsigned step) {
  __shared__ FilterShared<PlacedCode<Bits, Position>> shared;
  await_launch_before();
  filter_candidates(selection, step, {blockIdx.x, gridDim.x}, shared);
}

}  // namespace sortie::kernels

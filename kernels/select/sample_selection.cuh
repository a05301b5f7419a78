// What the launches of a sample select share: its items, its areas in device memory, and where each step reads.
#pragma once

#include <cstdint>

#include "kernels/common/key_codec.hpp"
#include "kernels/select/placed_code.hpp"
#include "kernels/select/sample_select_plan.hpp"

namespace sortie::kernels {

inline constexpr unsigned kSampleSelectThreads = 512;

/// The part of the work that a block does: all of it if a block works alone.
struct BlockPart {
  unsigned index;
  unsigned count;
};

/// Areas in device memory. All but the arrays of candidates and buckets is cleared by the launches themselves.
template <class Placed>
struct SampleSelectAreas {
  Placed* splitters;                 ///< the last item of each bucket; the first one is the limit of a filter
  std::uint64_t* candidate_counts;   ///< of each filter; more than its capacity if there was no room for all
  unsigned* failed_blocks;           ///< blocks of the last launch that have seen that the sample misled
  unsigned* bucket_items;            ///< of each bucket; more than its capacity if there was no room for all
  Placed* candidates[kMostFilters];  ///< of each filter
  Placed* buckets;                   ///< bucket_capacity() places for each
};

/// The keys of the input.
template <class Bits, class Codec, class Position>
struct InputItems {
  using Placed = PlacedCode<Bits, Position>;
  using Ranked = Bits;  ///< what a sample is ranked by: where codes are equal the order of the input decides

  CodedKeys<Bits, Codec> keys;
  std::uint64_t count;

  __device__ std::uint64_t size() const { return count; }
  __device__ Bits ranked(std::uint64_t i) const { return keys[i]; }
  __device__ Placed operator[](std::uint64_t i) const { return Placed::of(keys[i], i); }
  /// The same, where its code is known.
  __device__ Placed item(std::uint64_t i, Bits code) const { return Placed::of(code, i); }
};

/// What a filter has left, in any order; nothing if it failed.
template <class Placed>
struct CandidateItems {
  using Ranked = Placed;

  const Placed* items;
  std::uint64_t count;

  __device__ std::uint64_t size() const { return count; }
  __device__ Placed ranked(std::uint64_t i) const { return (*this)[i]; }
  __device__ Placed item(std::uint64_t /*i*/, const Placed& ranked) const { return ranked; }
  __device__ Placed operator[](std::uint64_t i) const {
    if constexpr (sizeof(Placed) == 16) {
      const ulonglong2 words = __ldcg(reinterpret_cast<const ulonglong2*>(items + i));
      return Placed::of(words.x, words.y);
    } else {
      return Placed{__ldcg(reinterpret_cast<const unsigned long long*>(items + i))};
    }
  }
};

/// A sample select. Steps are numbered: step f < filters selects candidates, the last one fills buckets. Each reads the
/// candidates of the step before it, the first one the input.
template <class Bits, class Codec, class Position>
struct SampleSelection {
  using Placed = PlacedCode<Bits, Position>;
  using Candidates = CandidateItems<Placed>;
  static constexpr unsigned kItemBytes = sizeof(Placed);
  static constexpr unsigned kBucketCapacity = bucket_capacity(kItemBytes);

  InputItems<Bits, Codec, Position> input;
  std::uint64_t selected_count;
  unsigned filters;
  unsigned most_buckets;
  std::uint64_t capacities[kMostFilters];
  SampleSelectAreas<Placed> areas;
  Bits* selected_keys;
  Position* selected_positions;

  __device__ Candidates candidates(unsigned filter) const {
    const std::uint64_t count = __ldcg(reinterpret_cast<const unsigned long long*>(areas.candidate_counts + filter));
    const bool serves = count >= selected_count && count <= capacities[filter];
    return {areas.candidates[filter], serves ? count : 0};
  }

  __device__ void write_selected(std::uint64_t at, const Placed& item) const {
    selected_keys[at] = input.keys.codec.decode(static_cast<Bits>(item.code()));
    selected_positions[at] = static_cast<Position>(item.position());
  }

  /// The ends of buckets of a step that reads `count` items; a filter has one bucket.
  __device__ BucketEnds ends(unsigned step, std::uint64_t count) const {
    if (step < filters && count != 0) return filter_ends(count, selected_count);
    return bucket_ends(count, selected_count, mean_bucket(kItemBytes), most_buckets);
  }

  /// Ends of the buckets that the last step fills; none if a filter failed.
  __device__ BucketEnds last_ends() const {
    return ends(filters, filters == 0 ? input.count : candidates(filters - 1).count);
  }

  /// Calls use(items) with the items that a step reads.
  template <class Use>
  __device__ void with_items(unsigned step, const Use& use) const {
    if (step == 0) {
      use(input);
    } else {
      use(candidates(step - 1));
    }
  }
};

}  // namespace sortie::kernels

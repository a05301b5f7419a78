// Arithmetic of a sample select: which items are looked at, up to which of them there are enough candidates, and how
// many candidates and buckets there can be. Host and device functions, tested without a GPU.
//
//   sample, sorted   | 1 2 3 | 4 5 6 | 7 8 |  ...        ends of buckets: every third one, and the eighth, the last
//   all items        | bucket| bucket|     | not needed
//
// If one item in `gap` is looked at, the number of items up to the r-th of the sample has a gamma distribution with
// mean r * gap. The bounds of candidates are exceeded once in some 10^8 calls.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/host_device.hpp"
#include "kernels/radix/radix_plan.hpp"

namespace sortie::kernels {

/// Items that are looked at.
inline constexpr unsigned kSampleSize = 2048;

/// All items are ranked among each other, without a sample, if there are no more.
inline constexpr std::uint64_t kMostRankedItems = std::uint64_t{1} << 12;

/// Fewer items are ranked sooner than one cluster of blocks selects of them.
inline constexpr std::uint64_t kMostRankedSooner = std::uint64_t{1} << 11;

/// Where more are selected, buckets would take more scratch than it is worth.
inline constexpr std::uint64_t kMostSampleSelected = std::uint64_t{1} << 17;

/// So few are selected and sorted by the blocks of one cluster: of as many items of the input as they read faster than
/// a sample spares them, or of as many candidates.
inline constexpr unsigned kMostTeamSelected = 1024;
inline constexpr std::uint64_t kMostTeamItems = std::uint64_t{1} << 17;
inline constexpr std::uint64_t kMostTeamCandidates = std::uint64_t{1} << 17;
inline constexpr unsigned kMostTeamBlocks = 8;  ///< any device with clusters has as many in one

/// A block sorts a bucket in so many bytes of shared memory.
inline constexpr unsigned kBucketBytes = 32 << 10;

/// Samples, each of the candidates of the one before, down to buckets.
inline constexpr unsigned kMostFilters = 4;

constexpr bool ranks_all(std::uint64_t count, std::uint64_t selected_count) {
  return count <= (selected_count <= kMostTeamSelected ? kMostRankedSooner : kMostRankedItems);
}

/// A bucket of one sample's gap holds more than 14 times the mean once in 10^6; such gaps are the largest.
SORTIE_HD constexpr unsigned bucket_capacity(unsigned item_bytes) { return kBucketBytes / item_bytes; }
SORTIE_HD constexpr unsigned mean_bucket(unsigned item_bytes) { return bucket_capacity(item_bytes) / 8; }
SORTIE_HD constexpr std::uint64_t most_bucketed(unsigned item_bytes) {
  return std::uint64_t{bucket_capacity(item_bytes) / 14} * kSampleSize;
}
constexpr std::uint64_t most_selected(unsigned item_bytes) { return kMostSampleSelected / (item_bytes / 8); }

/// Buckets of candidates, if it is not known before how many there are.
SORTIE_HD constexpr unsigned bucket_limit(std::uint64_t selected_count, unsigned item_bytes) {
  return static_cast<unsigned>(2 * selected_count / mean_bucket(item_bytes)) + 16;
}
inline constexpr unsigned kMostSelectBuckets = 2 * kMostSampleSelected / 512 + 16;

/// The position of item `i` of the sample: somewhere in the i-th of as many equal parts of the input.
SORTIE_HD constexpr std::uint64_t select_sample_position(unsigned i, std::uint64_t count, std::uint64_t seed) {
  const std::uint64_t first = i * count / kSampleSize;
  const std::uint64_t items = (i + 1) * count / kSampleSize - first;
  return first + (((scattered(seed + i + 1) >> 32) * items) >> 32);
}

/// What a Poisson number of this mean, or a gamma one, nearly always stays below; without the constant part.
SORTIE_HD inline float with_deviations(float mean) { return mean + 6.5F * std::sqrt(mean); }

/// The rank in the sample, from 1 on, up to which there are enough items; kSampleSize if all are needed.
SORTIE_HD inline unsigned last_sample_rank(std::uint64_t count, std::uint64_t selected_count) {
  const float mean = static_cast<float>(selected_count) * kSampleSize / static_cast<float>(count);
  const float rank = with_deviations(mean) + 5;
  return rank < kSampleSize ? static_cast<unsigned>(rank) : kSampleSize;
}

/// Where buckets end: at every `step`-th item of the sorted sample, and at the last one.
struct BucketEnds {
  unsigned last;  ///< rank in the sample, from 1 on
  unsigned step;
  unsigned buckets;
};

/// One bucket for all candidates.
SORTIE_HD inline BucketEnds filter_ends(std::uint64_t count, std::uint64_t selected_count) {
  const unsigned last = last_sample_rank(count, selected_count);
  return {last, last, 1};
}

/// Buckets of mean_items or fewer, unless there would be more than `most`. Without items there are none.
SORTIE_HD inline BucketEnds bucket_ends(std::uint64_t count, std::uint64_t selected_count, unsigned mean_items,
                                        unsigned most) {
  if (count == 0) return {};
  const unsigned last = last_sample_rank(count, selected_count);
  const std::uint64_t wanted = std::uint64_t{mean_items} * kSampleSize / count;
  const unsigned at_least = (last + most - 1) / most;
  unsigned step = wanted < last ? static_cast<unsigned>(wanted) : last;
  if (step < at_least) step = at_least;
  return {last, step, (last + step - 1) / step};
}

/// Room for the candidates that a sample of `count` items leaves.
inline std::uint64_t filter_capacity(std::uint64_t count, std::uint64_t selected_count) {
  const unsigned last = last_sample_rank(count, selected_count);
  if (last == kSampleSize) return count;
  const double gaps = with_deviations(static_cast<float>(last)) + 18;
  return std::min(count, static_cast<std::uint64_t>(gaps * static_cast<double>(count) / kSampleSize) + 1);
}

/// How many candidates are to be expected at most, where it only matters for speed.
inline std::uint64_t likely_candidates(std::uint64_t count, std::uint64_t selected_count) {
  const float last = static_cast<float>(last_sample_rank(count, selected_count));
  const double gaps = last + 3 * std::sqrt(last);
  return std::min(count, static_cast<std::uint64_t>(gaps * static_cast<double>(count) / kSampleSize) + 1);
}

/// How often candidates are selected before they are few enough for what comes last, and how many there are each time.
struct SampleSelectPlan {
  bool ends_in_team = false;  ///< one cluster of blocks selects of them, else they are put into buckets
  unsigned filters = 0;
  std::uint64_t capacities[kMostFilters] = {};
  std::uint64_t left = 0;  ///< items that are selected from or looked at for it in the end, likely at most
  unsigned buckets = 0;    ///< at most
};

/// How many items may be left after `filters` filters.
inline std::uint64_t most_left(const SampleSelectPlan& plan, unsigned item_bytes) {
  if (!plan.ends_in_team) return most_bucketed(item_bytes);
  return plan.filters == 0 ? kMostTeamItems : kMostTeamCandidates;
}

inline SampleSelectPlan sample_select_plan(std::uint64_t count, std::uint64_t selected_count, unsigned item_bytes) {
  SampleSelectPlan plan;
  plan.ends_in_team = selected_count <= kMostTeamSelected;
  plan.left = count;
  std::uint64_t capacity = count;
  while (plan.left > most_left(plan, item_bytes) && plan.filters < kMostFilters) {
    capacity = filter_capacity(capacity, selected_count);
    plan.capacities[plan.filters++] = capacity;
    plan.left = likely_candidates(plan.left, selected_count);
  }
  if (plan.ends_in_team) return plan;
  const unsigned most = bucket_limit(selected_count, item_bytes);
  plan.buckets = most;
  if (plan.filters == 0) {
    // One more, as the device may round in another way.
    plan.buckets = std::min(most, bucket_ends(count, selected_count, mean_bucket(item_bytes), most).buckets + 1);
  }
  return plan;
}

}  // namespace sortie::kernels

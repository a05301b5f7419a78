// The launches of a radix sort, in order: sample, histograms, plan, the portions of every pass, repair, all that again
// in case the repair failed, and the copy to the primary arrays. The device decides which of them have work.
// Shorter sorts take no sample, and mend nothing. Keys are unsigned integers; the codec turns them into the codes to
// sort by.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/common/key_codec.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/radix/radix_buckets.cuh"
#include "kernels/radix/radix_group_sort.cuh"
#include "kernels/radix/radix_group_split.cuh"
#include "kernels/radix/radix_histogram.cuh"
#include "kernels/radix/radix_pass_kernels.cuh"
#include "kernels/radix/radix_pass_planning.cuh"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix/radix_repair.cuh"
#include "kernels/radix/radix_sample.cuh"

namespace sortie::kernels {

/// Launches one sort. With a source, the keys are read there, and the values are the positions of items: the first pass
/// brings both to the arrays.
template <class Tile, class Key, class Value, class Codec>
class RadixSort {
 public:
  RadixSort(const RadixArrays<Key, Value>& arrays, const Key* source, const Codec& codec, std::uint64_t count,
            BitRange bits, void* scratch, cudaStream_t stream)
      : arrays_(arrays),
        source_(source),
        codec_(codec),
        count_(count),
        bits_(bits),
        scratch_(radix_scratch(scratch, count)),
        stream_(stream),
        overlaps_(has_code_for_90(radix_pass_kernel<Key, Value, Tile, Codec, false>)),
        verdict_{bits, takes_all_digits<Key>(count, bits), takes_sample(count, bits), 0} {
    if (verdict_.sampled) verdict_.limit = radix_sample_limit(count);
  }

  void launch() {
    check_cuda(cudaMemsetAsync(scratch_.plan, 0, scratch_.cleared_bytes, stream_), "clearing the radix plan");
    if constexpr (kMaySample) {
      if (verdict_.sampled) return launch_sampled();
    }
    if constexpr (kMayBucket) {
      if (takes_buckets()) return launch_with_buckets();
    }
    count_digits<HistogramRead::kFirst>();
    sort_by_leading_digits();
    if constexpr (!kTakesAllDigits<Key>) {
      if (!verdict_.takes_all || radix_digit_count(bits_) % 2 != 0) copy_home();
    }
  }

 private:
  using Portion = RadixPortion<Key, Value, Codec>;

  static constexpr bool kMayBucket = sizeof(Key) == 4 && kHasValue<Value>;
  /// Counters of the digits, beside those of the buckets: 16 columns.
  static constexpr unsigned kBucketDigitWords = sizeof(std::uint32_t) * kRadixBins * kHistogramColumns;
  /// Shorter keys have no more digits than are always sorted by.
  static constexpr bool kMaySample = takes_sample(kShortenFrom, {0, 8 * sizeof(Key)});
  static constexpr RadixTuning kTuning = Tile::kTuning;
  static constexpr std::uint64_t kPortionItems = kPortionTiles * kTuning.tile_items();
  static_assert(kTuning.threads >= kRadixBins && kTuning.tile_items() >= kSmallestRadixTile);
  static_assert(kPortionItems < std::uint64_t{1} << 30, "counts share a word with two bits");

  /// Whether the buckets of radix_buckets.cuh are counted; the device then decides whether they are sorted.
  bool takes_buckets() const {
    return counts_buckets(count_, Tile::kLog2BucketsFrom) && bits_.begin == 0 && bits_.end == 8 * sizeof(Key) &&
           shared_bytes_per_block() >= sizeof(unsigned) * (kBucketDigitWords + BlockCounts<std::uint16_t>::kWords);
  }

  void launch_with_buckets() {
    count_buckets_and_digits();
    sort_by_leading_digits();
    sort_buckets();
    copy_home();
  }

  void count_buckets_and_digits() {
    const auto kernel = radix_histogram_kernel<HistogramRead::kFirst, Key, Codec, true>;
    const std::uint64_t shared_bytes = sizeof(unsigned) * (kBucketDigitWords + BlockCounts<std::uint16_t>::kWords);
    allow_shared_bytes(kernel, shared_bytes, "shared memory of the radix bucket count kernel");
    launch_overlapping(
        kernel, "radix bucket count kernel",
        {persistent_grid(divide_up(count_, kLeastHistogramTile<Key>), 1), kHistogramThreads, shared_bytes}, overlaps_,
        stream_, keys_at_first(), arrays_.alternate_keys, count_, verdict_, codec_, kBucketDigitWords, scratch_.buckets,
        scratch_.plan);
  }

  void sort_buckets() {
    const auto kernel = radix_bucket_sort_kernel<Key, Value, Codec>;
    const std::uint64_t shared_bytes = sizeof(BucketShared<Key, Value>);
    allow_shared_bytes(kernel, shared_bytes, "shared memory of the radix bucket sort kernel");
    launch_overlapping(kernel, "radix bucket sort kernel",
                       {kBuckets >> scratch_.buckets.log2_tile_buckets, kBucketThreads, shared_bytes}, overlaps_,
                       stream_, arrays_, codec_, scratch_.buckets, scratch_.plan);
  }

  void launch_sampled() {
    sample();
    count_digits<HistogramRead::kFirst>();
    count_digits<HistogramRead::kMissed>();
    plan<kLeadingDigits>();
    sort_by_leading_digits();
    repair();
    count_digits<HistogramRead::kRest>();
    plan<kAllDigits>();
    sort_by<kAllDigits>();
    copy_home();
  }

  void sample() {
    const std::uint64_t keys = radix_sample_keys(count_);
    const auto grid = static_cast<unsigned>(divide_up(keys, kRadixStreamThreads));
    radix_sample_kernel<<<grid, kRadixStreamThreads, 0, stream_>>>(
        CodedKeys<Key, Codec>{keys_at_first(), codec_}, count_, bits_, keys, scratch_.sample_table, scratch_.plan);
    check_launch("radix sample kernel");
    const std::uint64_t table_bytes = (radix_digit_count(bits_) - 1) * keys * sizeof *scratch_.sample_table;
    check_cuda(cudaMemsetAsync(scratch_.status, 0, table_bytes, stream_), "clearing the radix status words");
  }

  template <HistogramRead kRead>
  void count_digits() {
    const std::uint64_t wide = std::uint64_t{kMaxDigits} * kRadixBins * kHistogramColumns;
    const bool holds_wide = shared_bytes_per_block() >= wide * sizeof(unsigned);
    const bool is_wide = count_ >= kShortenFrom && holds_wide;
    const auto counter_room = static_cast<unsigned>(is_wide ? wide : radix_digit_count(bits_) * kRadixBins);
    const unsigned grid = persistent_grid(divide_up(count_, kLeastHistogramTile<Key>), 1);
    const auto kernel = radix_histogram_kernel<kRead, Key, Codec, false>;
    const std::uint64_t shared_bytes = counter_room * sizeof(unsigned);
    if (holds_wide) allow_shared_bytes(kernel, wide * sizeof(unsigned), "shared memory of the radix histogram kernel");
    launch_overlapping(kernel, "radix histogram kernel", {grid, kHistogramThreads, shared_bytes}, overlaps_, stream_,
                       kRead == HistogramRead::kRest ? arrays_.keys : keys_at_first(), arrays_.alternate_keys, count_,
                       verdict_, codec_, counter_room, BucketCounts{}, scratch_.plan);
  }

  template <RadixPhase kPhase>
  void plan() {
    launch_overlapping(radix_plan_kernel<kPhase>, "radix plan kernel", {1, kPlanThreads}, overlaps_, stream_, verdict_,
                       scratch_.plan);
  }

  /// Where the keys are before the first pass.
  const Key* keys_at_first() const { return source_ == nullptr ? arrays_.keys : source_; }

  void sort_by_leading_digits() {
    if constexpr (kHasValue<Value>) {
      if (source_ != nullptr) {
        const unsigned grid = persistent_grid(divide_up(count_, kRadixStreamThreads), kRadixStreamBlocks);
        launch_overlapping(radix_fetch_kernel<Key, Value>, "radix fetch kernel", {grid, kRadixStreamThreads}, overlaps_,
                           stream_, scratch_.plan, source_, arrays_, count_);
      }
    }
    sort_by<kLeadingDigits>();
  }

  template <RadixPhase kPhase>
  void sort_by() {
    for (unsigned pass = 0; pass < radix_digit_count(bits_); ++pass) launch_pass(kPhase, pass);
  }

  /// Launches all portions of pass `pass`. The device decides which digit it sorts by, and whether it exists.
  void launch_pass(RadixPhase phase, unsigned pass) {
    Portion portion{};
    portion.arrays = arrays_;
    if (source_ != nullptr && phase == kLeadingDigits && pass == 0) {
      portion.arrays.keys = const_cast<Key*>(source_);  // a first pass only reads them
      portion.arrays.values = nullptr;
    }
    portion.bits = bits_;
    portion.phase = phase;
    portion.pass = pass;
    portion.portion_count = static_cast<unsigned>(divide_up(count_, kPortionItems));
    portion.plan = scratch_.plan;
    portion.launch_state = scratch_.launch_state;
    portion.status = scratch_.status;
    portion.codec = codec_;
    portion.all_tile_count = tiles_of(std::min(kPortionItems, count_));
    for (; portion.begin < count_; portion.begin += kPortionItems, ++portion.index) {
      portion.count = std::min(kPortionItems, count_ - portion.begin);
      portion.tile_count = tiles_of(portion.count);
      launch_portion(portion);
    }
  }

  static std::uint32_t tiles_of(std::uint64_t count) {
    return static_cast<std::uint32_t>(divide_up(count, kTuning.tile_items()));
  }

  /// A pass that is nearly always needed has one block per tile. Other passes have blocks that go on from tile to
  /// tile: these are slower, but an empty launch of them costs next to nothing.
  void launch_portion(const Portion& portion) {
    if constexpr (kPacks<Key>) {
      if (verdict_.sampled && portion.phase == kLeadingDigits && portion.pass < kMaxDigits / 2) launch_packed(portion);
    }
    if constexpr (kMaySample) {
      if (portion.phase == kAllDigits || (verdict_.sampled && portion.pass >= kUsualPasses)) {
        return launch_kernel<RadixPassShared<Key, Value, Tile>>(radix_pass_kernel<Key, Value, Tile, Codec, true>,
                                                                portion, persistent_blocks(portion));
      }
    }
    launch_kernel<RadixPassShared<Key, Value, Tile>>(radix_pass_kernel<Key, Value, Tile, Codec, false>, portion,
                                                     grid_of_tiles(portion.tile_count));
  }

  void launch_packed(const Portion& portion) {
    using Packed = typename Tile::Packed;
    static_assert(Packed::kTuning.threads == kTuning.threads);
    launch_kernel<RadixPassShared<std::uint32_t, Value, Packed>>(radix_packed_pass_kernel<Key, Value, Packed, Codec>,
                                                                 portion, persistent_blocks(portion));
  }

  static unsigned persistent_blocks(const Portion& portion) {
    return persistent_grid(portion.tile_count, kTuning.blocks_per_multiprocessor);
  }

  template <class Shared, class Kernel>
  void launch_kernel(Kernel kernel, const Portion& portion, unsigned grid) {
    allow_shared_bytes(kernel, sizeof(Shared), "shared memory of the radix pass kernel");
    launch_overlapping(kernel, "radix pass kernel", {grid, kTuning.threads, sizeof(Shared)}, overlaps_, stream_,
                       portion);
  }

  void repair() {
    const RadixGroups& groups = scratch_.groups;
    check_cuda(cudaMemsetAsync(groups.claims, 0, groups.claim_slots * sizeof *groups.claims, stream_),
               "clearing the radix groups");
    const unsigned grid = persistent_grid(divide_up(count_, kRepairTile), kRepairBlocks);
    radix_repair_kernel<<<grid, kRepairThreads, 0, stream_>>>(arrays_, count_, verdict_, codec_, groups, scratch_.plan);
    check_launch("radix repair kernel");
    const auto resolve_grid = static_cast<unsigned>(divide_up(groups.capacity, kResolveThreads));
    radix_resolve_kernel<<<resolve_grid, kResolveThreads, 0, stream_>>>(arrays_.keys, arrays_.alternate_keys, count_,
                                                                        verdict_, codec_, groups, scratch_.plan);
    check_launch("radix resolve kernel");
    radix_group_split_kernel<<<persistent_grid(groups.capacity, kSplitBlocks), kSplitThreads, 0, stream_>>>(
        arrays_, verdict_, codec_, groups, scratch_.plan);
    check_launch("radix group split kernel");
    radix_group_sort_kernel<<<persistent_grid(groups.capacity, kGroupBlocks), kGroupThreads, 0, stream_>>>(
        arrays_, verdict_, codec_, groups, scratch_.plan);
    check_launch("radix group sort kernel");
  }

  void copy_home() {
    const std::uint64_t tile_items = kRadixStreamThreads * (16 / sizeof(Key));
    const unsigned grid = persistent_grid(divide_up(count_, tile_items), kRadixStreamBlocks);
    launch_overlapping(radix_copy_home_kernel<Key, Value>, "radix copy kernel", {grid, kRadixStreamThreads}, overlaps_,
                       stream_, scratch_.plan, arrays_, count_);
  }

  const RadixArrays<Key, Value> arrays_;
  const Key* const source_;  ///< null if the arrays hold the items
  const Codec codec_;
  const std::uint64_t count_;
  const BitRange bits_;
  const RadixScratch scratch_;
  const cudaStream_t stream_;
  const bool overlaps_;  ///< see launch_overlapping()
  SampleVerdict verdict_;
};

/// Precondition: there are items, and bits to sort by.
template <class Tile, class Key, class Value, class Codec>
void launch_radix_sort(const RadixArrays<Key, Value>& arrays, const Key* source, const Codec& codec,
                       std::uint64_t count, BitRange bits, void* scratch, cudaStream_t stream) {
  RadixSort<Tile, Key, Value, Codec>(arrays, source, codec, count, bits, scratch, stream).launch();
}

}  // namespace sortie::kernels

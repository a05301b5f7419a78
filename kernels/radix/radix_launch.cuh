// The launches of a radix sort, in order: sample, histograms, plan, the portions of every pass, repair, all that again
// in case the repair failed, and the copy to the primary arrays. The device decides which of them have work. Keys are
// unsigned integers; the codec turns them into the codes to sort by.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "kernels/common/key_codec.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/radix/radix_group_sort.cuh"
#include "kernels/radix/radix_group_split.cuh"
#include "kernels/radix/radix_histogram.cuh"
#include "kernels/radix/radix_pass_kernels.cuh"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix/radix_repair.cuh"
#include "kernels/radix/radix_sample.cuh"

namespace sortie::kernels {

/// Launches one sort.
template <class Tile, class Key, class Value, class Codec>
class RadixSort {
 public:
  RadixSort(const RadixArrays<Key, Value>& arrays, const Codec& codec, std::uint64_t count, BitRange bits,
            void* scratch, cudaStream_t stream)
      : arrays_(arrays),
        codec_(codec),
        count_(count),
        bits_(bits),
        scratch_(radix_scratch(scratch, count)),
        stream_(stream),
        verdict_{bits, count >= kShortenFrom && radix_digit_count(bits) > 1, 0} {
    if (verdict_.sampled) verdict_.limit = radix_sample_limit(count);
  }

  void launch() {
    clear();
    if (verdict_.sampled) sample();
    count_digits<HistogramRead::kFirst>();
    if (verdict_.sampled) count_digits<HistogramRead::kMissed>();
    sort_by<kLeadingDigits>();
    if (verdict_.sampled) {
      repair();
      count_digits<HistogramRead::kRest>();
      sort_by<kAllDigits>();
    }
    copy_home(arrays_.alternate_keys, arrays_.keys);
    if constexpr (kHasValue<Value>) copy_home(arrays_.alternate_values, arrays_.values);
  }

 private:
  using Portion = RadixPortion<Key, Value, Codec>;

  static constexpr RadixTuning kTuning = Tile::kTuning;
  static constexpr std::uint64_t kPortionItems = kPortionTiles * kTuning.tile_items();
  static_assert(kTuning.threads >= kRadixBins && kTuning.tile_items() >= kSmallestRadixTile);
  static_assert(kPortionItems < std::uint64_t{1} << 30, "counts share a word with two bits");

  void clear() {
    check_cuda(cudaMemsetAsync(scratch_.plan, 0, sizeof *scratch_.plan, stream_), "clearing the radix histograms");
    check_cuda(cudaMemsetAsync(scratch_.launch_state, 0, sizeof *scratch_.launch_state, stream_),
               "clearing the radix tile counter");
    clear_status(scratch_.status_words * sizeof *scratch_.status);
  }

  void clear_status(std::uint64_t bytes) {
    check_cuda(cudaMemsetAsync(scratch_.status, 0, bytes, stream_), "clearing the radix status words");
  }

  void sample() {
    const std::uint64_t keys = radix_sample_keys(count_);
    const auto grid = static_cast<unsigned>(divide_up(keys, kRadixStreamThreads));
    radix_sample_kernel<<<grid, kRadixStreamThreads, 0, stream_>>>(CodedKeys<Key, Codec>{arrays_.keys, codec_}, count_,
                                                                   bits_, keys, scratch_.sample_table, scratch_.plan);
    check_launch("radix sample kernel");
    clear_status((radix_digit_count(bits_) - 1) * keys * sizeof *scratch_.sample_table);
  }

  template <HistogramRead kRead>
  void count_digits() {
    const std::uint64_t wide = std::uint64_t{kMaxDigits} * kRadixBins * kHistogramColumns;
    const bool is_wide = count_ >= kShortenFrom && shared_bytes_per_block() >= wide * sizeof(unsigned);
    const auto counter_room = static_cast<unsigned>(is_wide ? wide : radix_digit_count(bits_) * kRadixBins);
    const unsigned grid = persistent_grid(divide_up(count_, kHistogramTile<Key>), is_wide ? 1 : 2);
    const auto kernel = radix_histogram_kernel<kRead, Key, Codec>;
    const std::uint64_t shared_bytes = counter_room * sizeof(unsigned);
    allow_shared_bytes(kernel, shared_bytes, "shared memory of the radix histogram kernel");
    kernel<<<grid, kHistogramThreads, shared_bytes, stream_>>>(arrays_.keys, arrays_.alternate_keys, count_, verdict_,
                                                               codec_, counter_room, scratch_.plan);
    check_launch("radix histogram kernel");
  }

  template <RadixPhase kPhase>
  void sort_by() {
    radix_plan_kernel<kPhase><<<1, kRadixBins, 0, stream_>>>(verdict_, scratch_.plan);
    check_launch("radix plan kernel");
    for (unsigned pass = 0; pass < radix_digit_count(bits_); ++pass) launch_pass(kPhase, pass);
  }

  /// Launches all portions of pass `pass`. The device decides which digit it sorts by, and whether it exists.
  void launch_pass(RadixPhase phase, unsigned pass) {
    Portion portion{};
    portion.arrays = arrays_;
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
    if (portion.phase == kAllDigits || (verdict_.sampled && portion.pass >= kUsualPasses)) {
      launch_kernel<RadixPassShared<Key, Value, Tile>>(radix_pass_kernel<Key, Value, Tile, Codec, true>, portion,
                                                       persistent_blocks(portion));
    } else {
      launch_kernel<RadixPassShared<Key, Value, Tile>>(radix_pass_kernel<Key, Value, Tile, Codec, false>, portion,
                                                       grid_of_tiles(portion.tile_count));
    }
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
    kernel<<<grid, kTuning.threads, sizeof(Shared), stream_>>>(portion);
    check_launch("radix pass kernel");
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

  template <class Item>
  void copy_home(const Item* alternate, Item* primary) {
    const std::uint64_t tile_items = kRadixStreamThreads * (16 / sizeof(Item));
    const unsigned grid = persistent_grid(divide_up(count_, tile_items), kRadixStreamBlocks);
    radix_copy_home_kernel<<<grid, kRadixStreamThreads, 0, stream_>>>(scratch_.plan, alternate, primary, count_);
    check_launch("radix copy kernel");
  }

  const RadixArrays<Key, Value> arrays_;
  const Codec codec_;
  const std::uint64_t count_;
  const BitRange bits_;
  const RadixScratch scratch_;
  const cudaStream_t stream_;
  SampleVerdict verdict_;
};

template <class Tile, class Key, class Value, class Codec>
void launch_radix_sort(const RadixArrays<Key, Value>& arrays, const Codec& codec, std::uint64_t count, BitRange bits,
                       void* scratch, cudaStream_t stream) {
  assert(bits.begin <= bits.end && bits.end <= 8 * sizeof(Key));
  if (count < 2 || bits.begin == bits.end) return;
  RadixSort<Tile, Key, Value, Codec>(arrays, codec, count, bits, scratch, stream).launch();
}

/// Sorts with the largest tiles that this GPU has the shared memory for.
template <class Key, class Value, class Codec>
void radix_sort(const RadixArrays<Key, Value>& arrays, const Codec& codec, std::uint64_t count, BitRange bits,
                void* scratch, cudaStream_t stream) {
  constexpr std::size_t kValueBytes = kHasValue<Value> ? sizeof(Value) : 0;
  using Large = RadixTile<RadixShape::kLarge, sizeof(Key), kValueBytes>;
  using Small = RadixTile<RadixShape::kSmall, sizeof(Key), kValueBytes>;
  if (shared_bytes_per_block() >= sizeof(RadixPassShared<Key, Value, Large>)) {
    launch_radix_sort<Large>(arrays, codec, count, bits, scratch, stream);
  } else {
    launch_radix_sort<Small>(arrays, codec, count, bits, scratch, stream);
  }
}

}  // namespace sortie::kernels

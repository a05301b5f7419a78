// One pass over the giants: blocks take all tiles in turn, rank the items of each by a digit, learn from a look-back
// within the giant where the tile's part of each bin goes, and write the tile bin by bin from shared memory. Keys are
// codes only between a giant's passes: its first one encodes what it loads, its last one decodes what it stores.
//
//   tiles  | giant 0: 0 | 1 | 2 | giant 1: 0 | 1 | ...
//   shared | bin 0 | bin 1 | ...  of this tile
//
// Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022.
#pragma once

#include <cstdint>

#include "kernels/common/look_back.cuh"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix/radix_portion.cuh"
#include "kernels/radix/warp_rank.cuh"
#include "kernels/segmented/segment_items.cuh"
#include "kernels/segmented/segment_lists.cuh"

namespace sortie::kernels {

template <class Code, class Value, class Tile>
struct GiantPassShared {
  static constexpr unsigned kWarps = Tile::kTuning.threads / 32;

  alignas(16) Code keys[Tile::kItems];
  Value values[kHasValue<Value> ? Tile::kItems : 1];
  std::uint64_t targets[kRadixBins];         ///< where a bin goes, less its position in the tile
  unsigned warp_counts[kWarps][kRadixBins];  ///< counts; then the position of each warp's first item per bin
  unsigned scan_sums[kRadixBins / 32];
  GiantTileRecord records[2];  ///< of this tile, and of the next one
};

/// The sum of the counts of the tiles before tile `tile` of a giant, for one bin. `column`: the bin's word of the
/// giant's first tile. Precondition: that tile publishes an inclusive sum.
__device__ inline std::uint32_t count_before_tile(std::uint64_t* column, unsigned tile, unsigned pass) {
  std::uint32_t sum = 0;
  while (true) {
    std::uint64_t words[kLookBackBatch];
#pragma unroll
    for (unsigned i = 0; i < kLookBackBatch; ++i) {
      words[i] =
          tile > i ? read_status(column + std::uint64_t{tile - 1 - i} * kRadixBins) : GiantWord::of(pass, true, 0);
    }
#pragma unroll
    for (unsigned i = 0; i < kLookBackBatch; ++i) {
      if (!GiantWord::is_published(words[i], pass)) break;
      sum += GiantWord::count(words[i]);
      if (GiantWord::is_inclusive(words[i])) return sum;
      --tile;
    }
  }
}

template <class Code, class Value, class TileShape>
class GiantPass {
 public:
  using Arrays = RadixArrays<Code, Value>;
  using Shared = GiantPassShared<Code, Value, TileShape>;

  __device__ GiantPass(const Arrays& arrays, const KeyCodec<Code>& codec, const GiantLists& lists, unsigned pass,
                       Shared& shared)
      : arrays_(arrays), codec_(codec), lists_(lists), pass_(pass), to_alternate_(pass % 2 == 0), shared_(shared) {}

  /// Block b sorts tiles b, b + gridDim.x, and so on. All blocks run at once, so none waits in vain for tiles before
  /// its own. The next tile's record is read while this one is sorted.
  __device__ void run(unsigned tile_count) {
    if (blockIdx.x < tile_count) leave_word(0, word_of(blockIdx.x));
    unsigned slot = 0;
    for (unsigned tile = blockIdx.x; tile < tile_count; tile += gridDim.x) {
      for (unsigned i = threadIdx.x; i < Shared::kWarps * kRadixBins; i += kThreads) {
        shared_.warp_counts[i / kRadixBins][i % kRadixBins] = 0;
      }
      const unsigned next = tile_count - tile > gridDim.x ? word_of(tile + gridDim.x) : 0;
      __syncthreads();
      record_ = &shared_.records[slot];
      const unsigned index = pass_ - record_->plan.first_pass;
      if (pass_ >= record_->plan.first_pass && index < record_->plan.passes) sort_tile(index);
      slot ^= 1;
      leave_word(slot, next);
    }
    __syncthreads();
  }

 private:
  static constexpr RadixTuning kTuning = TileShape::kTuning;
  static constexpr unsigned kThreads = kTuning.threads;
  static constexpr unsigned kItems = kTuning.items;
  static constexpr unsigned kTile = TileShape::kItems;
  static constexpr unsigned kDigits = sizeof(Code);
  static constexpr unsigned kRecordWords = sizeof(GiantTileRecord) / sizeof(unsigned);
  static_assert(kThreads >= kRadixBins);

  /// This thread's word of a tile's record.
  __device__ unsigned word_of(unsigned tile) const {
    return threadIdx.x < kRecordWords ? reinterpret_cast<const unsigned*>(lists_.tiles + tile)[threadIdx.x] : 0;
  }
  __device__ void leave_word(unsigned slot, unsigned word) {
    if (threadIdx.x < kRecordWords) reinterpret_cast<unsigned*>(&shared_.records[slot])[threadIdx.x] = word;
  }

  /// `index`: that of this pass in the giant's plan.
  __device__ void sort_tile(unsigned index) {
    const unsigned digit_index = record_->plan.digits[index];
    digit_ = {digit_index * kDigitBits, kRadixBins - 1};
    encodes_ = index == 0;
    decodes_ = index + 1 == record_->plan.passes;
    count_ = record_->count;

    Code keys[kItems];
    unsigned ranks[kItems];
    load_keys(keys);
    rank_in_warp<kItems>(keys, digit_, shared_.warp_counts[warp_], ranks);
    __syncthreads();
    const BinPosition bin = position_bins();
    const RadixDigit digit = recomputed(digit_);
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      ranks[k] += shared_.warp_counts[warp_][digit.of(keys[k])];
      shared_.keys[ranks[k]] = keys[k];
    }
    // The values load while the look-back waits for other tiles.
    Value values[kHasValue<Value> ? kItems : 1];
    if constexpr (kHasValue<Value>) {
      const Value* const source = to_alternate_ ? arrays_.values : arrays_.alternate_values;
      load_striped(source, values, Value{});
    }
    if (threadIdx.x < kRadixBins) {
      look_back(lists_.bins_of(record_->giant, digit_index, kDigits)[threadIdx.x], bin);
    }
    if constexpr (kHasValue<Value>) {
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) shared_.values[ranks[k]] = values[k];
    }
    __syncthreads();
    if (count_ == kTile) {
      store<true>();
    } else {
      store<false>();
    }
  }

  /// Item k of lane l of warp w is item w * 32 * kItems + 32 k + l of the tile. Those past the end get the highest
  /// code, so that they rank last.
  __device__ void load_keys(Code (&keys)[kItems]) const {
    const KeyCodec<Code> codec = codec_or_none(encodes_);
    load_striped(to_alternate_ ? arrays_.keys : arrays_.alternate_keys, keys, codec.decode(~Code{0}));
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) keys[k] = codec.encode(keys[k]);
  }

  /// A codec that changes nothing unless the keys are numbers: choosing masks costs less than choosing what to do.
  __device__ KeyCodec<Code> codec_or_none(bool are_numbers) const { return are_numbers ? codec_ : KeyCodec<Code>{}; }

  template <class Item>
  __device__ void load_striped(const Item* array, Item (&items)[kItems], Item padding) const {
    const Item* const source = array + record_->begin;
    const unsigned first = warp_ * 32 * kItems + lane_;
    if (count_ == kTile) {
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) items[k] = source[first + 32 * k];
    } else {
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) items[k] = first + 32 * k < count_ ? source[first + 32 * k] : padding;
    }
  }

  /// Makes the compiler compute the digits again after the ranking; it would keep them all in registers.
  __device__ static RadixDigit recomputed(RadixDigit digit) {
    asm volatile("" : "+r"(digit.shift));
    return digit;
  }

  struct BinPosition {
    unsigned begin;  ///< first position of the bin in the tile
    unsigned count;  ///< the tile's items in the bin
  };

  /// Thread b serves bin b: it sums the warps' counts, publishes the tile's count, and turns the warps' counts into
  /// positions in the tile.
  __device__ BinPosition position_bins() {
    const unsigned bin = threadIdx.x;
    BinPosition position{0, 0};
    unsigned inclusive = 0;
    if (bin < kRadixBins) {
#pragma unroll
      for (unsigned w = 0; w < Shared::kWarps; ++w) position.count += shared_.warp_counts[w][bin];
      publish(status(), GiantWord::of(pass_, record_->tile == 0, position.count));
      inclusive = warp_inclusive_sum(position.count);
      if (lane_ == 31) shared_.scan_sums[warp_] = inclusive;
    }
    __syncthreads();
    if (bin < kRadixBins) {
      position.begin = inclusive - position.count;
      for (unsigned w = 0; w < warp_; ++w) position.begin += shared_.scan_sums[w];
      unsigned next = position.begin;
#pragma unroll
      for (unsigned w = 0; w < Shared::kWarps; ++w) {
        const unsigned count = shared_.warp_counts[w][bin];
        shared_.warp_counts[w][bin] = next;
        next += count;
      }
    }
    __syncthreads();
    return position;
  }

  /// Thread b finds where the tile's part of bin b goes. `bin_begin`: where the bin begins in the giant.
  __device__ void look_back(std::uint32_t bin_begin, const BinPosition& bin) {
    std::uint32_t before = 0;
    if (record_->tile > 0) {
      before = count_before_tile(status_of(record_->first_tile), record_->tile, pass_);
      publish(status(), GiantWord::of(pass_, true, before + bin.count));
    }
    const std::uint64_t giant_begin = record_->begin - std::uint64_t{record_->tile} * kTile;
    shared_.targets[threadIdx.x] = giant_begin + bin_begin + before - bin.begin;
  }

  /// Starts all reads of shared memory before it writes the first item.
  template <bool kFull>
  __device__ void store() const {
    const KeyCodec<Code> codec = codec_or_none(decodes_);
    Code* const keys_out = to_alternate_ ? arrays_.alternate_keys : arrays_.keys;
    Value* const values_out = to_alternate_ ? arrays_.alternate_values : arrays_.values;
    Code keys[kItems];
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) keys[k] = shared_.keys[threadIdx.x + k * kThreads];
    Value values[kHasValue<Value> ? kItems : 1];
    if constexpr (kHasValue<Value>) {
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) values[k] = shared_.values[threadIdx.x + k * kThreads];
    }
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      const unsigned i = threadIdx.x + k * kThreads;
      if (!kFull && i >= count_) break;
      const std::uint64_t target = shared_.targets[digit_.of(keys[k])] + i;
      keys_out[target] = codec.decode(keys[k]);
      if constexpr (kHasValue<Value>) values_out[target] = values[k];
    }
  }

  /// A tile's word for the bin of this thread.
  __device__ std::uint64_t* status_of(unsigned tile) const {
    return lists_.status + std::uint64_t{tile} * kRadixBins + threadIdx.x;
  }
  __device__ std::uint64_t* status() const { return status_of(record_->first_tile + record_->tile); }

  const Arrays& arrays_;
  const KeyCodec<Code>& codec_;
  const GiantLists& lists_;
  const unsigned pass_;
  const bool to_alternate_;  ///< whether the pass moves items from the primary arrays to the alternate ones
  Shared& shared_;
  const unsigned warp_ = threadIdx.x / 32;
  const unsigned lane_ = threadIdx.x % 32;
  const GiantTileRecord* record_ = nullptr;  ///< of the tile; in shared memory
  unsigned count_ = 0;
  RadixDigit digit_;
  bool encodes_ = false;  ///< whether this is the giant's first pass
  bool decodes_ = false;  ///< whether it is the last one
};

}  // namespace sortie::kernels

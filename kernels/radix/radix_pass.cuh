// One pass of the radix sort over one tile: ranks items by digit, learns from the look-back where the tile's part of
// each bin goes, and writes the tile bin by bin from shared memory.
//
//   in     | tile 0 | tile 1 | tile 2 | ...          tile: warps' items one after the other
//   shared | bin 0 | bin 1 | ...  of this tile
//   out    | bin 0: tile 0, tile 1, ... | bin 1: tile 0, tile 1, ... | ...
//
// Keys are codes (key_codec.hpp, byte_packing.hpp) only between the passes of a phase: the first pass encodes what it
// loads, the last one decodes what it stores. Before and after a phase the arrays hold the caller's numbers. Codes may
// be shorter than numbers, and then take the first half of their arrays.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/common/look_back.cuh"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix/radix_portion.cuh"
#include "kernels/radix/warp_rank.cuh"

namespace sortie::kernels {

template <class Key, class Value, class Tile>
struct RadixPassShared {
  static constexpr RadixTuning kTuning = Tile::kTuning;
  static constexpr unsigned kWarps = kTuning.threads / 32;
  static constexpr unsigned kTile = kTuning.tile_items();
  static constexpr unsigned kValueBytes = kHasValue<Value> ? sizeof(Value) * kTile : 0;
  static constexpr unsigned kKeyBytes = sizeof(Key) * kTile;

  __device__ Key* keys() { return reinterpret_cast<Key*>(items); }
  __device__ Value* values() { return reinterpret_cast<Value*>(items + kKeyBytes); }

  alignas(16) unsigned char items[kKeyBytes + kValueBytes];  ///< keys, then values
  std::uint64_t targets[kRadixBins];  ///< see target_of(): a bin's output position less its position in the tile
  unsigned warp_counts[kWarps]
                      [kRadixBins];  ///< counts; then the position in the tile of each warp's first item per bin
  unsigned scan_sums[kRadixBins / 32];
};

/// A pass that moves numbers of the portion's type by keys of type Key, the codes that Codec makes of them.
template <class Portion, class Key, class Tile, class Codec, bool kPersistent>
class RadixPass {
 public:
  using Number = typename Portion::Number;
  using Value = typename Portion::Value;
  using Shared = RadixPassShared<Key, Value, Tile>;
  static constexpr RadixTuning kTuning = Tile::kTuning;
  static constexpr unsigned kItems = kTuning.items;
  static constexpr unsigned kTile = kTuning.tile_items();

  /// `digit` is a digit of the codes.
  __device__ RadixPass(const Portion& portion, const Codec& codec, RadixDigit digit, std::uint32_t tile_count,
                       unsigned passes_before, Shared& shared)
      : portion_(portion),
        codec_(codec),
        shared_(shared),
        states_((passes_before + portion.pass) * portion.portion_count + portion.index),
        to_alternate_((passes_before + portion.pass) % 2 == 0),
        encodes_(Codec::kRecodes && portion.pass == 0),
        decodes_(Codec::kRecodes && portion.pass + 1 == portion.plan->passes[portion.phase].count),
        digit_index_(portion.plan->passes[portion.phase].digits[portion.pass]),
        digit_(digit),
        portion_tiles_(tile_count) {}

  /// Sorts tiles as long as there are any, or a single one if the blocks are not persistent.
  __device__ void run() {
    leave_words_beyond();
    while (true) {
      for (unsigned i = threadIdx.x; i < Shared::kWarps * kRadixBins; i += kTuning.threads) {
        shared_.warp_counts[i / kRadixBins][i % kRadixBins] = 0;
      }
      tile_ = claim_tile(&portion_.launch_state->tile_counter);
      if (tile_ >= portion_tiles_) break;
      tile_begin_ = std::uint64_t{tile_} * kTile;
      const std::uint64_t left = portion_.count - tile_begin_;
      tile_count_ = left < kTile ? static_cast<unsigned>(left) : kTile;
      sort_tile();
      if constexpr (!kPersistent) break;
    }
    if (threadIdx.x == 0 && atomicAdd(&portion_.launch_state->blocks_done, 1u) == gridDim.x - 1) {
      portion_.launch_state->tile_counter = 0;
      portion_.launch_state->blocks_done = 0;
    }
  }

 private:
  /// Other launches may have more tiles. This one sets the words of the tiles that it lacks to its own inclusive
  /// state, which the next launch takes for unpublished.
  __device__ void leave_words_beyond() const {
    const std::uint64_t end = std::uint64_t{portion_.all_tile_count} * kRadixBins;
    for (std::uint64_t i = std::uint64_t{portion_tiles_} * kRadixBins + blockIdx.x * kTuning.threads + threadIdx.x;
         i < end; i += gridDim.x * kTuning.threads) {
      portion_.status[i] = states_.inclusive(0);
    }
  }

  __device__ void sort_tile() {
    Key keys[kItems];
    unsigned ranks[kItems];
    load_keys(keys);
    rank_in_warp<kItems>(keys, digit_, shared_.warp_counts[warp_], ranks);
    __syncthreads();
    const BinPosition bin = position_bins();
    const RadixDigit digit = recomputed(digit_);
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      ranks[k] += shared_.warp_counts[warp_][digit.of(keys[k])];
      shared_.keys()[ranks[k]] = keys[k];
    }
    // The values load while the look-back waits for other tiles.
    Value values[kHasValue<Value> ? kItems : 1];
    if constexpr (kHasValue<Value>) {
      load_values(values);
    }
    if (threadIdx.x < kRadixBins) look_back(bin);
    if constexpr (kHasValue<Value>) {
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) shared_.values()[ranks[k]] = values[k];
    }
    __syncthreads();
    if constexpr (Codec::kRecodes) {
      if (decodes_) return store_tile<true>();
    }
    store_tile<false>();
  }

  /// Loads codes, whatever the array holds. Items past the end get the highest code, so that they rank last.
  __device__ void load_keys(Key (&keys)[kItems]) const {
    constexpr Key kHighest = static_cast<Key>(~Key{0});
    const Number* source = to_alternate_ ? portion_.arrays.keys : portion_.arrays.alternate_keys;
    if constexpr (sizeof(Key) < sizeof(Number)) {
      if (encodes_) return load_striped(source, keys, kHighest, codec_);
      load_striped(reinterpret_cast<const Key*>(source), keys, kHighest, PlainKeys{});
    } else {
      // Loads all numbers before it encodes any: to encode each as it arrives would cost registers.
      load_striped(source, keys, encodes_ ? codec_.decode(kHighest) : kHighest, PlainKeys{});
      if (!encodes_) return;
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) keys[k] = codec_.encode(keys[k]);
    }
  }

  /// Without an array they are the positions of items in the input.
  __device__ void load_values(Value (&values)[kItems]) const {
    const Value* source = to_alternate_ ? portion_.arrays.values : portion_.arrays.alternate_values;
    if (source != nullptr) return load_striped(source, values, Value{}, PlainKeys{});
    const std::uint64_t first = portion_.begin + tile_begin_ + warp_ * 32 * kItems + lane_;
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) values[k] = static_cast<Value>(first + 32 * k);
  }

  template <bool kDecodes>
  __device__ void store_tile() const {
    if (tile_count_ == kTile) {
      store<true, kDecodes>();
    } else {
      store<false, kDecodes>();
    }
  }

  struct BinPosition {
    unsigned begin;  ///< first position of the bin in the tile
    unsigned count;  ///< the tile's items in the bin
  };

  /// Makes the compiler compute the digits again after the ranking; it would keep them all in registers. Without it a
  /// sort of u32 takes 1.2% longer, of u64 2.1%, of u64 + u32 3.1%, of u32 + u32 as long (H200, 2^27 items); on an H100
  /// 2% of u32, 4% of u64 + u32.
  __device__ static RadixDigit recomputed(RadixDigit digit) {
    asm volatile("" : "+r"(digit.shift));
    return digit;
  }

  /// Sets item k of lane l of warp w to item w * 32 * kItems + 32 k + l of the tile in `array`, encoded. Items past
  /// the end become `padding`, and are never stored.
  template <class Source, class Item, class ItemCodec>
  __device__ void load_striped(const Source* array, Item (&items)[kItems], Item padding, const ItemCodec& codec) const {
    const Source* source = array + portion_.begin + tile_begin_;
    const unsigned first = warp_ * 32 * kItems + lane_;
    if (tile_count_ == kTile) {
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) items[k] = codec.encode(source[first + 32 * k]);
    } else {
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) {
        items[k] = first + 32 * k < tile_count_ ? codec.encode(source[first + 32 * k]) : padding;
      }
    }
  }

  /// Thread b serves bin b: it sums the warps' counts, publishes the tile's count, and turns shared_.warp_counts into
  /// places in the tile.
  __device__ BinPosition position_bins() {
    const unsigned bin = threadIdx.x;
    BinPosition position{0, 0};
    unsigned inclusive = 0;
    if (bin < kRadixBins) {
#pragma unroll
      for (unsigned w = 0; w < Shared::kWarps; ++w) position.count += shared_.warp_counts[w][bin];
      publish(status(), tile_ == 0 ? states_.inclusive(position.count) : states_.aggregate(position.count));
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

  /// Thread b finds where the tile's part of bin b goes. The portion's last tile leaves the bins' next free positions
  /// for the next portion. It writes them to the other half of next_bins, since this half is still read.
  __device__ void look_back(const BinPosition& bin) {
    RadixPlan& plan = *portion_.plan;
    const std::uint64_t portion_begin =
        portion_.index == 0 ? plan.bins[digit_index_][threadIdx.x] : plan.next_bins[portion_.index % 2][threadIdx.x];
    std::uint32_t before = 0;
    if (tile_ > 0) {
      before = column_prefix(portion_.status + threadIdx.x, tile_, kRadixBins, states_);
      publish(status(), states_.inclusive(before + bin.count));
    }
    shared_.targets[threadIdx.x] = target_of(portion_begin + before - bin.begin);
    if (tile_begin_ + tile_count_ == portion_.count) {
      const unsigned padding = threadIdx.x == digit_.mask ? kTile - tile_count_ : 0;
      plan.next_bins[(portion_.index + 1) % 2][threadIdx.x] = portion_begin + before + bin.count - padding;
    }
  }

  __device__ Number* keys_out() const { return to_alternate_ ? portion_.arrays.alternate_keys : portion_.arrays.keys; }

  /// What store() needs to know of an output position. With values this is its index. For keys alone it is its
  /// address, so that one instruction adds a position in the tile.
  __device__ std::uint64_t target_of(std::uint64_t index) const {
    if constexpr (kHasValue<Value>) return index;
    return reinterpret_cast<std::uintptr_t>(keys_out()) + index * (decodes_ ? sizeof(Number) : sizeof(Key));
  }

  /// Starts all reads of shared memory before it writes the first item.
  template <bool kFull, bool kDecodes>
  __device__ void store() const {
    using Stored = std::conditional_t<kDecodes, Number, Key>;
    Value* const values_out = to_alternate_ ? portion_.arrays.alternate_values : portion_.arrays.values;
    Key keys[kItems];
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) keys[k] = shared_.keys()[threadIdx.x + k * kTuning.threads];
    Value values[kHasValue<Value> ? kItems : 1];
    if constexpr (kHasValue<Value>) {
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) values[k] = shared_.values()[threadIdx.x + k * kTuning.threads];
    }
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      const unsigned i = threadIdx.x + k * kTuning.threads;
      if (!kFull && i >= tile_count_) break;
      const std::uint64_t target = shared_.targets[digit_.of(keys[k])];
      Stored key;
      if constexpr (kDecodes) {
        key = codec_.decode(keys[k]);
      } else {
        key = keys[k];
      }
      if constexpr (kHasValue<Value>) {
        reinterpret_cast<Stored*>(keys_out())[target + i] = key;
        values_out[target + i] = values[k];
      } else {
        reinterpret_cast<Stored*>(target)[i] = key;
      }
    }
  }

  /// This tile's status word for the bin of this thread.
  __device__ std::uint32_t* status() const { return portion_.status + std::uint64_t{tile_} * kRadixBins + threadIdx.x; }

  const Portion& portion_;
  const Codec& codec_;
  Shared& shared_;
  const LaunchStates states_;
  const bool to_alternate_;  ///< whether it moves items from the primary arrays to the alternate ones
  const bool encodes_;       ///< whether it encodes what it loads
  const bool decodes_;       ///< whether it decodes what it stores
  const unsigned digit_index_;
  const RadixDigit digit_;
  const std::uint32_t portion_tiles_;
  const unsigned warp_ = threadIdx.x / 32;
  const unsigned lane_ = threadIdx.x % 32;
  unsigned tile_ = 0;
  std::uint64_t tile_begin_ = 0;  ///< position in the portion
  unsigned tile_count_ = 0;
};

}  // namespace sortie::kernels

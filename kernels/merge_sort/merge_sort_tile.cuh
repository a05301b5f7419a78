// The lower two tiers of the merge sort: a block sorts a tile in shared memory. A key travels with its position in the
// tile, which takes two bytes, and not with its value. The values follow at the end, and move only once.
#pragma once

#include <cstdint>

#include "kernels/common/launch.hpp"
#include "kernels/merge/merge_path.hpp"
#include "kernels/merge/merge_serial.cuh"
#include "kernels/merge_sort/merge_sort_plan.hpp"
#include "kernels/merge_sort/register_sort.hpp"

namespace sortie::kernels {

using TilePosition = std::uint16_t;

/// The order of codes in shared memory.
template <class Code>
struct TileCodeOrder {
  using Key = Code;

  __device__ const Code* sequence(const Code* codes, const TilePosition*) const { return codes; }
  __device__ bool operator()(Code a, Code b) const { return a < b; }
  __device__ Code key_of(Code code) const { return code; }
};

/// A pair in shared memory. Its position is read only on a tie.
struct TileReference {
  std::uint64_t prefix;
  const TilePosition* position;
};

struct TileSequence {
  const std::uint64_t* prefixes;
  const TilePosition* positions;

  __device__ TileReference operator[](unsigned at) const { return {prefixes[at], positions + at}; }
};

/// The order of prefixes in shared memory. Equal prefixes are told apart by the records whose indices are the values.
struct TilePairOrder {
  using Key = std::uint64_t;

  const RecordKeys& records;
  const std::uint32_t* values;  ///< the tile's values
  unsigned count;               ///< positions from here on belong to no items, and come last

  __device__ TileSequence sequence(const Key* codes, const TilePosition* positions) const { return {codes, positions}; }
  __device__ bool operator()(const TileReference& a, const TileReference& b) const {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    if (*a.position >= count || *b.position >= count) return *a.position < count && *b.position >= count;
    return records.before(values[*a.position], values[*b.position], 1);
  }
  __device__ Key key_of(const TileReference& item) const { return item.prefix; }
};

template <class Key, class Value, class Codec>
__device__ TileCodeOrder<Key> order_in_tile(const CodeOrder<Key, Value, Codec>&, const Value*, unsigned) {
  return {};
}
__device__ inline TilePairOrder order_in_tile(const PairOrder& order, const std::uint32_t* values, unsigned count) {
  return {order.records, values, count};
}

/// A tile in shared memory, and the operations of a thread on it. Positions behind the tile's items hold the largest
/// code.
///
///   | codes | positions |     while it is sorted
///   | values |                at the end
template <class Order, class Shape>
class SortTile {
 public:
  using Key = typename Order::Key;
  using Value = typename Order::Value;
  static constexpr bool kHasValues = kHasValue<Value>;
  static constexpr unsigned kThreads = Shape::kTuning.threads;
  static constexpr unsigned kItems = Shape::kTuning.items;
  static constexpr unsigned kPositions = Shape::kTuning.tile_items() + 1;  ///< a serial merge looks one position ahead
  static constexpr unsigned kSortBytes = kPositions * (sizeof(Key) + (kHasValues ? sizeof(TilePosition) : 0));
  static constexpr unsigned kValueBytes = kHasValues ? kPositions * sizeof(Value) : 0;
  static constexpr unsigned kSharedBytes = kSortBytes < kValueBytes ? kValueBytes : kSortBytes;

  __device__ SortTile(std::byte* area, const Order& order, unsigned count)
      : codes_(reinterpret_cast<Key*>(area)),
        positions_(reinterpret_cast<TilePosition*>(codes_ + kPositions)),
        values_(reinterpret_cast<Value*>(area)),
        order_(order),
        count_(count) {}

  __device__ void load(const Key* keys) const {
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      const unsigned i = striped(k);
      codes_[i] = i < count_ ? order_.code_of(keys[i]) : ~Key{0};
    }
    __syncthreads();
  }

  /// Each thread sorts one list.
  template <class TileOrder>
  __device__ void sort_lists(const TileOrder& before) const {
    if constexpr (kHasValues) {
      sort_pairs_of_list();
      if constexpr (std::is_same_v<TileOrder, TilePairOrder>) insert_ties(before);
    } else {
      Key keys[kItems];
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) keys[k] = codes_[first() + k];
      sort_keys_in_registers(keys);
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) codes_[first() + k] = keys[k];
    }
    __syncthreads();
  }

  /// All threads merge lists of `list_threads` threads' items into lists twice as long.
  template <class TileOrder>
  __device__ void merge_lists(unsigned list_threads, const TileOrder& before) const {
    const MergeShare share = merge_share(threadIdx.x, list_threads, kItems);
    const unsigned middle = share.begin + share.list_items;
    const MergeSides sides{share.begin, middle, middle, middle + share.list_items};
    const unsigned a = merge_path<unsigned>(before.sequence(codes_ + share.begin, positions_ + share.begin),
                                            share.list_items, before.sequence(codes_ + middle, positions_ + middle),
                                            share.list_items, share.diagonal, before);
    Key codes[kItems];
    unsigned slots[kItems];
    merge_serially<SideEnds::kCounted>(before.sequence(codes_, positions_), share.begin + a,
                                       middle + share.diagonal - a, sides, before, codes, slots);
    if constexpr (kHasValues) {
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) slots[k] = positions_[slots[k]];
    }
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      codes_[first() + k] = codes[k];
      if constexpr (kHasValues) positions_[first() + k] = static_cast<TilePosition>(slots[k]);
    }
    __syncthreads();
  }

  __device__ void store_keys(Key* keys) const {
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      if (striped(k) < count_) keys[striped(k)] = order_.key_of(codes_[striped(k)]);
    }
  }

  /// Ends the sort: the values take the place of codes and positions.
  __device__ void move_values(const Value* in, Value* out) const {
    TilePosition positions[kItems];
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) positions[k] = positions_[striped(k)];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      if (striped(k) < count_) values_[striped(k)] = in[striped(k)];
    }
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      if (striped(k) < count_) out[striped(k)] = values_[positions[k]];
    }
  }

 private:
  struct Pair {
    Key code;
    unsigned position;
  };

  __device__ static unsigned striped(unsigned k) { return k * kThreads + threadIdx.x; }
  __device__ static unsigned first() { return threadIdx.x * kItems; }

  __device__ void sort_pairs_of_list() const {
    Pair pairs[kItems];
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) pairs[k] = {codes_[first() + k], first() + k};
    sort_stably_in_registers(pairs, [](const Pair& a, const Pair& b) { return a.code < b.code; });
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      codes_[first() + k] = pairs[k].code;
      positions_[first() + k] = static_cast<TilePosition>(pairs[k].position);
    }
  }

  /// Sorts by insertion: only ties are out of order.
  __device__ void insert_ties(const TilePairOrder& before) const {
    const TileSequence list = before.sequence(codes_ + first(), positions_ + first());
    for (unsigned end = 1; end < kItems; ++end) {
      for (unsigned i = end; i > 0 && before(list[i], list[i - 1]); --i) {
        const TilePosition position = positions_[first() + i];
        positions_[first() + i] = positions_[first() + i - 1];
        positions_[first() + i - 1] = position;
      }
    }
  }

  Key* codes_;
  TilePosition* positions_;
  Value* values_;
  const Order& order_;
  unsigned count_;
};

template <class Order, class Shape>
__global__ void __launch_bounds__(Shape::kTuning.threads, Shape::kTuning.blocks_per_multiprocessor)
    merge_sort_tile_kernel(const InOutArrays<typename Order::Key, typename Order::Value> arrays, std::uint64_t count,
                           const __grid_constant__ Order order) {
  extern __shared__ __align__(16) std::byte area[];
  using Tile = SortTile<Order, Shape>;
  constexpr unsigned kTileItems = Shape::kTuning.tile_items();
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * kTileItems;
  const unsigned tile_count = count - begin < kTileItems ? static_cast<unsigned>(count - begin) : kTileItems;
  const Tile tile(area, order, tile_count);
  const auto before = order_in_tile(order, arrays.values_in + (Tile::kHasValues ? begin : 0), tile_count);
  tile.load(arrays.keys_in + begin);
  tile.sort_lists(before);
  for (unsigned list_threads = 1; list_threads * Shape::kTuning.items < tile_count; list_threads *= 2) {
    tile.merge_lists(list_threads, before);
  }
  tile.store_keys(arrays.keys_out + begin);
  if constexpr (Tile::kHasValues) tile.move_values(arrays.values_in + begin, arrays.values_out + begin);
}

/// Launches the kernel of the lower tiers. Only the files that compile this kernel include it.
template <class Order>
void sort_tiles(const Order& order, const InOutArrays<typename Order::Key, typename Order::Value>& arrays,
                std::uint64_t count, cudaStream_t stream) {
  if (count == 0) return;
  using Shape = TunedSortTile<Order>;
  constexpr MergeSortTuning kTuning = Shape::kTuning;
  static_assert(kTuning.tile_items() >= kSmallestMergeSortTile);
  constexpr unsigned kSharedBytes = SortTile<Order, Shape>::kSharedBytes;
  static_assert(kSharedBytes <= 48 * 1024, "what every block may have unasked");
  merge_sort_tile_kernel<Order, Shape>
      <<<grid_of_tiles(divide_up(count, kTuning.tile_items())), kTuning.threads, kSharedBytes, stream>>>(arrays, count,
                                                                                                         order);
  check_launch("merge sort tile kernel");
}

/// Instantiates the lower tiers for items of these types. Keys are encoded as they are loaded.
#define SORTIE_SORT_TILES_OF(Key, Value)                                                                               \
  template void sort_tiles(const CodeOrder<Key, Value, KeyCodec<Key>>&, const InOutArrays<Key, Value>&, std::uint64_t, \
                           cudaStream_t);

}  // namespace sortie::kernels

// Times variants of the kernel that keeps distinct items.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/kernels/call_timer.hpp"
#include "bench/kernels/key_fill.hpp"
#include "bench/cuda_functions/sorted_keys.cuh"
#include "device/device_memory.hpp"
#include "kernels/select/distinct_items.cuh"

namespace sortie::bench {
namespace {

using namespace kernels;

enum : unsigned {
  kStays = 1,        ///< blocks stay, and claim when they know their prefix
  kClaimsEarly = 2,  ///< blocks stay, claim when they have counted, and load before they write
  kSleeps = 4,       ///< in the look-back
  kByIndex = 8,      ///< no claims at all
  kStreams = 16,     ///< loads and stores that are used once
  kAllValues = 32,   ///< reads all values with the keys
  kSleepsLong = 64,
  kNoLookBack = 128,  ///< wrong places
};

template <unsigned kOptions>
__device__ std::uint64_t tuned_prefix(std::uint64_t* status, unsigned tile, std::uint64_t aggregate) {
  using State = LookBackWord<std::uint64_t>;
  if ((kOptions & kNoLookBack) != 0) return std::uint64_t{tile} * 8;
  if (tile == 0) return 0;
  const unsigned lane = threadIdx.x % 32;
  std::uint64_t sum = 0;
  std::int64_t at = std::int64_t{tile} - 1 - lane;
  const auto read = [&] { return at >= 0 ? read_status(status + at) : State::kInclusive; };
  std::uint64_t word = read();
  while (true) {
    const unsigned inclusive = __ballot_sync(~0u, (word & State::kInclusive) != 0);
    const bool counts = lane < (inclusive != 0 ? __ffs(inclusive) : 32);
    if (__any_sync(~0u, counts && word == 0)) {
      if ((kOptions & kSleeps) != 0) __nanosleep(100);
      if ((kOptions & kSleepsLong) != 0) __nanosleep(500);
      if (counts && word == 0) word = read();
      continue;
    }
    if (counts) sum += word & State::kCountMask;
    if (inclusive != 0) break;
    at -= 32;
    word = read();
  }
#pragma unroll
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) publish(status + tile, (sum + aggregate) | State::kInclusive);
  return sum;
}

template <class Bits, class Value, class Shape, unsigned kOptions>
struct TunedBlock {
  using Area = DistinctArea<Bits, Value, Shape>;
  using Share = DistinctShare<Bits, Shape::kVectors, false>;
  using Held = std::conditional_t<Area::kMovesValues, typename Area::Beside, NoValue>;

  __device__ TunedBlock(const DistinctCall<Bits>& call, unsigned tile)
      : begin(std::uint64_t{tile} * Area::kTile), share(begin + threadIdx.x / 32 * Share::kWarpItems) {
    if (begin >= call.list.end) return;
    share.load_neighbour(call.list);
    if (begin >= call.list.begin && begin + Area::kTile <= call.list.end) {
      share.load(call.list);
      if constexpr (Area::kMovesValues && (kOptions & kAllValues) != 0) load_values(call);
    } else {
      share.load_some(call.list);
      if constexpr (Area::kMovesValues && (kOptions & kAllValues) != 0) load_some_values(call);
    }
  }

  __device__ void load_values(const DistinctCall<Bits>& call) {
    const auto* const from = reinterpret_cast<const Value*>(call.values) - call.list.begin;
#pragma unroll
    for (unsigned v = 0; v < Shape::kVectors; ++v) {
      constexpr unsigned kPer = Share::kPerVector;
      if constexpr (kPer * sizeof(Value) == 8) {
        const uint2 two = *reinterpret_cast<const uint2*>(from + share.number(v, 0));
        memcpy(values + v * kPer, &two, 8);
      } else {
        const uint4 four = *reinterpret_cast<const uint4*>(from + share.number(v, 0));
        memcpy(values + v * kPer, &four, 16);
      }
    }
  }
  __device__ void load_some_values(const DistinctCall<Bits>& call) {
    const auto* const from = reinterpret_cast<const Value*>(call.values) - call.list.begin;
#pragma unroll
    for (unsigned i = 0; i < Share::kItems; ++i) {
      const std::uint64_t at = share.number(i / Share::kPerVector, i % Share::kPerVector);
      if (call.list.has(at)) values[i] = from[at];
    }
  }

  __device__ void find(const DistinctCall<Bits>& call) {
    share.compare();
    if (begin == 0 || begin + Area::kTile >= call.list.end) share.mend(call.list);
    if constexpr (Area::kMovesValues && (kOptions & kAllValues) == 0) {
      const auto* const from = reinterpret_cast<const Value*>(call.values) - call.list.begin;
#pragma unroll
      for (unsigned i = 0; i < Share::kItems; ++i) {
        const unsigned v = i / Share::kPerVector;
        const unsigned k = i % Share::kPerVector;
        if (share.is_kept(v, k)) values[i] = from[share.number(v, k)];
      }
    }
  }

  __device__ unsigned count(DistinctCounts<Shape>& counts) {
    const unsigned warp = threadIdx.x / 32;
    const unsigned lane = threadIdx.x % 32;
    const unsigned of_warp = share.count();
    if (lane == 0) counts.of_warps[warp] = of_warp;
    __syncthreads();
    const unsigned own = lane < Shape::kWarps ? counts.of_warps[lane] : 0;
    const unsigned inclusive = warp_inclusive_sum(own);
    warp_place = __shfl_sync(~0u, inclusive - own, warp);
    return __shfl_sync(~0u, inclusive, 31);
  }

  __device__ void gather(const Area& area) {
    share.each_kept(warp_place, [&](unsigned place, unsigned v, unsigned k) {
      area.keys[place] = share.key(v, k);
      if constexpr (Area::kMovesValues) area.beside[place] = values[v * Share::kPerVector + k];
    });
  }

  std::uint64_t begin;
  Share share;
  Held values[Share::kItems];
  unsigned warp_place;
};

template <class Bits, class Value, class Shape, unsigned kOptions>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks)
    tuned_kernel(const __grid_constant__ DistinctCall<Bits> call, unsigned tile_count) {
  using Block = TunedBlock<Bits, Value, Shape, kOptions>;
  using Area = typename Block::Area;
  extern __shared__ uint4 memory[];
  __shared__ DistinctCounts<Shape> counts;
  __shared__ unsigned next_tile;
  await_launch_before();
  const Area area(memory);
  constexpr bool kLoops = (kOptions & (kStays | kClaimsEarly)) != 0;
  unsigned tile = (kOptions & kByIndex) != 0 ? blockIdx.x : claim_tile(call.scan.tile_counter);
  Block block(call, tile);
  while (tile < tile_count) {
    block.find(call);
    const unsigned kept = block.count(counts);
    if (threadIdx.x == 0) {
      publish_aggregate(call.scan.status, tile, kept);
      if ((kOptions & kClaimsEarly) != 0) next_tile = atomicAdd(call.scan.tile_counter, 1U);
    }
    block.gather(area);
    if (threadIdx.x < 32) {
      const std::uint64_t prefix = tuned_prefix<kOptions>(call.scan.status, tile, kept);
      if (threadIdx.x == 0) counts.prefix = prefix;
    }
    __syncthreads();
    const std::uint64_t prefix = counts.prefix;
    const std::uint64_t begin = block.begin;
    if (threadIdx.x == 0 && begin + Area::kTile >= call.list.end) *call.out.count = prefix + kept;
    if constexpr ((kOptions & kClaimsEarly) != 0) {
      tile = next_tile;
      block = Block(call, tile);
    } else if constexpr ((kOptions & kStays) != 0) {
      if (threadIdx.x == 0) next_tile = atomicAdd(call.scan.tile_counter, 1U);
    }
    write_kept(call, area, begin, kept, prefix);
    if constexpr (!kLoops) return;
    __syncthreads();
    if constexpr ((kOptions & kClaimsEarly) == 0) {
      tile = next_tile;
      block = Block(call, tile);
    }
  }
}

template <class Bits, class Value>
struct Tuning {
  static constexpr bool kHasValues = kHasValue<Value>;

  Tuning(CallTimer& timer, std::uint64_t count)
      : timer(timer),
        count(count),
        keys(count),
        out_keys(count),
        values(kHasValues ? count : 0),
        out_values(kHasValues ? count : 0),
        kept(1),
        scratch(select_scratch_bytes(count)) {
    fill_sorted_below(static_cast<Bits>(count / 2), keys.data(), count, timer.stream());
  }

  template <class Shape, unsigned kOptions>
  void time() {
    using Area = DistinctArea<Bits, Value, Shape>;
    const auto kernel = tuned_kernel<Bits, Value, Shape, kOptions>;
    const std::uint64_t tiles = divide_up(count, std::uint64_t{Area::kTile});
    const auto work = [&](unsigned, cudaStream_t stream) {
      const KeptItems<Bits> out{out_keys.data(), reinterpret_cast<std::byte*>(out_values.data()),
                                kHasValues ? sizeof(Value) : 0, kept.data()};
      const auto* const from = reinterpret_cast<const std::byte*>(values.data());
      DistinctCall<Bits> call{NumberedKeys<Bits>::from(keys.data(), count), from, out, {}, {}};
      call.scan = cleared_scan(tiles, scratch.data(), stream);
      allow_shared_bytes(kernel, Area::kBytes, "tuned");
      const bool loops = (kOptions & (kStays | kClaimsEarly)) != 0;
      const unsigned grid = loops ? persistent_grid(tiles, Shape::kBlocks) : grid_of_tiles(tiles);
      launch_overlapping(kernel, "tuned", {grid, Shape::kThreads, Area::kBytes}, true, stream, call,
                         static_cast<unsigned>(tiles));
    };
    const Timing timing = timer.time_per_call(1, [](unsigned, cudaStream_t) {}, work);
    std::uint64_t result = 0;
    check_cuda(cudaMemcpy(&result, kept.data(), sizeof result, cudaMemcpyDeviceToHost), "result");
    cudaFuncAttributes attributes{};
    check_cuda(cudaFuncGetAttributes(&attributes, kernel), "attributes");
    std::printf("u%zu+%zu 2^%u %4ux%u b%u options %3u %9.2f us (%.2f to %.2f) kept %llu, %d registers, %zu local\n",
                8 * sizeof(Bits), kHasValues ? sizeof(Value) : 0, static_cast<unsigned>(std::bit_width(count) - 1),
                Shape::kThreads, Shape::kVectors, Shape::kBlocks, kOptions, timing.median * 1000,
                timing.shortest * 1000, timing.longest * 1000, static_cast<unsigned long long>(result),
                attributes.numRegs, attributes.localSizeBytes);
    std::fflush(stdout);
  }

  CallTimer& timer;
  std::uint64_t count;
  Array<Bits> keys;
  Array<Bits> out_keys;
  Array<Value> values;
  Array<Value> out_values;
  Array<std::uint64_t> kept;
  DeviceBuffer scratch;
};

void run(CallTimer& timer) {
  for (const unsigned log2 : {22, 24, 28}) {
    Tuning<std::uint64_t, NoValue> keys(timer, std::uint64_t{1} << log2);
    using Large = DistinctShape<512, 8, 2>;
    keys.time<Large, 0>();
    keys.time<Large, kNoLookBack>();
    keys.time<Large, kSleeps>();
    keys.time<Large, kSleepsLong>();
    keys.time<Large, kByIndex>();
    keys.time<Large, kStays>();
    keys.time<Large, kStays | kSleeps>();
    keys.time<Large, kClaimsEarly>();
    keys.time<Large, kClaimsEarly | kSleeps>();
    keys.time<Large, kClaimsEarly | kNoLookBack>();
    keys.time<DistinctShape<256, 8, 4>, kClaimsEarly>();
    keys.time<DistinctShape<1024, 8, 1>, kStays>();
    keys.time<DistinctShape<1024, 4, 2>, 0>();
    keys.time<DistinctShape<512, 6, 3>, 0>();
    keys.time<DistinctShape<384, 8, 3>, 0>();
    keys.time<DistinctShape<384, 8, 3>, kStays>();
  }
  for (const unsigned log2 : {22, 24, 28}) {
    Tuning<std::uint64_t, std::uint32_t> pairs(timer, std::uint64_t{1} << log2);
    pairs.time<DistinctShape<512, 4, 2>, 0>();
    pairs.time<DistinctShape<512, 4, 2>, kAllValues>();
    pairs.time<DistinctShape<512, 4, 3>, kAllValues>();
    pairs.time<DistinctShape<512, 6, 2>, kAllValues>();
    pairs.time<DistinctShape<512, 4, 2>, kAllValues | kClaimsEarly>();
    pairs.time<DistinctShape<512, 4, 2>, kAllValues | kStays>();
    pairs.time<DistinctShape<512, 4, 2>, kAllValues | kSleeps>();
    pairs.time<DistinctShape<512, 6, 2>, kAllValues | kStays>();
    pairs.time<DistinctShape<1024, 4, 1>, kAllValues>();
  }
}

}  // namespace
}  // namespace sortie::bench

int main() {
  sortie::bench::CallTimer timer(9);
  sortie::bench::run(timer);
  return 0;
}

// Times variants of the kernel of set operations.
#include <bit>
#include <cstdio>

#include "bench/cuda_functions/sorted_keys.cuh"
#include "bench/kernels/call_timer.hpp"
#include "bench/kernels/key_fill.hpp"
#include "device/device_memory.hpp"
#include "kernels/common/async_copy.cuh"
#include "kernels/select/set_operation.cuh"

namespace sortie::bench {
namespace {

using namespace kernels;

enum : unsigned {
  kStays = 1,     ///< blocks stay, and claim when they know their prefix
  kFetches = 2,   ///< blocks stay, and copy their next tile while they walk
  kByIndex = 4,   ///< no claims
  kCopies = 8,    ///< one tile, by asynchronous copies
};

/// Loads the codes of a tile's items. Lists that are not sorted may have cuts that descend: then it has none of them.
template <class Shape, class Bits, class Codec>
__device__ SetTile<Bits> load_set_tile(const SetOperands<Bits, Codec>& set, const SetCut<std::uint64_t>& cut,
                                       const SetCut<std::uint64_t>& end, Bits* codes) {
  constexpr std::uint64_t kMost = Shape::kTile + 1;
  const auto first_count = static_cast<unsigned>(end.first > cut.first ? min(end.first - cut.first, kMost) : 0);
  const auto second_count =
      static_cast<unsigned>(end.second > cut.second ? min(end.second - cut.second, kMost - first_count) : 0);
  const unsigned count = first_count + second_count;
  const Bits* const first = set.first.keys + cut.first;
  const Bits* const second = set.second.keys + cut.second - first_count;
  const auto key_at = [&](unsigned i) { return (i < first_count ? first : second)[i]; };
  Bits keys[Shape::kItems];
#pragma unroll
  for (unsigned k = 0; k < Shape::kItems; ++k) {
    const unsigned i = k * Shape::kThreads + threadIdx.x;
    if (i < count) keys[k] = key_at(i);
  }
  if (threadIdx.x == 0 && count == kMost) codes[count - 1] = set.codec.encode(key_at(count - 1));
#pragma unroll
  for (unsigned k = 0; k < Shape::kItems; ++k) {
    const unsigned i = k * Shape::kThreads + threadIdx.x;
    if (i < count) codes[i] = set.codec.encode(keys[k]);
  }
  return {codes, first_count, second_count};
}

template <class Shape, class Bits, class Codec>
struct Slices {
  __device__ Slices(const SetOperands<Bits, Codec>& set, unsigned tile)
      : cut(set.cuts[tile]) {
    constexpr std::uint64_t kMost = Shape::kTile + 1;
    const SetCut<std::uint64_t> end = set.cuts[tile + 1];
    first_count = static_cast<unsigned>(end.first > cut.first ? min(end.first - cut.first, kMost) : 0);
    second_count =
        static_cast<unsigned>(end.second > cut.second ? min(end.second - cut.second, kMost - first_count) : 0);
  }

  __device__ void copy(const SetOperands<Bits, Codec>& set, Bits* codes) const {
    const unsigned count = first_count + second_count;
    const Bits* const first = set.first.keys + cut.first;
    const Bits* const second = set.second.keys + cut.second - first_count;
#pragma unroll
    for (unsigned k = 0; k < Shape::kItems; ++k) {
      const unsigned i = k * Shape::kThreads + threadIdx.x;
      if (i < count) copy_async<sizeof(Bits)>(codes + i, (i < first_count ? first : second) + i);
    }
    if (threadIdx.x == 0 && count == Shape::kTile + 1) {
      copy_async<sizeof(Bits)>(codes + count - 1, (count - 1 < first_count ? first : second) + count - 1);
    }
  }

  __device__ void encode(const SetOperands<Bits, Codec>& set, Bits* codes) const {
    const Bits all = static_cast<Bits>(~Bits{0});
    if (set.codec.encode(Bits{0}) == 0 && set.codec.encode(all) == all) return;
    const unsigned count = first_count + second_count;
#pragma unroll
    for (unsigned k = 0; k < Shape::kItems; ++k) {
      const unsigned i = k * Shape::kThreads + threadIdx.x;
      if (i < count) codes[i] = set.codec.encode(codes[i]);
    }
    if (threadIdx.x == 0 && count == Shape::kTile + 1) codes[count - 1] = set.codec.encode(codes[count - 1]);
  }

  SetCut<std::uint64_t> cut;
  unsigned first_count;
  unsigned second_count;
};

template <class Shape, unsigned kOptions, class Bits, class Codec>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks)
    tuned_sets_kernel(const __grid_constant__ SetOperands<Bits, Codec> set) {
  using Area = SetArea<Bits, Shape, false>;
  extern __shared__ uint4 memory[];
  __shared__ SetCounts<Shape> counts;
  __shared__ unsigned next_tile;
  await_launch_before();
  const unsigned warp = threadIdx.x / 32;
  Bits* codes = reinterpret_cast<Bits*>(memory);
  Bits* other = codes + Area::kCodes;
  unsigned tile_index = (kOptions & kByIndex) != 0 ? blockIdx.x : claim_tile(set.scan.tile_counter);
  constexpr bool kAsync = (kOptions & (kFetches | kCopies)) != 0;
  constexpr bool kLoops = (kOptions & (kFetches | kStays)) != 0;
  Slices<Shape, Bits, Codec> slices(set, tile_index);
  if constexpr (kAsync) slices.copy(set, codes);
  while (true) {
    SetTile<Bits> tile{codes, slices.first_count, slices.second_count};
    if constexpr (kAsync) {
      await_copies();
      slices.encode(set, codes);
    } else {
      tile = load_set_tile<Shape>(set, slices.cut, set.cuts[tile_index + 1], codes);
    }
    if ((kOptions & kFetches) != 0 && threadIdx.x == 0) next_tile = atomicAdd(set.scan.tile_counter, 1U);
    __syncthreads();
    const SetCut<unsigned> begin = tile.cut(threadIdx.x * Shape::kItems);
    counts.cuts[threadIdx.x] = {static_cast<std::uint16_t>(begin.first), static_cast<std::uint16_t>(begin.second)};
    __syncthreads();
    unsigned following = 0;
    if constexpr ((kOptions & kFetches) != 0) {
      following = next_tile;
      if (following < set.tile_count) {
        slices = Slices<Shape, Bits, Codec>(set, following);
        slices.copy(set, other);
      }
    }
    SetCut<unsigned> end{tile.first_count, tile.second_count};
    if (threadIdx.x + 1 < Shape::kThreads) {
      const SetCut<std::uint16_t> next = counts.cuts[threadIdx.x + 1];
      end = {next.first, next.second};
    }
    SetShare<Bits, Shape::kItems> share;
    share.walk(tile, begin, end, set.kinds);
    const unsigned kept_here = __popc(share.kept);
    const unsigned up_to_here = warp_inclusive_sum(kept_here);
    if (threadIdx.x % 32 == 31) counts.of_warps[warp] = up_to_here;
    __syncthreads();
    const unsigned of_warp = threadIdx.x % 32 < Shape::kWarps ? counts.of_warps[threadIdx.x % 32] : 0;
    const unsigned inclusive = warp_inclusive_sum(of_warp);
    const unsigned kept = __shfl_sync(~0u, inclusive, 31);
    if (threadIdx.x == 0) publish_aggregate(set.scan.status, tile_index, kept);
    unsigned place = __shfl_sync(~0u, inclusive - of_warp, warp) + up_to_here - kept_here;
#pragma unroll
    for (unsigned k = 0; k < share.kSteps; ++k) {
      if ((share.kept >> k & 1) == 0) continue;
      codes[place++] = share.codes[k];
    }
    if (warp == 0) {
      const std::uint64_t prefix = prefix_of_published(set.scan.status, tile_index, kept);
      if (threadIdx.x == 0) counts.prefix = prefix;
      if (threadIdx.x == 0 && tile_index + 1 == set.tile_count) *set.out.count = min(prefix + kept, set.room);
    }
    __syncthreads();
    if ((kOptions & kStays) != 0 && threadIdx.x == 0) next_tile = atomicAdd(set.scan.tile_counter, 1U);
    const std::uint64_t target = counts.prefix;
    const std::uint64_t room = set.room > target ? set.room - target : 0;
    const unsigned written = kept < room ? kept : static_cast<unsigned>(room);
    for (unsigned i = threadIdx.x; i < written; i += Shape::kThreads) {
      set.out.keys[target + i] = set.codec.decode(codes[i]);
    }
    if constexpr (!kLoops) return;
    if constexpr ((kOptions & kStays) != 0) {
      __syncthreads();
      following = next_tile;
      if (following < set.tile_count) slices = Slices<Shape, Bits, Codec>(set, following);
    }
    tile_index = following;
    if (tile_index >= set.tile_count) return;
    if constexpr ((kOptions & kFetches) != 0) {
      Bits* const free = codes;
      codes = other;
      other = free;
    }
  }
}

template <class Bits>
struct Tuning {
  using Codec = KeyCodec<Bits>;

  Tuning(CallTimer& timer, std::uint64_t count)
      : timer(timer), count(count), first(count / 2), second(count / 2), out(count), kept(1), scratch(1 << 26) {
    fill_sorted_below(static_cast<Bits>(count / 2), first.data(), count / 2, timer.stream());
    fill_sorted_below(static_cast<Bits>(count / 2), second.data(), count / 2, timer.stream());
  }

  template <class Shape, unsigned kOptions>
  void time(SetSelection selection, const char* name) {
    using Area = SetArea<Bits, Shape, false>;
    const auto kernel = tuned_sets_kernel<Shape, kOptions, Bits, Codec>;
    const auto work = [&](unsigned, cudaStream_t stream) {
      const KeptItems<Bits> to{out.data(), nullptr, 0, kept.data()};
      SetOperands<Bits, Codec> set{kept_kinds(selection), {first.data(), nullptr, count / 2},
                                   {second.data(), nullptr, count / 2}, Codec{0, 0}, to, count, {}, 0, nullptr, {}};
      set.tile_count = divide_up(set.count(), std::uint64_t{Shape::kTile});
      const SetScratch areas(set.tile_count, scratch.data());
      set.cuts = areas.cuts;
      set.scan = areas.scan;
      find_set_cuts_kernel<Shape>
          <<<grid_of_tiles(divide_up((set.tile_count + 1) * 32, kCutThreads)), kCutThreads, 0, stream>>>(
              set, reinterpret_cast<unsigned*>(scratch.data()), areas.scan.size_bytes / sizeof(unsigned));
      const std::uint64_t bytes = Area::bytes((kOptions & kFetches) != 0 ? 2 : 1);
      allow_shared_bytes(kernel, bytes, "tuned");
      const bool loops = (kOptions & (kStays | kFetches)) != 0;
      launch_overlapping(
          kernel, "tuned",
          {loops ? persistent_grid(set.tile_count, Shape::kBlocks) : grid_of_tiles(set.tile_count), Shape::kThreads,
           bytes},
          true, stream, set);
    };
    const Timing timing = timer.time_per_call(1, [](unsigned, cudaStream_t) {}, work);
    std::uint64_t result = 0;
    check_cuda(cudaMemcpy(&result, kept.data(), sizeof result, cudaMemcpyDeviceToHost), "result");
    cudaFuncAttributes attributes{};
    check_cuda(cudaFuncGetAttributes(&attributes, kernel), "attributes");
    std::printf("%s u%zu 2^%u %4ux%u b%u options %2u %9.2f us (%.2f to %.2f) kept %llu, %d registers, %zu local\n", name,
                8 * sizeof(Bits), static_cast<unsigned>(std::bit_width(count) - 1), Shape::kThreads, Shape::kItems,
                Shape::kBlocks, kOptions, timing.median * 1000, timing.shortest * 1000, timing.longest * 1000,
                static_cast<unsigned long long>(result), attributes.numRegs, attributes.localSizeBytes);
    std::fflush(stdout);
  }

  void run(SetSelection selection, const char* name) {
    using Now = SetShape<512, 23, 2>;
    time<Now, 0>(selection, name);
    time<Now, kByIndex>(selection, name);
    time<Now, kCopies>(selection, name);
    time<Now, kStays>(selection, name);
    time<Now, kFetches>(selection, name);
    time<SetShape<512, 27, 2>, 0>(selection, name);
    time<SetShape<512, 31, 2>, 0>(selection, name);
    time<SetShape<512, 27, 2>, kFetches>(selection, name);
    time<SetShape<512, 19, 2>, kFetches>(selection, name);
    time<SetShape<512, 15, 3>, kFetches>(selection, name);
    time<SetShape<1024, 15, 1>, kFetches>(selection, name);
    time<SetShape<256, 31, 4>, 0>(selection, name);
    time<SetShape<256, 23, 4>, kFetches>(selection, name);
    time<SetShape<384, 23, 3>, 0>(selection, name);
    time<SetShape<384, 23, 3>, kCopies>(selection, name);
  }

  CallTimer& timer;
  std::uint64_t count;
  Array<Bits> first;
  Array<Bits> second;
  Array<Bits> out;
  Array<std::uint64_t> kept;
  DeviceBuffer scratch;
};

}  // namespace
}  // namespace sortie::bench

int main() {
  using sortie::kernels::SetSelection;
  sortie::bench::CallTimer timer(9);
  for (const unsigned log2 : {24, 28}) {
    sortie::bench::Tuning<std::uint32_t> tuning(timer, std::uint64_t{1} << log2);
    tuning.run(SetSelection::kUnion, "union");
    if (log2 == 28) tuning.run(SetSelection::kDifference, "difference");
  }
  return 0;
}

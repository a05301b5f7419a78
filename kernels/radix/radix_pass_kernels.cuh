// The kernels of a pass of the radix sort (radix_pass.cuh): one for keys as they are, one for keys packed into half of
// their bytes. The plan on the device says which of the two does the pass; the other does nothing.
#pragma once

#include <cstdint>

#include "kernels/common/overlapping_launch.cuh"
#include "kernels/radix/byte_packing.hpp"
#include "kernels/radix/radix_pass.cuh"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix/radix_portion.cuh"

namespace sortie::kernels {

/// The number of passes before this phase.
__device__ inline unsigned passes_before(RadixPhase phase, const RadixPlan& plan) {
  return phase == kLeadingDigits ? 0 : plan.passes[kLeadingDigits].count;
}

/// Does nothing if there is no such pass, or if the packed kernel below does it.
template <class Number, class Value, class Tile, class Codec, bool kPersistent>
__global__ void __launch_bounds__(Tile::kTuning.threads, Tile::kTuning.blocks_per_multiprocessor)
    radix_pass_kernel(const __grid_constant__ RadixPortion<Number, Value, Codec> portion) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  await_launch_before();
  const RadixPlan& plan = *portion.plan;
  const RadixPasses& passes = plan.passes[portion.phase];
  if (portion.pass >= passes.count) return;
  if (kPacks<Number> && portion.phase == kLeadingDigits && plan.packing.fits()) return;
  using Pass = RadixPass<RadixPortion<Number, Value, Codec>, Number, Tile, Codec, kPersistent>;
  auto& shared = *reinterpret_cast<typename Pass::Shared*>(shared_bytes);
  const RadixDigit digit = radix_digit(portion.bits, passes.digits[portion.pass]);
  Pass(portion, portion.codec, digit, portion.tile_count, passes_before(portion.phase, plan), shared).run();
}

/// A pass of the first phase over packed keys. Does nothing if there is no such pass.
template <class Number, class Value, class Tile, class Codec>
__global__ void __launch_bounds__(Tile::kTuning.threads, Tile::kTuning.blocks_per_multiprocessor)
    radix_packed_pass_kernel(const __grid_constant__ RadixPortion<Number, Value, Codec> portion) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  await_launch_before();
  const RadixPlan& plan = *portion.plan;
  const RadixPasses& passes = plan.passes[kLeadingDigits];
  if (portion.pass >= passes.count || !plan.packing.fits()) return;
  using Pass = RadixPass<RadixPortion<Number, Value, Codec>, std::uint32_t, Tile, PackingCodec<Codec>, true>;
  auto& shared = *reinterpret_cast<typename Pass::Shared*>(shared_bytes);
  RadixDigit digit = radix_digit(portion.bits, passes.digits[portion.pass]);
  digit.shift = plan.packing.packed_shift(digit.shift);
  const PackingCodec<Codec> codec{portion.codec, plan.packing};
  const std::uint32_t tiles = (static_cast<std::uint32_t>(portion.count) + Pass::kTile - 1) / Pass::kTile;
  Pass(portion, codec, digit, tiles, 0, shared).run();
}

}  // namespace sortie::kernels

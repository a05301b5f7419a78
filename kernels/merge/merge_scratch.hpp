// The scratch of a merge round: a MergeTile for each slot. For merge.cpp, which reports its size, and the launches.
#pragma once

#include <cstdint>

#include "kernels/common/scratch_layout.hpp"
#include "kernels/merge/merge_plan.hpp"

namespace sortie::kernels {

/// Takes tiles enough for any round of any order.
inline MergeTile* merge_tiles(ScratchLayout& layout, std::uint64_t item_count, std::uint32_t sequence_count) {
  const std::uint64_t spare_slots = 2 * merge_pair_count(sequence_count, 0);
  return layout.take<MergeTile>(item_count / kSmallestMergeTile + spare_slots);
}

}  // namespace sortie::kernels

// A sort of an array of the host that is larger than the memory of the GPUs, as numbers: chunks that are sorted and
// come back as runs, then windows of the whole, each of which is merged from its slices of all runs. Pure.
//
//   array   | chunk 0 | chunk 1 | chunk 2 |      sorted one by one, on the lanes of the GPUs in turn
//   runs    | run 0   | run 1   | run 2   |      cut at the windows' ranks
//   whole   | window 0 | window 1 | window 2 |   merged one by one
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <sortie/cuda/device_arrays.hpp>

#include "kernels/common/scratch_layout.hpp"

namespace sortie::cuda {

/// A GPU works on this many chunks or windows at once: while one is sorted, another one comes, and a third one goes.
inline constexpr std::size_t kLanesOfDevice = 3;

/// What the items are.
struct ItemSizes {
  KeyType type;
  std::size_t value_bytes = 0;
};

/// Memory of a lane that sorts a chunk.
struct ChunkMemory {
  ChunkMemory(const ItemSizes& items, std::uint64_t count, void* area = nullptr);

  kernels::ScratchLayout layout;
  std::byte* keys;
  std::byte* values;
  std::byte* sort;  ///< scratch
};

/// Memory of a lane that merges a window. Keys of fewer than 32 bits are sorted again where they have been gathered.
struct WindowMemory {
  WindowMemory(const ItemSizes& items, std::uint64_t count, std::uint32_t run_count, void* area = nullptr);

  kernels::ScratchLayout layout;
  std::byte* gathered_keys;
  std::byte* gathered_values;
  std::byte* keys;    ///< merged; gathered_keys if these are sorted in place
  std::byte* values;  ///< merged
  std::uint64_t* offsets;
  std::size_t work_bytes;
  std::byte* work;  ///< scratch of the merge or sort
};

/// Whether windows are merged.
constexpr bool merges_windows(KeyType type) { return bytes_of(type) >= 4; }

struct ExternalPlan {
  std::uint64_t chunk_items = 0;            ///< 0: a lane is too small
  std::vector<std::uint64_t> run_counts;    ///< items of each run
  std::vector<std::uint64_t> window_ranks;  ///< where windows begin, and the end of the last one
};

/// For lanes of `lane_bytes` each.
ExternalPlan plan_external(const ItemSizes& items, std::uint64_t count, std::uint64_t lane_bytes);

}  // namespace sortie::cuda

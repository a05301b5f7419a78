// How long the blocks of runs are, and how many runs one pass merges. Both follow from memory: larger blocks make the
// index of all blocks smaller, and fewer of them fit an arena. Pure: numbers in, numbers out. Used by the memory plan,
// which divides memory between arenas and index, and where runs are made and merged.
//
//   arena   | run 0: block begun before | window's share | block reaching beyond | gap | run 1: ... |
#pragma once

#include <cstdint>
#include <vector>

#include "run/run_format.hpp"

namespace sortie {

inline constexpr std::uint64_t kSmallestBlock = 4 << 10;
inline constexpr std::uint64_t kLargestBlock = kMostBlockBytes;

/// What there is to merge, as far as is known.
struct MergeWorkload {
  std::uint64_t bytes = 0;                        ///< of all runs; 0 if unknown: then blocks grow from run to run
  std::uint64_t runs = 1;                         ///< how many there will be, rather too many
  std::uint64_t record_bytes = 0;                 ///< a block holds at least one record
  std::uint64_t index_entry_bytes = 0;            ///< memory of a block in the index
  std::uint64_t most_fan_in = ~std::uint64_t{0};  ///< runs that may be merged at once, whatever memory allows
};

struct MergeShape {
  std::uint64_t block_bytes = 0;  ///< records in a block of a run
  std::uint64_t fan_in = 0;       ///< runs that one pass can merge
  std::uint64_t passes = 0;
  std::uint64_t index_bytes = 0;  ///< the index of all blocks at its largest, as is expected
};

/// The blocks with which these runs take the fewest passes. They are as small as the index allows, since a window has
/// more room for records then, and what it has of a run is read at once; but no smaller than a few to a window and run.
/// If there are several passes, that lets the most runs be merged at once, which moves the fewest bytes. With more of
/// either memory there are no more passes and, if there are several, no fewer runs at once.
MergeShape shape_merge(const MergeWorkload& workload, std::uint64_t arena_bytes, std::uint64_t index_bytes);

/// Merge passes over `runs` runs, `fan_in` at once: at least one.
std::uint64_t merge_passes(std::uint64_t runs, std::uint64_t fan_in);

/// The largest blocks of which several runs can be merged at once.
std::uint64_t most_block_bytes(std::uint64_t arena_bytes);

/// How blocks grow from run to run.
struct BlockSizes {
  std::uint64_t first = 0;
  std::uint64_t most = 0;        ///< not above `first`: they do not grow
  std::uint64_t step_bytes = 0;  ///< growth of the index before blocks double
};

/// The size of the next run's blocks while the index of all blocks takes `held_bytes`. The index stays in memory: where
/// there are more blocks than was expected, the next ones are larger.
std::uint64_t grown_block_bytes(const BlockSizes& sizes, std::uint64_t held_bytes);

/// Every run's range of a window begins at a multiple of this in its arena, so that copies and vector loads
/// are aligned.
inline constexpr std::uint64_t kRangeAlignment = 64;

/// Bytes of an arena that a run may take beside the window proper: a block begun before the window, one reaching beyond
/// it, and a gap.
constexpr std::uint64_t reach_bytes(std::uint64_t block_bytes) { return 2 * block_bytes + kRangeAlignment; }

/// How many runs with blocks of `block_bytes` one pass can merge: a quarter of the arena must be left for
/// the window itself. At least 2.
std::uint64_t max_fan_in(std::uint64_t arena_bytes, std::uint64_t block_bytes);

/// The same for existing runs with the given largest blocks: long records make large blocks. Any selection of so many
/// runs can be merged at once. For long records the arena grows.
std::uint64_t max_fan_in(std::uint64_t arena_bytes, std::vector<std::uint64_t> largest_blocks);

/// The part of an arena left for the window proper when runs with these largest blocks are merged.
std::uint64_t window_bytes(std::uint64_t arena_bytes, const std::vector<std::uint64_t>& largest_blocks);

}  // namespace sortie

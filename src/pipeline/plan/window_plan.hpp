// How many passes a merge takes, and where its windows end. A bound is the first record of a block, with its position:
// (key K, run r, block p). It cuts run i after K if i < r, before K if i > r, and at block p if i = r; so every window
// is within its size even if all keys are equal, and equal keys keep the order of their runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/key_plan.hpp"
#include "run/run.hpp"

namespace sortie {

struct WindowBound {
  std::size_t run = 0;
  std::size_t block = 0;
};

/// How the first keys of two blocks compare: negative, zero, positive. Zero also if both are cut and their kept parts
/// are equal.
int compare_first_keys(const KeyPlan& plan, const BlockInfo& a, const BlockInfo& b);

/// The positions of all blocks, ordered by (first key, run, block). O(blocks log blocks).
std::vector<WindowBound> blocks_in_order(const KeyPlan& plan, std::span<const Run> runs);

/// For every run, the bytes of records in its largest block.
std::vector<std::uint64_t> largest_blocks(std::span<const Run> runs);

/// The ends of all windows but the last, in order. The blocks that begin in one window hold at most
/// `window_bytes` of records (one block may be larger, and first blocks of slices are never an end). Pure. O(blocks log
/// blocks).
std::vector<WindowBound> plan_windows(const KeyPlan& plan, std::span<const Run> runs, std::uint64_t window_bytes);

/// Runs that are merged into one because there are more than one pass can take.
/// Runs [begin, end) become one run. Neighbours only: the order of runs is the order of equal keys.
struct MergeGroup {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The groups of one intermediate pass over `run_count` > `fan_in` >= 2 runs. Runs in no group stay as
/// they are: no more is merged than the final merge needs, which saves moving the rest.
std::vector<MergeGroup> plan_merge_pass(std::size_t run_count, std::size_t fan_in);

/// The groups of one pass over inputs of which each takes so much memory while it is read, beside that for its records:
/// no group takes more than `most_bytes`, unless it is one input, or has more than `fan_in` inputs. The inputs behind
/// the last group take no more either, or are one. Empty if all inputs can be merged at once.
std::vector<MergeGroup> plan_pass_of_inputs(std::span<const std::uint64_t> input_bytes, std::uint64_t most_bytes,
                                            std::size_t fan_in);

}  // namespace sortie

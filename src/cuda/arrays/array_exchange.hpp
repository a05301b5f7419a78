// Turns sorted shares of one array on several GPUs into parts of the sorted whole, the least ones on the first GPU:
// every share is cut at the same exact ranks of the whole, and the pieces of a part travel to its GPU over the links
// between the GPUs, to be merged there.
//
//   GPU 0   | < a |a  < b|  >= b  |            GPU 0   | < a | < a |
//   GPU 1   | < a |a   < b | >= b |    -->     GPU 1   |a < b|a < b|
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cuda/arrays/array_shard.hpp"
#include "cuda/shards/rank_cuts.hpp"
#include "device/pinned_memory.hpp"

namespace sortie::cuda {

/// The cuts at `ranks`, which begin with 0 and end with the sum of the shards' counts. Waits for the shards' sorts, and
/// then some 5 to 10 times for an answer of all GPUs. `memory` grows to what that takes.
RankCuts cut_at_ranks(std::span<const std::unique_ptr<ArrayShard>> shards, std::span<const std::uint64_t> ranks,
                      unsigned number_bytes, PinnedBuffer& memory);

/// The sequences that make up part `part`, for shard `to`: its own first, then those of the shards that follow it, so
/// that not all GPUs ask the same one at once.
std::vector<ArrayShard::Sequence> sequences_of(std::span<const std::unique_ptr<ArrayShard>> shards,
                                               const RankCuts& cuts, std::size_t part, std::size_t to);

}  // namespace sortie::cuda

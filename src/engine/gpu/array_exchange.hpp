// Sorted shares of one array on several GPUs become parts of the sorted whole, the least on the first GPU:
// each is cut at the same exact ranks of the whole, the pieces change places over the links between the
// GPUs, and each GPU merges what it got.
//
//   GPU 0   | < a |a  < b|  >= b  |            GPU 0   | < a | < a |
//   GPU 1   | < a |a   < b | >= b |    -->     GPU 1   |a < b|a < b|
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/gpu/array_shard.hpp"

namespace sortie::gpu {

/// Part k of the whole is numbers [ranks[k], ranks[k + 1]) of it; of shard g these are [cuts[k][g], cuts[k + 1][g]).
using RankCuts = std::vector<std::vector<std::uint64_t>>;

/// The cuts at `ranks`, which begin with 0 and end with the sum of the shards' counts. Waits for the shards' sorts.
RankCuts cut_at_ranks(std::span<const std::unique_ptr<ArrayShard>> shards, std::span<const std::uint64_t> ranks,
                      unsigned number_bytes);

/// Gives shard k part k. On return the merges are queued.
void exchange(std::span<const std::unique_ptr<ArrayShard>> shards, const RankCuts& cuts, unsigned number_bytes);

}  // namespace sortie::gpu

// What sorted shards send one another, so that each ends with its range of the whole. Pure: numbers in, numbers out.
//
//   shard 0   | 0 |  1  | 2 |          gathered for shard 1   | of shard 0 | of shard 1 | of shard 2 |
//   shard 1   |  0  | 1 | 2 |    -->                          offsets[0]   offsets[1]   offsets[2]   offsets[3]
//   shard 2   | 0 | 1 |  2  |
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cuda/shards/rank_cuts.hpp"

namespace sortie::cuda {

/// The ranks at which ranges of these sizes begin, and the end of the last one.
std::vector<std::uint64_t> begins_of(std::span<const std::uint64_t> counts);

/// Items that are copied from one shard to where another one gathers its range.
struct Transfer {
  std::size_t from = 0;          ///< the shard that they are in
  std::uint64_t from_begin = 0;  ///< the first of them there
  std::uint64_t to_begin = 0;    ///< where it goes
  std::uint64_t count = 0;
};

/// What one shard does.
struct ShardExchange {
  std::vector<std::uint64_t> offsets;  ///< gathered list g is items [offsets[g], offsets[g + 1]); in order of shards
  std::vector<Transfer> transfers;     ///< in the order in which they are best queued; none is empty
  std::vector<std::size_t> readers;    ///< other shards that read this one: it may be overwritten after them
  bool stays = false;                  ///< its range is what it has: nothing is gathered, and transfers are empty
};

/// Who sends what to whom. `cuts`: those of the shards at the ranks begins_of(counts). A shard asks itself first, then
/// those that follow it, so that at any time each is asked by one other.
std::vector<ShardExchange> plan_exchange(std::span<const std::uint64_t> counts, const RankCuts& cuts);

}  // namespace sortie::cuda

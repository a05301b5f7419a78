// Where sorted shards of one array are cut, so that the pieces between two cuts are a range of the sorted whole: at
// exact ranks, whatever the keys are. Equal keys of earlier shards come first, which keeps sorts stable.
//
//   shard 0   | < a |a  < b|  >= b  |            range 0   | < a | < a |
//   shard 1   | < a |a   < b | >= b |    -->     range 1   |a < b|a < b|
//
// Pure: the caller says which ranks values have in the shards, wherever these lie. sort_shards() and the GPU engine's
// sort of arrays use it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "kernels/sorted_ranks.hpp"

namespace sortie::cuda {

/// Range k of the whole is items [ranks[k], ranks[k + 1]) of it; of shard g these are [cuts[k][g], cuts[k + 1][g]).
using RankCuts = std::vector<std::vector<std::uint64_t>>;

/// The ranks of the same values in all shards.
class ShardRanks {
 public:
  /// The rank of value i in shard g is ranks[g * stride + i].
  ShardRanks(std::span<const kernels::SortedRank> ranks, std::size_t stride) : ranks_(ranks), stride_(stride) {}

  const kernels::SortedRank& rank(std::size_t shard, std::size_t i) const { return ranks_[shard * stride_ + i]; }
  /// How many items of all shards are not above value i.
  std::uint64_t not_above(std::size_t i) const;

 private:
  std::span<const kernels::SortedRank> ranks_;
  std::size_t stride_;
};

/// Looks values up in all shards. Values are codes: unsigned numbers in the order of the keys. The answer is valid
/// until the next question.
using AskRanks = FunctionRef<ShardRanks(std::span<const std::uint64_t> values)>;

/// How many values to look up at once for each of `cuts` cuts where a question takes longer than its answer, as on a
/// GPU: some thousand in all; one less than a power of two.
unsigned tries_per_cut(std::size_t cuts);

/// The most values in one question of cut_at_ranks(), with tries_per_cut(), for so many inner ranks.
std::size_t most_values_asked(std::size_t inner_ranks);

/// The cuts of shards with `counts` items at `ranks`, which begin with 0 and end with the sum of the counts. Keys have
/// `key_bits` bits. Each question looks up `tries` values for each inner rank, and settles log2(tries + 1) bits of the
/// key at which the whole is cut; where keys differ, so many bits are enough as tell the keys apart.
RankCuts cut_at_ranks(std::span<const std::uint64_t> counts, std::span<const std::uint64_t> ranks, unsigned key_bits,
                      unsigned tries, const AskRanks& ask);

}  // namespace sortie::cuda

#include "cuda/shards/rank_cuts.hpp"

#include <algorithm>
#include <bit>

#include "cuda/shards/value_search.hpp"

namespace sortie::cuda {
namespace {

constexpr std::size_t kValuesOfQuestion = 8192;
constexpr std::size_t kLeastTries = 63;
constexpr std::size_t kMostTries = 4095;

/// Finds for each rank the least value with at least that many items not above it.
std::vector<std::uint64_t> find_values(std::span<const std::uint64_t> ranks, unsigned key_bits, unsigned tries,
                                       const AskRanks& ask) {
  std::vector<ValueSearch> searches(ranks.size(), ValueSearch(~std::uint64_t{0} >> (64 - key_bits)));
  std::vector<std::uint64_t> values;
  while (!std::ranges::all_of(searches, &ValueSearch::is_found)) {
    values.clear();
    for (const ValueSearch& search : searches) search.append_tries(tries, values);
    const ShardRanks found = ask(values);
    for (std::size_t i = 0; i < searches.size(); ++i) {
      searches[i].narrow(tries, [&](std::size_t t) { return found.not_above(i * tries + t) >= ranks[i]; });
    }
  }
  values.clear();
  for (const ValueSearch& search : searches) values.push_back(search.value());
  return values;
}

/// How many items of each shard come before the cut: all below its value, and as many of those equal to it as the rank
/// leaves room for.
std::vector<std::uint64_t> cut_shards(const ShardRanks& found, std::size_t cut, std::uint64_t rank,
                                      std::size_t shard_count) {
  std::vector<std::uint64_t> positions;
  for (std::size_t g = 0; g < shard_count; ++g) {
    positions.push_back(found.rank(g, cut).below);
    rank -= positions.back();
  }
  for (std::size_t g = 0; g < shard_count; ++g) {
    const std::uint64_t equal = found.rank(g, cut).not_above - found.rank(g, cut).below;
    const std::uint64_t taken = std::min(equal, rank);
    positions[g] += taken;
    rank -= taken;
  }
  return positions;
}

}  // namespace

std::uint64_t ShardRanks::not_above(std::size_t i) const {
  std::uint64_t sum = 0;
  for (std::size_t begin = 0; begin < ranks_.size(); begin += stride_) sum += ranks_[begin + i].not_above;
  return sum;
}

unsigned tries_per_cut(std::size_t cuts) {
  const std::size_t share = kValuesOfQuestion / std::max<std::size_t>(cuts, 1);
  return static_cast<unsigned>(std::clamp(std::bit_floor(share + 1) - 1, kLeastTries, kMostTries));
}

std::size_t most_values_asked(std::size_t inner_ranks) { return inner_ranks * tries_per_cut(inner_ranks); }

RankCuts cut_at_ranks(std::span<const std::uint64_t> counts, std::span<const std::uint64_t> ranks, unsigned key_bits,
                      unsigned tries, const AskRanks& ask) {
  const std::span<const std::uint64_t> inner = ranks.subspan(1, ranks.size() - 2);
  RankCuts cuts;
  cuts.emplace_back(counts.size(), 0);
  if (!inner.empty()) {
    const std::vector<std::uint64_t> values = find_values(inner, key_bits, tries, ask);
    const ShardRanks found = ask(values);
    for (std::size_t i = 0; i < inner.size(); ++i) cuts.push_back(cut_shards(found, i, inner[i], counts.size()));
  }
  cuts.emplace_back(counts.begin(), counts.end());
  return cuts;
}

}  // namespace sortie::cuda

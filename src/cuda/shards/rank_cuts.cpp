#include "cuda/shards/rank_cuts.hpp"

#include <algorithm>
#include <bit>

#include "base/first_index.hpp"
#include "cuda/shards/value_search.hpp"

namespace sortie::cuda {
namespace {

constexpr std::size_t kValuesOfQuestion = 8192;
constexpr std::size_t kLeastTries = 63;
constexpr std::size_t kMostTries = 4095;

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

/// The search for one cut. It looks for the least value with at least `rank` items not above it, which decides where
/// shards are cut even among equal keys; and ends before if it meets a value with just `rank` items not above it.
class CutSearch {
 public:
  CutSearch(std::uint64_t rank, unsigned key_bits, unsigned tries)
      : rank_(rank), tries_(tries), search_(~std::uint64_t{0} >> (64 - key_bits)) {}

  bool is_done() const { return !cut_.empty(); }
  const std::vector<std::uint64_t>& cut() const { return cut_; }

  void append_tries(std::vector<std::uint64_t>& values) const { search_.append_tries(tries_, values); }

  /// `found`: the ranks of `values`, of which this search's begin at `begin`.
  void take(const ShardRanks& found, std::span<const std::uint64_t> values, std::size_t begin,
            std::size_t shard_count) {
    const unsigned first = first_index(0U, tries_, [&](unsigned t) { return found.not_above(begin + t) >= rank_; });
    search_.narrow(tries_, first);
    if (first == tries_) return;
    const bool is_least = search_.is_found() && search_.value() == values[begin + first];
    if (is_least || found.not_above(begin + first) == rank_)
      cut_ = cut_shards(found, begin + first, rank_, shard_count);
  }

 private:
  std::uint64_t rank_;
  unsigned tries_;
  ValueSearch search_;
  std::vector<std::uint64_t> cut_;
};

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
  std::vector<CutSearch> searches;
  for (const std::uint64_t rank : ranks.subspan(1, ranks.size() - 2)) searches.emplace_back(rank, key_bits, tries);
  std::vector<std::uint64_t> values;
  while (!std::ranges::all_of(searches, &CutSearch::is_done)) {
    values.clear();
    for (const CutSearch& search : searches) {
      if (!search.is_done()) search.append_tries(values);
    }
    const ShardRanks found = ask(values);
    std::size_t begin = 0;
    for (CutSearch& search : searches) {
      if (search.is_done()) continue;
      search.take(found, values, begin, counts.size());
      begin += tries;
    }
  }
  RankCuts cuts;
  cuts.emplace_back(counts.size(), 0);
  for (const CutSearch& search : searches) cuts.push_back(search.cut());
  cuts.emplace_back(counts.begin(), counts.end());
  return cuts;
}

}  // namespace sortie::cuda

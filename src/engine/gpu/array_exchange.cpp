#include "engine/gpu/array_exchange.hpp"

#include <algorithm>

#include "device/device_info.hpp"
#include "device/peer_copy.hpp"
#include "device/pinned_buffer.hpp"

namespace sortie::gpu {
namespace {

/// Asks all shards for the ranks of one value per cut.
class RankSearch {
 public:
  RankSearch(std::span<const std::unique_ptr<ArrayShard>> shards, unsigned cut_count)
      : shards_(shards),
        cut_count_(cut_count),
        memory_(cut_count * sizeof(std::uint64_t) + shards.size() * cut_count * sizeof(kernels::SortedRank), 1),
        values_(reinterpret_cast<std::uint64_t*>(memory_.data())),
        ranks_(reinterpret_cast<kernels::SortedRank*>(values_ + cut_count)) {}

  void ask(std::span<const std::uint64_t> values) {
    std::ranges::copy(values, values_);
    for (std::size_t g = 0; g < shards_.size(); ++g) {
      select_device(shards_[g]->device());
      shards_[g]->find_ranks(values_, cut_count_, ranks_ + g * cut_count_);
    }
    for (const auto& shard : shards_) {
      select_device(shard->device());
      shard->stream().synchronize();
    }
  }

  const kernels::SortedRank& rank(std::size_t shard, std::size_t cut) const { return ranks_[shard * cut_count_ + cut]; }

  std::uint64_t not_above(std::size_t cut) const {
    std::uint64_t sum = 0;
    for (std::size_t g = 0; g < shards_.size(); ++g) sum += rank(g, cut).not_above;
    return sum;
  }

 private:
  std::span<const std::unique_ptr<ArrayShard>> shards_;
  unsigned cut_count_;
  PinnedBuffer memory_;
  std::uint64_t* values_;
  kernels::SortedRank* ranks_;
};

/// For each rank the least value that as many numbers are not above of. Leaves the search with those values asked.
void find_values(RankSearch& search, std::span<const std::uint64_t> ranks, unsigned number_bytes) {
  std::vector<std::uint64_t> low(ranks.size(), 0);
  std::vector<std::uint64_t> high(ranks.size(), ~std::uint64_t{0} >> (64 - 8 * number_bytes));
  std::vector<std::uint64_t> middle(ranks.size());
  for (unsigned bit = 0; bit < 8 * number_bytes; ++bit) {
    for (std::size_t i = 0; i < ranks.size(); ++i) middle[i] = low[i] + (high[i] - low[i]) / 2;
    search.ask(middle);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (search.not_above(i) >= ranks[i]) {
        high[i] = middle[i];
      } else {
        low[i] = std::min(middle[i] + 1, high[i]);
      }
    }
  }
  search.ask(high);
}

/// All that are below the cut's value, and of those equal to it as many as the rank leaves room for.
std::vector<std::uint64_t> cut_shards(const RankSearch& search, std::size_t cut, std::uint64_t rank,
                                      std::size_t shard_count) {
  std::vector<std::uint64_t> positions;
  for (std::size_t g = 0; g < shard_count; ++g) {
    positions.push_back(search.rank(g, cut).below);
    rank -= positions.back();
  }
  for (std::size_t g = 0; g < shard_count; ++g) {
    const std::uint64_t equal = search.rank(g, cut).not_above - search.rank(g, cut).below;
    const std::uint64_t taken = std::min(equal, rank);
    positions[g] += taken;
    rank -= taken;
  }
  return positions;
}

}  // namespace

RankCuts cut_at_ranks(std::span<const std::unique_ptr<ArrayShard>> shards, std::span<const std::uint64_t> ranks,
                      unsigned number_bytes) {
  const std::span<const std::uint64_t> inner = ranks.subspan(1, ranks.size() - 2);
  RankCuts cuts;
  cuts.emplace_back(shards.size(), 0);
  if (!inner.empty()) {
    RankSearch search(shards, static_cast<unsigned>(inner.size()));
    find_values(search, inner, number_bytes);
    for (std::size_t i = 0; i < inner.size(); ++i) cuts.push_back(cut_shards(search, i, inner[i], shards.size()));
  }
  cuts.emplace_back();
  for (const auto& shard : shards) cuts.back().push_back(shard->count());
  return cuts;
}

void exchange(std::span<const std::unique_ptr<ArrayShard>> shards, const RankCuts& cuts, unsigned number_bytes) {
  std::vector<std::vector<std::uint64_t>> bounds;
  for (std::size_t k = 0; k < shards.size(); ++k) {
    select_device(shards[k]->device());
    bounds.push_back({0});
    for (std::size_t g = 0; g < shards.size(); ++g) {
      const std::uint64_t count = cuts[k + 1][g] - cuts[k][g];
      copy_between_devices({shards[k]->device(), shards[k]->room() + bounds[k].back() * number_bytes},
                           {shards[g]->device(), shards[g]->codes() + cuts[k][g] * number_bytes}, count * number_bytes,
                           shards[k]->stream());
      bounds[k].push_back(bounds[k].back() + count);
    }
  }
  // A merge overwrites the codes that other shards copy from.
  for (const auto& shard : shards) {
    select_device(shard->device());
    shard->stream().synchronize();
  }
  for (std::size_t k = 0; k < shards.size(); ++k) {
    select_device(shards[k]->device());
    shards[k]->adopt(bounds[k]);
  }
}

}  // namespace sortie::gpu

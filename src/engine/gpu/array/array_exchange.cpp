#include "engine/gpu/array/array_exchange.hpp"

#include <algorithm>

#include "device/device_info.hpp"
#include "engine/gpu/array/array_plan.hpp"

namespace sortie::gpu {
namespace {

/// Values that are tried at once for each cut. Asking takes longer than answering: with 6 bits settled at a time, 11
/// questions do instead of 64.
constexpr unsigned kTriesPerCut = 63;

/// Asks all shards for the ranks of the same values.
class RankQuestion {
 public:
  RankQuestion(std::span<const std::unique_ptr<ArrayShard>> shards, std::size_t most_values, PinnedBuffer& memory)
      : shards_(shards), most_values_(most_values) {
    const std::uint64_t bytes = most_values * (sizeof(std::uint64_t) + shards.size() * sizeof(kernels::SortedRank));
    if (memory.size_bytes() < bytes) memory = PinnedBuffer(bytes, 1);
    values_ = reinterpret_cast<std::uint64_t*>(memory.data());
    ranks_ = reinterpret_cast<kernels::SortedRank*>(values_ + most_values);
  }

  void ask(std::span<const std::uint64_t> values) {
    std::ranges::copy(values, values_);
    for (std::size_t g = 0; g < shards_.size(); ++g) {
      select_device(shards_[g]->device());
      shards_[g]->find_ranks(values_, static_cast<unsigned>(values.size()), ranks_ + g * most_values_);
    }
    for (const auto& shard : shards_) {
      select_device(shard->device());
      shard->stream().synchronize();
    }
  }

  /// The rank in a shard of value i of the last call.
  const kernels::SortedRank& rank(std::size_t shard, std::size_t i) const { return ranks_[shard * most_values_ + i]; }

  std::uint64_t not_above(std::size_t i) const {
    std::uint64_t sum = 0;
    for (std::size_t g = 0; g < shards_.size(); ++g) sum += rank(g, i).not_above;
    return sum;
  }

 private:
  std::span<const std::unique_ptr<ArrayShard>> shards_;
  std::size_t most_values_;
  std::uint64_t* values_;
  kernels::SortedRank* ranks_;
};

/// Finds for each rank the least value with at least that many numbers not above it. Leaves the question with those
/// values asked.
void find_values(RankQuestion& question, std::span<const std::uint64_t> ranks, unsigned number_bytes) {
  std::vector<ValueSearch> searches(ranks.size(), ValueSearch(~std::uint64_t{0} >> (64 - 8 * number_bytes)));
  std::vector<std::uint64_t> values;
  const auto is_open = [](const ValueSearch& search) { return !search.is_found(); };
  while (std::ranges::any_of(searches, is_open)) {
    values.clear();
    for (const ValueSearch& search : searches) search.append_tries(kTriesPerCut, values);
    question.ask(values);
    for (std::size_t i = 0; i < searches.size(); ++i) {
      const auto reaches = [&](std::size_t t) { return question.not_above(i * kTriesPerCut + t) >= ranks[i]; };
      searches[i].narrow(kTriesPerCut, reaches);
    }
  }
  values.clear();
  for (const ValueSearch& search : searches) values.push_back(search.value());
  question.ask(values);
}

/// How many numbers of each shard come before the cut: all below its value, and as many of those equal to it as the
/// rank leaves room for.
std::vector<std::uint64_t> cut_shards(const RankQuestion& question, std::size_t cut, std::uint64_t rank,
                                      std::size_t shard_count) {
  std::vector<std::uint64_t> positions;
  for (std::size_t g = 0; g < shard_count; ++g) {
    positions.push_back(question.rank(g, cut).below);
    rank -= positions.back();
  }
  for (std::size_t g = 0; g < shard_count; ++g) {
    const std::uint64_t equal = question.rank(g, cut).not_above - question.rank(g, cut).below;
    const std::uint64_t taken = std::min(equal, rank);
    positions[g] += taken;
    rank -= taken;
  }
  return positions;
}

}  // namespace

RankCuts cut_at_ranks(std::span<const std::unique_ptr<ArrayShard>> shards, std::span<const std::uint64_t> ranks,
                      unsigned number_bytes, PinnedBuffer& memory) {
  const std::span<const std::uint64_t> inner = ranks.subspan(1, ranks.size() - 2);
  RankCuts cuts;
  cuts.emplace_back(shards.size(), 0);
  if (!inner.empty()) {
    RankQuestion question(shards, inner.size() * kTriesPerCut, memory);
    find_values(question, inner, number_bytes);
    for (std::size_t i = 0; i < inner.size(); ++i) cuts.push_back(cut_shards(question, i, inner[i], shards.size()));
  }
  cuts.emplace_back();
  for (const auto& shard : shards) cuts.back().push_back(shard->count());
  return cuts;
}

std::vector<ArrayShard::Sequence> sequences_of(std::span<const std::unique_ptr<ArrayShard>> shards,
                                               const RankCuts& cuts, std::size_t part, std::size_t to) {
  std::vector<ArrayShard::Sequence> sequences;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const std::size_t g = (to + i) % shards.size();
    sequences.push_back({shards[g].get(), cuts[part][g], cuts[part + 1][g]});
  }
  return sequences;
}

}  // namespace sortie::gpu

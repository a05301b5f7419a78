#include "cuda/arrays/array_exchange.hpp"

#include <algorithm>

#include "device/device_info.hpp"

namespace sortie::cuda {
namespace {

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

  ShardRanks ask(std::span<const std::uint64_t> values) const {
    std::ranges::copy(values, values_);
    for (std::size_t g = 0; g < shards_.size(); ++g) {
      select_device(shards_[g]->device());
      shards_[g]->find_ranks(values_, static_cast<unsigned>(values.size()), ranks_ + g * most_values_);
    }
    for (const auto& shard : shards_) {
      select_device(shard->device());
      shard->stream().synchronize();
    }
    return {{ranks_, shards_.size() * most_values_}, most_values_};
  }

 private:
  std::span<const std::unique_ptr<ArrayShard>> shards_;
  std::size_t most_values_;
  std::uint64_t* values_;
  kernels::SortedRank* ranks_;
};

}  // namespace

RankCuts cut_at_ranks(std::span<const std::unique_ptr<ArrayShard>> shards, std::span<const std::uint64_t> ranks,
                      unsigned number_bytes, PinnedBuffer& memory) {
  const std::size_t inner_ranks = ranks.size() - 2;
  const RankQuestion question(shards, most_values_asked(inner_ranks), memory);
  std::vector<std::uint64_t> counts;
  for (const auto& shard : shards) counts.push_back(shard->count());
  return cut_at_ranks(counts, ranks, 8 * number_bytes, tries_per_cut(inner_ranks),
                      [&](std::span<const std::uint64_t> values) { return question.ask(values); });
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

}  // namespace sortie::cuda

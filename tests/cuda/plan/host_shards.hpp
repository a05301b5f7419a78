// Shards in the host's memory, which stand in for those of GPUs: they answer for ranks, copy and merge as GPUs would.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cuda/shards/exchange_plan.hpp"
#include "cuda/shards/rank_cuts.hpp"

namespace sortie::cuda {

/// An item, and its position in the whole array, by which stability shows.
struct HostItem {
  std::uint64_t code;
  std::uint64_t position;

  friend bool operator==(const HostItem&, const HostItem&) = default;
};

inline bool comes_before(const HostItem& a, const HostItem& b) { return a.code < b.code; }

class HostShards {
 public:
  /// Cuts the array into shards of these sizes. `tries`: values in a question for each cut.
  HostShards(std::span<const std::uint64_t> codes, std::vector<std::uint64_t> counts, unsigned key_bits, unsigned tries)
      : counts_(std::move(counts)), key_bits_(key_bits), tries_(tries) {
    std::uint64_t position = 0;
    for (const std::uint64_t count : counts_) {
      std::vector<HostItem>& shard = shards_.emplace_back();
      for (std::uint64_t i = 0; i < count; ++i, ++position) shard.push_back({codes[position], position});
    }
  }

  void sort() {
    for (auto& shard : shards_) std::ranges::stable_sort(shard, comes_before);
    const RankCuts cuts = cut();
    const std::vector<ShardExchange> plans = plan_exchange(counts_, cuts);
    // As late as the plan allows: a reader that it forgets finds a shard that is overwritten.
    std::vector<std::vector<HostItem>> gathered(plans.size());
    const auto gather_once = [&](std::size_t i) {
      if (gathered[i].empty()) gathered[i] = gather(plans[i]);
    };
    for (std::size_t i = plans.size(); i-- > 0;) {
      if (plans[i].stays) continue;
      gather_once(i);
      for (const std::size_t reader : plans[i].readers) gather_once(reader);
      shards_[i] = merged(gathered[i], plans[i].offsets);
    }
  }

  RankCuts cut() {
    return cut_at_ranks(counts_, begins_of(counts_), key_bits_, tries_,
                        [this](std::span<const std::uint64_t> values) { return answer_ranks(values); });
  }

  const std::vector<std::vector<HostItem>>& shards() const { return shards_; }
  unsigned questions() const { return questions_; }

 private:
  ShardRanks answer_ranks(std::span<const std::uint64_t> values) {
    ++questions_;
    ranks_.clear();
    for (const auto& shard : shards_) {
      for (const std::uint64_t value : values) {
        const auto [begin, end] = std::ranges::equal_range(shard, value, {}, &HostItem::code);
        ranks_.push_back(
            {static_cast<std::uint64_t>(begin - shard.begin()), static_cast<std::uint64_t>(end - shard.begin())});
      }
    }
    return {ranks_, values.size()};
  }

  std::vector<HostItem> gather(const ShardExchange& plan) const {
    std::vector<HostItem> items(plan.stays ? 0 : plan.offsets.back());
    for (const Transfer& transfer : plan.transfers) {
      std::copy_n(shards_[transfer.from].begin() + static_cast<std::ptrdiff_t>(transfer.from_begin), transfer.count,
                  items.begin() + static_cast<std::ptrdiff_t>(transfer.to_begin));
    }
    return items;
  }

  static std::vector<HostItem> merged(std::vector<HostItem> items, std::span<const std::uint64_t> offsets) {
    const auto at = [&](std::uint64_t offset) { return items.begin() + static_cast<std::ptrdiff_t>(offset); };
    for (std::size_t g = 1; g + 1 < offsets.size(); ++g) {
      std::inplace_merge(at(0), at(offsets[g]), at(offsets[g + 1]), comes_before);
    }
    return items;
  }

  std::vector<std::uint64_t> counts_;
  unsigned key_bits_;
  unsigned tries_;
  std::vector<std::vector<HostItem>> shards_;
  std::vector<kernels::SortedRank> ranks_;
  unsigned questions_ = 0;
};

}  // namespace sortie::cuda

#include "cuda/shards/exchange_plan.hpp"

namespace sortie::cuda {
namespace {

ShardExchange plan_shard(std::size_t to, const RankCuts& cuts, std::size_t shard_count) {
  ShardExchange plan;
  plan.offsets.push_back(0);
  for (std::size_t g = 0; g < shard_count; ++g) {
    plan.offsets.push_back(plan.offsets.back() + cuts[to + 1][g] - cuts[to][g]);
  }
  plan.stays = plan.offsets[to + 1] - plan.offsets[to] == plan.offsets.back();
  for (std::size_t i = 0; i < shard_count && !plan.stays; ++i) {
    const std::size_t from = (to + i) % shard_count;
    const std::uint64_t count = plan.offsets[from + 1] - plan.offsets[from];
    if (count != 0) plan.transfers.push_back({from, cuts[to][from], plan.offsets[from], count});
  }
  return plan;
}

}  // namespace

std::vector<std::uint64_t> begins_of(std::span<const std::uint64_t> counts) {
  std::vector<std::uint64_t> begins = {0};
  for (const std::uint64_t count : counts) begins.push_back(begins.back() + count);
  return begins;
}

std::vector<ShardExchange> plan_exchange(std::span<const std::uint64_t> counts, const RankCuts& cuts) {
  std::vector<ShardExchange> plans;
  for (std::size_t to = 0; to < counts.size(); ++to) plans.push_back(plan_shard(to, cuts, counts.size()));
  for (std::size_t to = 0; to < counts.size(); ++to) {
    for (const Transfer& transfer : plans[to].transfers) {
      if (transfer.from != to) plans[transfer.from].readers.push_back(to);
    }
  }
  return plans;
}

}  // namespace sortie::cuda

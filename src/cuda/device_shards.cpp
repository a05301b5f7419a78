#include <sortie/cuda/device_shards.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include <sortie/cuda/device_merge.hpp>

#include "cuda/device_call.hpp"
#include "cuda/float_order.hpp"
#include "cuda/shards/exchange_plan.hpp"
#include "cuda/shards/rank_cuts.hpp"
#include "cuda/shards/shard_leases.hpp"
#include "cuda/stable_sort.hpp"
#include "cuda/value_moves.hpp"
#include "device/copy.hpp"
#include "device/cuda_error.hpp"
#include "device/cuda_stream.hpp"
#include "device/device_info.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/sorted_ranks.hpp"

namespace sortie::cuda {
namespace {

/// Scratch of one shard. Its three uses follow one another in the same memory: the sort, questions for ranks, and the
/// range that is gathered. Short keys are not merged, but sorted again, where they are to be: this takes the memory of
/// what was gathered.
struct ShardScratch {
  ShardScratch(KeyType type, std::size_t value_bytes, std::uint64_t count, std::size_t shard_count,
               void* area = nullptr) {
    memory = area;
    const std::size_t sort_bytes = stable_sort_scratch_bytes(type, value_bytes, count);
    kernels::ScratchLayout question(area);
    const std::size_t most_values = shard_count < 2 ? 0 : most_values_asked(shard_count - 1);
    values_asked = question.take<std::uint64_t>(most_values);
    ranks = question.take<kernels::SortedRank>(most_values);
    kernels::ScratchLayout gathering(area);
    const std::uint64_t gathered = shard_count < 2 ? 0 : count;
    keys = gathering.take<std::byte>(gathered * bytes_of(type));
    values = gathering.take<std::byte>(gathered * value_bytes);
    offsets = gathering.take<std::uint64_t>(shard_count + 1);
    if (!is_short(type) && gathered != 0) {
      merge_bytes = merge_lists_scratch_bytes(type, value_bytes, count, static_cast<std::uint32_t>(shard_count));
    }
    merge = gathering.take<std::byte>(merge_bytes);
    size_bytes = std::max({std::uint64_t{sort_bytes}, question.size_bytes(), gathering.size_bytes()});
  }

  void* memory;
  std::uint64_t* values_asked;
  kernels::SortedRank* ranks;
  std::byte* keys;
  std::byte* values;
  std::uint64_t* offsets;
  std::size_t merge_bytes = 0;
  std::byte* merge;
  std::uint64_t size_bytes;
};

/// Throws Refused unless all arrays, with the callers' scratch, are apart.
void require_shard_arrays(std::span<const Shard> shards) {
  std::vector<std::string> names;
  names.reserve(3 * shards.size());
  std::vector<ArrayArgument> arrays;
  const auto add = [&](const char* what, std::size_t shard, const void* data, std::uint64_t bytes, unsigned alignment) {
    names.push_back(std::string(what) + " of shard " + std::to_string(shard));
    arrays.push_back({names.back().c_str(), data, bytes, Access::kWrite, alignment});
  };
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const Shard& shard = shards[i];
    add("keys", i, shard.keys.data, shard.count * bytes_of(shard.keys.type), 16);
    add("values", i, shard.values.data, shard.count * shard.values.bytes, value_alignment(shard.values.bytes));
    if (shard.scratch.allocator() == nullptr) add("scratch", i, shard.scratch.memory(), shard.scratch.bytes(), 1);
  }
  require_arrays(arrays);
}

void require_shards(std::span<const Shard> shards, Order order) {
  require(!shards.empty(), "no shards: give at least one");
  require(shards.size() <= kMostShards, "there are more than 1024 shards: give fewer, larger ones");
  require_order(order);
  std::uint64_t count = 0;
  for (const Shard& shard : shards) {
    require_any_order(shard.keys.type);
    require_count(shard.count);
    require_values(shard.values.bytes, shard.count);
    require(shard.keys.type == shards[0].keys.type, "the keys of all shards must be of one type");
    require(shard.values.bytes == shards[0].values.bytes, "the values of all shards must have one size");
    require_device(shard.device);
    count += shard.count;
  }
  require_count(count);
  require_shard_arrays(shards);
}

/// One call's work, step by step.
class ShardSort {
 public:
  /// Takes scratch. Throws Refused.
  ShardSort(std::span<const Shard> shards, Order order) : shards_(shards), order_(order) {
    for (const Shard& shard : shards) counts_.push_back(shard.count);
    for (std::size_t i = 0; i < shards.size(); ++i) {
      leases_.take(shards[i], scratch_of(i, nullptr).size_bytes);
    }
  }
  void sort_each() const {
    for (std::size_t i = 0; i < shards_.size(); ++i) sort_one(i);
  }

  /// Waits until all shards are sorted.
  RankCuts cut() {
    const unsigned key_bits = static_cast<unsigned>(8 * bytes_of(shards_[0].keys.type));
    return cut_at_ranks(counts_, begins_of(counts_), key_bits, tries_per_cut(shards_.size() - 1),
                        [this](std::span<const std::uint64_t> values) { return ask_ranks(values); });
  }

  void exchange(const RankCuts& cuts) {
    const std::vector<ShardExchange> plans = plan_exchange(counts_, cuts);
    std::vector<CudaEvent> gathered;
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      select(i);
      gather(i, plans[i]);
      gathered.emplace_back().record(shards_[i].stream);
    }
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      select(i);
      for (const std::size_t reader : plans[i].readers) {
        gathered[reader].hold_up(shards_[i].stream);
      }
      if (!plans[i].stays) take_gathered(i, plans[i]);
    }
  }

 private:
  const Shard& select(std::size_t i) const {
    select_device(shards_[i].device);
    return shards_[i];
  }

  ShardScratch scratch_of(std::size_t i, void* area) const {
    const Shard& shard = shards_[i];
    return {shard.keys.type, shard.values.bytes, shard.count, shards_.size(), area};
  }
  ShardScratch scratch_of(std::size_t i) const { return scratch_of(i, leases_.memory(i)); }

  void sort_one(std::size_t i) const {
    const Shard& shard = select(i);
    stable_sort(shard.keys, shard.values, shard.count, order_, leases_.memory(i), shard.stream);
  }

  ShardRanks ask_ranks(std::span<const std::uint64_t> values) {
    const kernels::RowOrder key_order = row_order(shards_[0].keys.type, order_);
    ranks_.assign(shards_.size() * values.size(), kernels::SortedRank{});
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      if (counts_[i] == 0) continue;
      const Shard& shard = select(i);
      const ShardScratch scratch = scratch_of(i);
      copy_async(scratch.values_asked, values.data(), values.size_bytes(), shard.stream);
      kernels::find_ranks(key_order, shard.keys.data, shard.count, scratch.values_asked,
                          static_cast<unsigned>(values.size()), scratch.ranks, shard.stream);
    }
    for (std::size_t i = 0; i < shards_.size(); ++i) {
      if (counts_[i] == 0) continue;
      const Shard& shard = select(i);
      copy_async(&ranks_[i * values.size()], scratch_of(i).ranks, values.size() * sizeof(kernels::SortedRank),
                 shard.stream);
      check_cuda(cudaStreamSynchronize(shard.stream), "cudaStreamSynchronize");
    }
    return {ranks_, values.size()};
  }

  void gather(std::size_t i, const ShardExchange& plan) const {
    const ShardScratch scratch = scratch_of(i);
    const Shard& to = shards_[i];
    for (const Transfer& transfer : plan.transfers) {
      const Shard& from = shards_[transfer.from];
      const auto copy = [&](std::byte* target, const void* source, std::size_t item_bytes) {
        const auto* const items = static_cast<const std::byte*>(source);
        copy_between_devices({to.device, target + transfer.to_begin * item_bytes},
                             {from.device, items + transfer.from_begin * item_bytes}, transfer.count * item_bytes,
                             to.stream);
      };
      copy(scratch.keys, from.keys.data, bytes_of(from.keys.type));
      if (from.values.bytes != 0) copy(scratch.values, from.values.data, from.values.bytes);
    }
  }

  /// Makes the shard's range of what it has gathered.
  void take_gathered(std::size_t i, const ShardExchange& plan) const {
    const Shard& shard = shards_[i];
    const ShardScratch scratch = scratch_of(i);
    if (is_short(shard.keys.type)) {
      copy_within_device(shard.keys.data, scratch.keys, shard.count * bytes_of(shard.keys.type), shard.stream);
      copy_within_device(shard.values.data, scratch.values, shard.count * shard.values.bytes, shard.stream);
      return sort_one(i);
    }
    copy_async(scratch.offsets, plan.offsets.data(), plan.offsets.size() * sizeof(std::uint64_t), shard.stream);
    const SortedLists lists{ConstKeys(scratch.keys, shard.keys.type), ConstValues(scratch.values, shard.values.bytes),
                            scratch.offsets, static_cast<std::uint32_t>(shards_.size()), shard.count};
    require_ok(merge_lists(lists, shard.keys, shard.values, order_, Scratch(scratch.merge, scratch.merge_bytes),
                           shard.stream));
  }

  std::span<const Shard> shards_;
  Order order_;
  std::vector<std::uint64_t> counts_;
  ShardLeases leases_;
  std::vector<kernels::SortedRank> ranks_;  ///< the last answer
};

void allow_access_between(std::span<const Shard> shards) {
  std::vector<int> devices;
  for (const Shard& shard : shards) devices.push_back(shard.device);
  std::ranges::sort(devices);
  devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
  if (devices.size() < 2) return;
  for (const int device : devices) allow_peer_access(device, devices);
}

}  // namespace

std::size_t sort_shards_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count,
                                      std::size_t shard_count) noexcept {
  return ShardScratch(key_type, value_bytes, count, shard_count).size_bytes;
}

Status sort_shards(std::span<const Shard> shards, Order order) noexcept {
  return answer([&] {
    require_shards(shards, order);
    require_uncaptured_shards(shards);
    const KeptDevice kept;
    ShardSort sort(shards, order);
    allow_access_between(shards);
    sort.sort_each();
    if (shards.size() > 1) sort.exchange(sort.cut());
  });
}

}  // namespace sortie::cuda

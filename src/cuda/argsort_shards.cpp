// The door argsort_shards(): sort_shards() of copies of the keys, with positions as values.
#include <string>
#include <vector>

#include <sortie/cuda/device_shards.hpp>

#include "cuda/device_call.hpp"
#include "cuda/shards/shard_leases.hpp"
#include "device/device_info.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/positions.hpp"

namespace sortie::cuda {
namespace {

struct ArgsortShardScratch {
  ArgsortShardScratch(KeyType type, std::size_t position_bytes, std::uint64_t count, std::size_t shard_count,
                      void* area = nullptr)
      : layout(area) {
    keys = layout.take<std::byte>(count * bytes_of(type));
    sort_bytes = sort_shards_scratch_bytes(type, position_bytes, count, shard_count);
    sort = layout.take<std::byte>(sort_bytes);
  }

  kernels::ScratchLayout layout;
  std::byte* keys;
  std::size_t sort_bytes;
  std::byte* sort;
};

/// Throws Refused unless all arrays, with the callers' scratch, are apart.
void require_argsort_arrays(std::span<const ArgsortShard> shards) {
  std::vector<std::string> names;
  names.reserve(3 * shards.size());
  std::vector<ArrayArgument> arrays;
  const auto named = [&](const char* what, std::size_t shard) {
    return names.emplace_back(std::string(what) + " of shard " + std::to_string(shard)).c_str();
  };
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const ArgsortShard& shard = shards[i];
    arrays.push_back(read_only(named("keys", i), shard.keys.data, shard.count * bytes_of(shard.keys.type)));
    arrays.push_back({named("positions", i), shard.positions.data, shard.count * shard.positions.bytes});
    if (shard.scratch.allocator() == nullptr) {
      arrays.push_back({named("scratch", i), shard.scratch.memory(), shard.scratch.bytes(), Access::kWrite, 1});
    }
  }
  require_arrays(arrays);
}

void require_argsort_shards(std::span<const ArgsortShard> shards) {
  require(!shards.empty(), "no shards: give at least one");
  require(shards.size() <= kMostShards, "there are more than 1024 shards: give fewer, larger ones");
  std::uint64_t count = 0;
  for (const ArgsortShard& shard : shards) {
    require_any_order(shard.keys.type);
    require_count(shard.count);
    require(shard.keys.type == shards[0].keys.type, "the keys of all shards must be of one type");
    require(shard.positions.bytes == shards[0].positions.bytes, "the positions of all shards must have one size");
    count += shard.count;
  }
  require_count(count);
  require_positions(shards[0].positions, count);
  for (const ArgsortShard& shard : shards) require_device(shard.device);
  require_argsort_arrays(shards);
}

void make_positions_from(std::uint64_t first, const ArgsortShard& shard) {
  if (shard.positions.bytes == 4) {
    kernels::fill_positions(static_cast<std::uint32_t*>(shard.positions.data), shard.count, shard.stream,
                            static_cast<std::uint32_t>(first));
  } else {
    kernels::fill_positions(static_cast<std::uint64_t*>(shard.positions.data), shard.count, shard.stream, first);
  }
}

/// The copy of the shard's keys with its positions, as sort_shards() takes them.
Shard shard_to_sort(const ArgsortShard& shard, const ArgsortShardScratch& scratch) {
  return {shard.device, Keys(scratch.keys, shard.keys.type),       Values(shard.positions.data, shard.positions.bytes),
          shard.count,  Scratch(scratch.sort, scratch.sort_bytes), shard.stream};
}

}  // namespace

std::size_t argsort_shards_scratch_bytes(KeyType key_type, std::size_t position_bytes, std::uint64_t count,
                                         std::size_t shard_count) noexcept {
  return ArgsortShardScratch(key_type, position_bytes, count, shard_count).layout.size_bytes();
}

Status argsort_shards(std::span<const ArgsortShard> shards, Order order) noexcept {
  return answer([&] {
    require_order(order);
    require_argsort_shards(shards);
    require_uncaptured_shards(shards);
    const KeptDevice kept;
    const auto scratch_of = [&](const ArgsortShard& shard, void* area) {
      return ArgsortShardScratch(shard.keys.type, shard.positions.bytes, shard.count, shards.size(), area);
    };
    ShardLeases leases;
    for (const ArgsortShard& shard : shards) leases.take(shard, scratch_of(shard, nullptr).layout.size_bytes());
    std::vector<Shard> copies;
    std::uint64_t first = 0;
    for (const ArgsortShard& shard : shards) {
      select_device(shard.device);
      const ArgsortShardScratch scratch = scratch_of(shard, leases.memory(copies.size()));
      copy_within_device(scratch.keys, shard.keys.data, shard.count * bytes_of(shard.keys.type), shard.stream);
      make_positions_from(first, shard);
      copies.push_back(shard_to_sort(shard, scratch));
      first += shard.count;
    }
    require_ok(sort_shards(copies, order));
  });
}

}  // namespace sortie::cuda

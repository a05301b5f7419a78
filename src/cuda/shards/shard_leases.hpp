// What calls with shards share: the scratch of all shards, taken on each shard's device before anything is launched,
// and given back there; and the check that their streams can be waited for.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <cuda_runtime_api.h>

#include <sortie/cuda/device_scratch.hpp>

#include "cuda/device_call.hpp"
#include "device/device_info.hpp"

namespace sortie::cuda {

/// Throws Refused if a stream of several shards is being captured.
template <class AnyShard>
void require_uncaptured_shards(std::span<const AnyShard> shards) {
  if (shards.size() < 2) return;
  for (const AnyShard& shard : shards) {
    require_uncaptured(shard.stream,
                       "several shards are waited for, and a stream of theirs is being captured into a "
                       "graph: sort them outside of it");
  }
}

class ShardLeases {
 public:
  ShardLeases() = default;
  ~ShardLeases() {
    for (Lease& lease : leases_) {
      static_cast<void>(cudaSetDevice(lease.device));
      lease.scratch.reset();
    }
  }
  ShardLeases(const ShardLeases&) = delete;
  ShardLeases& operator=(const ShardLeases&) = delete;

  /// Takes the next shard's scratch. Selects its device. Throws Refused.
  template <class AnyShard>
  void take(const AnyShard& shard, std::uint64_t bytes) {
    select_device(shard.device);
    const std::initializer_list<ArrayArgument> no_arrays;
    leases_.push_back({shard.device, std::make_unique<ScratchLease>(shard.scratch, bytes, no_arrays, shard.stream)});
  }

  void* memory(std::size_t shard) const { return leases_[shard].scratch->memory(); }

 private:
  struct Lease {
    int device;
    std::unique_ptr<ScratchLease> scratch;
  };
  std::vector<Lease> leases_;
};

}  // namespace sortie::cuda

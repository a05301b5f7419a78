// A sort of one array that is spread over several GPUs: each GPU ends with its range of the sorted whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <driver_types.h>

#include <sortie/cuda/device_arrays.hpp>
#include <sortie/cuda/device_scratch.hpp>
#include <sortie/cuda/status.hpp>

namespace sortie::cuda {

/// One GPU's items of an array.
struct Shard {
  int device = 0;  ///< CUDA's number; several shards may be on one device
  Keys keys;
  Values values;
  std::uint64_t count = 0;  ///< may differ from shard to shard, and may be 0
  Scratch scratch;          ///< memory of this device, or an allocator that gives such while the device is current
  cudaStream_t stream;      ///< of this device, and for this shard alone
};

/// There may be this many shards at most.
inline constexpr std::size_t kMostShards = 1024;

/// Scratch for each shard: that of radix_sort() of its `count` items, of floats by value and a copy of the keys, or the
/// items once more with what merge_lists() of `shard_count` lists takes, whichever is more; and at least 0.2 MB, with
/// hundreds of shards 1.5 MB.
std::size_t sort_shards_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count,
                                      std::size_t shard_count) noexcept;

/// Sorts the items of all shards as one array, in place: shard 0 ends with those that come first, shard 1 with the next
/// ones, and each has as many items as before. Stable: items with equal keys keep the order of shards, and within one
/// their order, floats by value without values too. Keys are of all types, floats in total order or by value, the same
/// in all shards, and so is the size of values, which is that of radix_sort(). The result depends on the items and
/// counts alone.
///
/// Every GPU sorts its shard. The host asks all of them for the ranks of some thousand values at a time, until it knows
/// where each shard must be cut: three or four times, and up to eight times where keys are equal or close to each
/// other. Every GPU copies the pieces of its range into its scratch, over the links between GPUs, all at the same time,
/// and merges them into its arrays. Keys of 8 and 16 bits are sorted again instead.
///
/// Returns when the sorts are done and the rest is queued: it waits for the streams, so it cannot be captured into a
/// graph, unless there is one shard. Results are ready in the order of each shard's stream; a shard's stream also waits
/// for others that read it. GPUs are given access to each other's memory where they can have it
/// (cudaDeviceEnablePeerAccess), and keep it; otherwise CUDA copies through host memory. The current device is the same
/// afterwards. If it fails with kCudaError, what the arrays hold is undefined; else they are as they were.
///
/// Shi and Schaeffer, "Parallel Sorting by Regular Sampling", 1992, with exact ranks in place of samples: Varman et
/// al., "Merging Multiple Lists on Hierarchical-Memory Multiprocessors", 1991.
Status sort_shards(std::span<const Shard> shards, Order order) noexcept;

/// One GPU's keys of an array, and room for as many positions.
struct ArgsortShard {
  int device = 0;  ///< CUDA's number; several shards may be on one device
  ConstKeys keys;
  Positions positions;
  std::uint64_t count = 0;  ///< may differ from shard to shard, and may be 0
  Scratch scratch;          ///< memory of this device, or an allocator that gives such while the device is current
  cudaStream_t stream;      ///< of this device, and for this shard alone
};

/// Scratch for each shard: a copy of its keys, and that of sort_shards() with positions of `position_bytes`, 4 or 8, as
/// values.
std::size_t argsort_shards_scratch_bytes(KeyType key_type, std::size_t position_bytes, std::uint64_t count,
                                         std::size_t shard_count) noexcept;

/// Sets the positions of all shards, taken as one array, to those of the items that come first, second, and so on, in
/// the keys of all shards, taken as one array; of items with equal keys the first comes first. Keys stay as they are,
/// and need no alignment. All else is as sort_shards() does it.
Status argsort_shards(std::span<const ArgsortShard> shards, Order order) noexcept;

}  // namespace sortie::cuda

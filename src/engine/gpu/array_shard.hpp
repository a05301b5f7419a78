// One GPU's share of an array that is sorted from host memory to host memory. Chunks are sorted as they
// arrive, and each is merged at once with all before it, so that when the last one is there, the sort of
// that one and one merge are all that is left to do.
//
//   upload stream   | chunk 0 | chunk 1         | chunk 2         | chunk 3 |
//   sort stream               | sort 0 |        | sort 1 | merge ||sort 2 | merge | ...
//
// The merges go to and fro between two arrays. A chunk is uploaded beside what it will be merged with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "device/arena.hpp"
#include "device/cuda_event.hpp"
#include "device/cuda_stream.hpp"
#include "engine/gpu/host_array_link.hpp"
#include "kernels/number_codec.hpp"
#include "kernels/sorted_ranks.hpp"

namespace sortie::gpu {

/// Every member but the constructor is called with the shard's device selected, by one thread at a time.
class ArrayShard {
 public:
  /// Selects `device` and carves the arena, which is that device's. `capacity`: numbers that it may hold at any time.
  ArrayShard(int device, Arena& arena, const kernels::NumberOrder& order, std::uint64_t capacity, unsigned sequences,
             HostArrayLink& link);
  /// Waits for the work in flight.
  ~ArrayShard();
  ArrayShard(const ArrayShard&) = delete;
  ArrayShard& operator=(const ArrayShard&) = delete;

  int device() const { return device_; }
  std::uint64_t count() const { return count_; }
  /// The numbers' codes, in order once sort() is done; and as much room beside them.
  std::byte* codes() const { return arrays_[side_]; }
  std::byte* room() const { return arrays_[1 - side_]; }
  const CudaStream& stream() const { return sort_stream_; }

  /// Queues upload and sort of `numbers`.
  void sort(std::span<const std::byte> numbers);

  /// Queues the search for the values' ranks among the codes.
  void find_ranks(const std::uint64_t* values, unsigned value_count, kernels::SortedRank* ranks);

  /// Takes the sorted sequences that lie side by side in room(), the i-th of [bounds[i], bounds[i + 1]), for its share
  /// from now on, and queues their merge. What it had is overwritten.
  void adopt(std::span<const std::uint64_t> bounds);

  /// Queues the decoding and download of the whole share; done when finish() returns.
  void download(std::span<std::byte> numbers);
  void finish();

 private:
  struct Chunk {
    std::uint64_t begin;
    std::uint64_t end;
  };
  void sort_chunk(std::size_t index, const Chunk& chunk);
  void merge(std::span<const std::uint64_t> bounds);

  int device_;
  kernels::NumberOrder order_;
  HostArrayLink& link_;
  std::byte* arrays_[2];
  std::byte* scratch_;
  std::uint64_t* offsets_;  ///< of the sequences of the merges: those of each one behind those before it
  std::uint64_t* next_offsets_;
  unsigned side_ = 0;
  std::uint64_t count_ = 0;
  CudaStream upload_stream_;
  CudaStream sort_stream_;
  CudaStream download_stream_;
  std::vector<CudaEvent> events_;                   ///< one for each chunk and part in flight
  std::vector<std::vector<std::uint64_t>> bounds_;  ///< that copies in flight read
};

}  // namespace sortie::gpu

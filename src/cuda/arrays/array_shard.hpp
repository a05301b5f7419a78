// One GPU's share of an array that is sorted from host memory to host memory. Chunks are sorted as they
// arrive, and each is merged at once with all before it, so that when the last one is there, the sort of
// that one and one merge are all that is left to do. The way back begins as soon as the first part is ready.
//
//   upload stream    | chunk 0 | chunk 1         | chunk 2         | chunk 3 |
//   sort stream                | sort 0 |        | sort 1 | merge ||sort 2 | merge | ...
//
//   gather stream    | part 0 from the other GPUs | part 1 | part 2 | ...
//   sort stream                                   | merge 0 | merge 1 | ...
//   download stream                                         | part 0 | part 1 | ...
//
// After its merge a part is also packed for the link, if the host has threads enough to unpack it.
//
// The merges of chunks alternate between two arrays. A chunk is uploaded beside what it will be merged with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "cuda/arrays/array_download.hpp"
#include "cuda/arrays/host_array_link.hpp"
#include "device/cuda_stream.hpp"
#include "device/device_memory.hpp"
#include "kernels/number_codec.hpp"
#include "kernels/sorted_ranks.hpp"

namespace sortie::cuda {

/// Every member but the constructor is called with the shard's device selected, by one thread at a time.
class ArrayShard {
 public:
  /// Selects `device` and carves the arena, which is that device's and has array_device_bytes(). `capacity`: most
  /// numbers that it may hold. `sequences`: most sequences that gather_part() merges.
  ArrayShard(int device, Arena& arena, const kernels::NumberOrder& order, std::uint64_t capacity, unsigned sequences,
             HostArrayLink& link);
  /// Waits for the work in flight.
  ~ArrayShard();
  ArrayShard(const ArrayShard&) = delete;
  ArrayShard& operator=(const ArrayShard&) = delete;

  int device() const { return device_; }
  std::uint64_t count() const { return count_; }
  /// The numbers' codes, in order once sort() is done.
  std::byte* codes() const { return arrays_[side_]; }
  const CudaStream& stream() const { return sort_stream_; }

  /// Queues upload and sort of `numbers`.
  void sort(std::span<const std::byte> numbers);

  /// Queues the search for the values' ranks among the codes.
  void find_ranks(const std::uint64_t* values, unsigned value_count, kernels::SortedRank* ranks);

  /// Part `index` of the numbers that go back: [begin, end) of these.
  struct Part {
    std::size_t index;
    std::uint64_t begin;
    std::uint64_t end;
  };
  /// Where the codes of a part will be, and as much room again, which is free until they are on their way.
  struct PartBuffers {
    std::byte* codes;
    std::byte* room;
  };
  /// Queues in stream() the work that makes the codes of a part: own_part() if they are all here, or gather_part().
  using PartMaker = std::function<PartBuffers(const Part& part)>;

  /// Decodes and downloads `numbers` in parts of array_part(capacity). Returns when they have arrived.
  void download(std::span<std::byte> numbers, const PartMaker& make_part);

  PartBuffers own_part(const Part& part) const {
    return {codes() + part.begin * order_.bytes, room() + part.begin * order_.bytes};
  }

  /// Codes [begin, end) of a shard, which are in order and stay as they are.
  struct Sequence {
    const ArrayShard* shard;
    std::uint64_t begin;
    std::uint64_t end;
  };
  /// Queues the copies of the sequences, which make up the part, to this GPU, and their merge.
  PartBuffers gather_part(const Part& part, std::span<const Sequence> sequences);

 private:
  struct Chunk {
    std::uint64_t begin;
    std::uint64_t end;
  };
  void sort_chunk(std::size_t index, const Chunk& chunk);
  void merge(std::byte* codes, std::byte* room, std::span<const std::uint64_t> bounds);
  DevicePart prepare(const Part& part, const PartBuffers& buffers);
  std::byte* room() const { return arrays_[1 - side_]; }

  int device_;
  kernels::NumberOrder order_;
  std::uint64_t part_count_;  ///< numbers in a part
  HostArrayLink& link_;
  std::byte* arrays_[2];
  std::byte* merged_parts_[2] = {};  ///< for parts in turn; null if nothing is gathered
  std::byte* scratch_;               ///< for the kernels of sort_stream_, which take turns
  std::uint64_t* next_offsets_;      ///< room for the offsets of the next merge's sequences
  unsigned side_ = 0;
  std::uint64_t count_ = 0;
  CudaStream upload_stream_;
  CudaStream gather_stream_;
  CudaStream sort_stream_;
  CudaStream download_stream_;
  std::deque<CudaEvent> events_;                    ///< one for each chunk and part in flight
  std::deque<CudaEvent> downloaded_;                ///< one for each part
  std::vector<std::vector<std::uint64_t>> bounds_;  ///< read by copies in flight
};

}  // namespace sortie::cuda

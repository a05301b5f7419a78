#include "engine/gpu/array_shard.hpp"

#include <algorithm>
#include <cassert>

#include "base/size.hpp"
#include "device/copy.hpp"
#include "device/device_info.hpp"
#include "engine/gpu/array_plan.hpp"
#include "engine/gpu/device_chunk_sort.hpp"
#include "engine/gpu/device_plan.hpp"
#include "kernels/merge.hpp"

namespace sortie::gpu {
namespace {

/// Of the download: the first one must be decoded before the link has anything to do.
constexpr std::uint64_t kDownloadParts = 16;

/// Calls `use` with the array as one of unsigned integers as long as its numbers.
template <class Use>
void as_codes(std::byte* array, unsigned number_bytes, const Use& use) {
  if (number_bytes == 4) {
    use(reinterpret_cast<std::uint32_t*>(array));
  } else {
    use(reinterpret_cast<std::uint64_t*>(array));
  }
}

}  // namespace

ArrayShard::ArrayShard(int device, Arena& arena, const kernels::NumberOrder& order, std::uint64_t capacity,
                       unsigned sequences, HostArrayLink& link)
    : device_(device), order_(order), link_(link) {
  arena.clear();
  for (std::byte*& array : arrays_) array = arena.carve(capacity * order.bytes);
  scratch_ = arena.carve(array_scratch_bytes(capacity, sequences));
  offsets_ = reinterpret_cast<std::uint64_t*>(arena.carve(arena.capacity_bytes() - arena.used_bytes()));
  next_offsets_ = offsets_;
}

ArrayShard::~ArrayShard() {
  upload_stream_.settle();
  sort_stream_.settle();
  download_stream_.settle();
}

void ArrayShard::sort(std::span<const std::byte> numbers) {
  count_ = numbers.size() / order_.bytes;
  const std::uint64_t chunk_count = array_chunk(count_);
  std::size_t index = 0;
  for (std::uint64_t begin = 0; begin < count_; begin += chunk_count, ++index) {
    const Chunk chunk{begin, std::min(begin + chunk_count, count_)};
    link_.upload(numbers.subspan(chunk.begin * order_.bytes, (chunk.end - chunk.begin) * order_.bytes),
                 codes() + chunk.begin * order_.bytes, upload_stream_);
    events_.emplace_back().record(upload_stream_);
    sort_stream_.wait_for(events_.back());
    sort_chunk(index, chunk);
  }
}

void ArrayShard::sort_chunk(std::size_t index, const Chunk& chunk) {
  const std::uint64_t count = chunk.end - chunk.begin;
  const std::uint64_t first_byte = chunk.begin * order_.bytes;
  kernels::encode_numbers(order_, codes() + first_byte, count, sort_stream_.handle());
  as_codes(codes() + first_byte, order_.bytes, [&]<class Code>(Code* chunk_codes) {
    gpu::sort_chunk(Algorithm::kRadix, chunk_codes, reinterpret_cast<Code*>(room() + first_byte), count, scratch_,
                    sort_stream_);
  });
  if (index == 0) return;
  const std::uint64_t bounds[] = {0, chunk.begin, chunk.end};
  merge(bounds);
}

void ArrayShard::merge(std::span<const std::uint64_t> bounds) {
  bounds_.emplace_back(bounds.begin(), bounds.end());
  copy_to_device(next_offsets_, bounds_.back().data(), bounds.size_bytes(), sort_stream_);
  const kernels::SortedSequences sequences{next_offsets_, static_cast<std::uint32_t>(bounds.size() - 1), bounds.back()};
  next_offsets_ += bounds.size();
  as_codes(codes(), order_.bytes, [&]<class Code>(Code* codes) {
    kernels::merge_rounds(codes, reinterpret_cast<Code*>(room()), sequences, scratch_, sort_stream_.handle());
  });
  if (kernels::merge_result(sequences.sequence_count) == kernels::MergeResult::kAlternate) side_ = 1 - side_;
}

void ArrayShard::find_ranks(const std::uint64_t* values, unsigned value_count, kernels::SortedRank* ranks) {
  as_codes(codes(), order_.bytes, [&](const auto* codes) {
    kernels::find_ranks(codes, count_, values, value_count, ranks, sort_stream_.handle());
  });
}

void ArrayShard::adopt(std::span<const std::uint64_t> bounds) {
  side_ = 1 - side_;
  count_ = bounds.back();
  if (count_ > 0) merge(bounds);
}

void ArrayShard::download(std::span<std::byte> numbers) {
  assert(numbers.size() == count_ * order_.bytes);
  const std::uint64_t part_bytes = round_up(divide_up(count_, kDownloadParts), kChunkAlignment) * order_.bytes;
  const auto part = [&](std::uint64_t begin) {
    return numbers.subspan(begin, std::min(part_bytes, numbers.size() - begin));
  };
  std::size_t event = events_.size();
  for (std::uint64_t begin = 0; begin < numbers.size(); begin += part_bytes) {
    kernels::decode_numbers(order_, codes() + begin, part(begin).size() / order_.bytes, sort_stream_.handle());
    events_.emplace_back().record(sort_stream_);
  }
  for (std::uint64_t begin = 0; begin < numbers.size(); begin += part_bytes, ++event) {
    download_stream_.wait_for(events_[event]);
    link_.download(codes() + begin, part(begin), download_stream_);
  }
}

void ArrayShard::finish() {
  download_stream_.synchronize();
  sort_stream_.synchronize();
}

}  // namespace sortie::gpu

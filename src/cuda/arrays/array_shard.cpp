#include "cuda/arrays/array_shard.hpp"

#include <algorithm>

#include "base/size.hpp"
#include "cuda/arrays/array_plan.hpp"
#include "device/copy.hpp"
#include "device/device_info.hpp"
#include "kernels/merge.hpp"
#include "kernels/pack_sorted.hpp"
#include "kernels/radix_sort.hpp"

namespace sortie::cuda {
namespace {

/// Calls `use` with the array as an array of unsigned integers of its numbers' size.
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
    : device_(device), order_(order), part_count_(array_part(capacity)), link_(link) {
  arena.clear();
  for (std::byte*& array : arrays_) array = arena.carve(capacity * order.bytes);
  if (sequences > 1) {
    for (std::byte*& part : merged_parts_) part = arena.carve(part_count_ * order.bytes);
  }
  scratch_ = arena.carve(array_scratch_bytes(capacity, sequences));
  next_offsets_ = reinterpret_cast<std::uint64_t*>(arena.carve(arena.capacity_bytes() - arena.used_bytes()));
}

ArrayShard::~ArrayShard() {
  upload_stream_.settle();
  gather_stream_.settle();
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
    kernels::radix_sort_keys(chunk_codes, reinterpret_cast<Code*>(room() + first_byte), count,
                             kernels::SortOrder::kAscending, scratch_, sort_stream_.handle());
  });
  if (index == 0) return;
  const std::uint64_t bounds[] = {0, chunk.begin, chunk.end};
  merge(codes(), room(), bounds);
  if (kernels::merge_result(2) == kernels::MergeResult::kAlternate) side_ = 1 - side_;
}

void ArrayShard::merge(std::byte* codes, std::byte* room, std::span<const std::uint64_t> bounds) {
  bounds_.emplace_back(bounds.begin(), bounds.end());
  copy_to_device(next_offsets_, bounds_.back().data(), bounds.size_bytes(), sort_stream_);
  const kernels::SortedSequences sequences{next_offsets_, static_cast<std::uint32_t>(bounds.size() - 1), bounds.back()};
  next_offsets_ += bounds.size();
  as_codes(codes, order_.bytes, [&]<class Code>(Code* primary) {
    kernels::merge_sequences(primary, reinterpret_cast<Code*>(room), sequences, scratch_, sort_stream_.handle());
  });
}

void ArrayShard::find_ranks(const std::uint64_t* values, unsigned value_count, kernels::SortedRank* ranks) {
  const kernels::RowOrder codes_order{{FieldKind::kUnsigned, order_.bytes, false}};
  kernels::find_ranks(codes_order, codes(), count_, values, value_count, ranks, sort_stream_.handle());
}

/// Copies the sequences into room(), where nothing is needed any more, and merges them there and in merged_parts_ in
/// turn, from which the part before the last may still be on its way to the host.
ArrayShard::PartBuffers ArrayShard::gather_part(const Part& part, std::span<const Sequence> sequences) {
  std::byte* const gathered = room() + part.begin * order_.bytes;
  std::byte* const merged = merged_parts_[part.index % 2];
  std::vector<std::uint64_t> bounds = {0};
  for (const Sequence& sequence : sequences) {
    copy_between_devices({device_, gathered + bounds.back() * order_.bytes},
                         {sequence.shard->device(), sequence.shard->codes() + sequence.begin * order_.bytes},
                         (sequence.end - sequence.begin) * order_.bytes, gather_stream_.handle());
    bounds.push_back(bounds.back() + sequence.end - sequence.begin);
  }
  events_.emplace_back().record(gather_stream_);
  sort_stream_.wait_for(events_.back());
  if (part.index >= 2) sort_stream_.wait_for(downloaded_[part.index - 2]);
  merge(gathered, merged, bounds);
  const bool is_aside =
      kernels::merge_result(static_cast<std::uint32_t>(sequences.size())) == kernels::MergeResult::kAlternate;
  return is_aside ? PartBuffers{merged, gathered} : PartBuffers{gathered, merged};
}

/// Packs the codes first, because they ascend, and then decodes them in place.
DevicePart ArrayShard::prepare(const Part& part, const PartBuffers& buffers) {
  const std::uint64_t count = part.end - part.begin;
  DevicePart prepared{buffers.codes, nullptr, {}};
  if (link_.unpacks()) {
    const std::uint64_t piece_codes = kDownloadPieceBytes / order_.bytes;
    const std::uint64_t pieces = divide_up(part_count_, piece_codes);
    const std::span<std::uint32_t> lines = link_.line_memory(pieces).subspan(part.index % 2 * pieces, pieces);
    auto* const device_lines = reinterpret_cast<std::uint32_t*>(scratch_);
    as_codes(buffers.codes, order_.bytes, [&](const auto* codes) {
      kernels::pack_sorted(codes, count, piece_codes, buffers.room, device_lines, sort_stream_.handle());
    });
    prepared.packed = buffers.room;
    prepared.lines = lines.first(divide_up(count, piece_codes));
    copy_to_host(lines.data(), device_lines, prepared.lines.size_bytes(), sort_stream_);
  }
  kernels::decode_numbers(order_, buffers.codes, count, sort_stream_.handle());
  return prepared;
}

/// Makes each part while the one before is on its way, so that the GPU has work meanwhile.
void ArrayShard::download(std::span<std::byte> numbers, const PartMaker& make_part) {
  const std::uint64_t count = numbers.size() / order_.bytes;
  struct MadePart {
    DevicePart device;
    const CudaEvent* ready;
  };
  MadePart made[2] = {};
  const auto part_at = [&](std::size_t index) {
    const std::uint64_t begin = index * part_count_;
    return Part{index, begin, std::min(begin + part_count_, count)};
  };
  const auto make = [&](const Part& part) {
    const DevicePart prepared = prepare(part, make_part(part));
    events_.emplace_back().record(sort_stream_);
    made[part.index % 2] = {prepared, &events_.back()};
  };
  ArrayDownload way(order_, numbers, link_, device_, download_stream_);
  if (count > 0) make(part_at(0));
  for (std::size_t index = 0; index * part_count_ < count; ++index) {
    const Part part = part_at(index);
    if (part.end < count) make(part_at(index + 1));
    made[index % 2].ready->synchronize();
    way.send(made[index % 2].device, part.end - part.begin);
    downloaded_.emplace_back().record(download_stream_);
  }
  way.finish();
}

}  // namespace sortie::cuda

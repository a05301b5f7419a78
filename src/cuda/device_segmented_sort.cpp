#include <sortie/cuda/device_segmented_sort.hpp>

#include <algorithm>
#include <bit>
#include <initializer_list>

#include <sortie/cuda/device_radix_sort.hpp>

#include "cuda/device_call.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/records.hpp"
#include "kernels/segments.hpp"

namespace sortie::cuda {
namespace {

/// The positions of items in order, their segments, copies of what is gathered, and scratch of both sorts in turn.
struct SegmentScratch {
  SegmentScratch(KeyType type, std::size_t value_bytes, std::uint64_t count, void* area = nullptr)
      : layout(area),
        sort_bytes(std::max(argsort_scratch_bytes(type, sizeof(std::uint32_t), count),
                            radix_sort_scratch_bytes(KeyType::kUint32, sizeof(std::uint32_t), count))) {
    positions = layout.take<std::uint32_t>(count);
    segments = layout.take<std::uint32_t>(count);
    copied = layout.take<std::byte>(count * std::max(bytes_of(type), value_bytes));
    sort = layout.take<std::byte>(sort_bytes);
  }

  Scratch sort_scratch() const { return {sort, sort_bytes}; }

  kernels::ScratchLayout layout;
  std::uint64_t sort_bytes;
  std::uint32_t* positions;
  std::uint32_t* segments;
  std::byte* copied;
  std::byte* sort;
};

void sort_by_segment(const Segments& segments, std::uint64_t count, const SegmentScratch& scratch,
                     cudaStream_t stream) {
  kernels::find_segments(scratch.positions, count, segments.offsets, segments.segment_count, scratch.segments, stream);
  const auto bits = static_cast<unsigned>(std::bit_width(segments.segment_count - 1));
  require_ok(radix_sort_by_bits(scratch.segments, scratch.positions, count, {0, bits}, scratch.sort_scratch(), stream));
}

/// Brings the items of an array into the order of their positions.
void gather_in_place(void* items, std::size_t item_bytes, std::uint64_t count, const SegmentScratch& scratch,
                     cudaStream_t stream) {
  if (item_bytes == 0) return;
  copy_within_device(scratch.copied, items, count * item_bytes, stream);
  kernels::gather_fixed(scratch.copied, item_bytes, scratch.positions, count, static_cast<std::byte*>(items), stream);
}

}  // namespace

std::size_t segmented_sort_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count) noexcept {
  return SegmentScratch(key_type, value_bytes, count).layout.size_bytes();
}

Status segmented_sort(Keys keys, Values values, std::uint64_t count, const Segments& segments, Order order,
                      Scratch scratch, cudaStream_t stream) noexcept {
  return answer([&] {
    require_type(keys.type);
    require_order(order);
    require(count <= std::uint64_t{1} << 32, "more than 2^32 items in segments: sort them in parts");
    require(values.bytes <= kMostValueBytes, "values of so many bytes: at most 65536; sort positions in their place");
    require(segments.segment_count != 0 || count == 0, "no segments, but items: say how many segments there are");
    const std::uint64_t offset_bytes = (std::uint64_t{segments.segment_count} + 1) * sizeof(std::uint64_t);
    const std::initializer_list<ArrayArgument> arrays{
        {"keys", keys.data, count * bytes_of(keys.type), Access::kWrite, static_cast<unsigned>(bytes_of(keys.type))},
        {"values", values.data, count * values.bytes, Access::kWrite, 1},
        read_only("offsets", segments.offsets, count == 0 ? 0 : offset_bytes, sizeof(std::uint64_t))};
    require_arrays(arrays);
    if (count == 0) return;
    const ScratchLease lease(scratch, segmented_sort_scratch_bytes(keys.type, values.bytes, count), arrays, stream);
    const SegmentScratch areas(keys.type, values.bytes, count, lease.memory());
    require_ok(argsort(keys, areas.positions, count, order, areas.sort_scratch(), stream));
    if (segments.segment_count > 1) sort_by_segment(segments, count, areas, stream);
    gather_in_place(keys.data, bytes_of(keys.type), count, areas, stream);
    gather_in_place(values.data, values.bytes, count, areas, stream);
  });
}

}  // namespace sortie::cuda

#include <sortie/cuda/device_segmented_sort.hpp>

#include <algorithm>
#include <bit>
#include <initializer_list>

#include <sortie/cuda/device_radix_sort.hpp>

#include "cuda/device_call.hpp"
#include "cuda/value_moves.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/records.hpp"
#include "kernels/segments.hpp"

namespace sortie::cuda {
namespace {

/// Whether segment and key fit into 64 bits together: then one sort by both does.
bool composes(KeyType type) { return bytes_of(type) <= 4; }

unsigned segment_bits(const Segments& segments) {
  return static_cast<unsigned>(std::bit_width(segments.segment_count - 1));
}

/// Scratch of a sort by segment and key together.
struct ComposedScratch {
  ComposedScratch(std::size_t value_bytes, std::uint64_t count, void* area = nullptr)
      : layout(area), sort_bytes(radix_sort_scratch_bytes(KeyType::kUint64, value_bytes, count)) {
    composed = layout.take<std::uint64_t>(count);
    sort = layout.take<std::byte>(sort_bytes);
  }

  kernels::ScratchLayout layout;
  std::uint64_t sort_bytes;
  std::uint64_t* composed;
  std::byte* sort;
};

template <class Bits, class Codec>
void sort_composed(const Keys& keys, const Values& values, std::uint64_t count, const Segments& segments,
                   const Codec& codec, const ComposedScratch& scratch, cudaStream_t stream) {
  auto* const bits = static_cast<Bits*>(keys.data);
  kernels::compose_segment_keys(bits, count, codec, segments.offsets, segments.segment_count, scratch.composed, stream);
  const KeyBits sorted_bits{0, static_cast<unsigned>(8 * sizeof(Bits)) + segment_bits(segments)};
  require_ok(radix_sort_by_bits(scratch.composed, values, count, sorted_bits, Scratch(scratch.sort, scratch.sort_bytes),
                                stream));
  kernels::take_segment_keys(scratch.composed, count, codec, bits, stream);
}

void sort_short_keys(const Keys& keys, const Values& values, std::uint64_t count, const Segments& segments, Order order,
                     const ComposedScratch& scratch, cudaStream_t stream) {
  if (bytes_of(keys.type) == 4) {
    return with_wide_keys(keys, [&]<class Key>(Key* /*keys*/) {
      if constexpr (sizeof(Key) == 4) {
        sort_composed<std::uint32_t>(keys, values, count, segments, kernels::codec_of<Key>(kernel_order(order)),
                                     scratch, stream);
      }
    });
  }
  const kernels::NumberOrder number = short_number_order(keys.type, order);
  if (number.bytes == 1) {
    const auto codec = kernels::make_short_codec<std::uint8_t>(number.kind, number.descending);
    sort_composed<std::uint8_t>(keys, values, count, segments, codec, scratch, stream);
  } else {
    const auto codec = kernels::make_short_codec<std::uint16_t>(number.kind, number.descending);
    sort_composed<std::uint16_t>(keys, values, count, segments, codec, scratch, stream);
  }
}

/// Scratch of sorts by key, then by segment: the positions of items in order, their segments, copies of what is
/// gathered, and scratch of both sorts in turn.
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
  require_ok(radix_sort_by_bits(scratch.segments, scratch.positions, count, {0, segment_bits(segments)},
                                scratch.sort_scratch(), stream));
}

/// Brings the items of an array into the order of their positions.
void gather_in_place(void* items, std::size_t item_bytes, std::uint64_t count, const SegmentScratch& scratch,
                     cudaStream_t stream) {
  if (item_bytes == 0) return;
  copy_within_device(scratch.copied, items, count * item_bytes, stream);
  kernels::gather_fixed(scratch.copied, item_bytes, scratch.positions, count, static_cast<std::byte*>(items), stream);
}

void sort_long_keys(const Keys& keys, const Values& values, std::uint64_t count, const Segments& segments, Order order,
                    const SegmentScratch& scratch, cudaStream_t stream) {
  require_ok(argsort(keys, scratch.positions, count, order, scratch.sort_scratch(), stream));
  if (segments.segment_count > 1) sort_by_segment(segments, count, scratch, stream);
  gather_in_place(keys.data, bytes_of(keys.type), count, scratch, stream);
  gather_in_place(values.data, values.bytes, count, scratch, stream);
}

}  // namespace

std::size_t segmented_sort_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count) noexcept {
  if (composes(key_type)) return ComposedScratch(value_bytes, count).layout.size_bytes();
  return SegmentScratch(key_type, value_bytes, count).layout.size_bytes();
}

Status segmented_sort(Keys keys, Values values, std::uint64_t count, const Segments& segments, Order order,
                      Scratch scratch, cudaStream_t stream) noexcept {
  return answer([&] {
    require_type(keys.type);
    require_order(order);
    require_count(count);
    require_values(values.bytes, count);
    require(composes(keys.type) || count <= std::uint64_t{1} << 32,
            "more than 2^32 keys of 64 bits in segments: sort them in parts");
    require(segments.segment_count != 0 || count == 0, "no segments, but items: say how many segments there are");
    const std::uint64_t offset_bytes = (std::uint64_t{segments.segment_count} + 1) * sizeof(std::uint64_t);
    const std::initializer_list<ArrayArgument> arrays{
        {"keys", keys.data, count * bytes_of(keys.type), Access::kWrite, static_cast<unsigned>(bytes_of(keys.type))},
        {"values", values.data, count * values.bytes, Access::kWrite, value_alignment(values.bytes)},
        read_only("offsets", segments.offsets, count == 0 ? 0 : offset_bytes, sizeof(std::uint64_t))};
    require_arrays(arrays);
    if (count == 0) return;
    const ScratchLease lease(scratch, segmented_sort_scratch_bytes(keys.type, values.bytes, count), arrays, stream);
    if (composes(keys.type)) {
      sort_short_keys(keys, values, count, segments, order, ComposedScratch(values.bytes, count, lease.memory()),
                      stream);
    } else {
      const SegmentScratch areas(keys.type, values.bytes, count, lease.memory());
      sort_long_keys(keys, values, count, segments, order, areas, stream);
    }
  });
}

}  // namespace sortie::cuda

#include <sortie/cuda/device_segmented_sort.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include <sortie/cuda/device_radix_sort.hpp>

#include "cuda/device_call.hpp"
#include "cuda/float_order.hpp"
#include "cuda/value_moves.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/positions.hpp"
#include "kernels/row_sort.hpp"
#include "kernels/segment_keys.hpp"
#include "kernels/segmented_sort.hpp"

namespace sortie::cuda {
namespace {

/// Whether keys are sorted behind the number of their segment, both in 64 bits: short keys, and arrays too long for
/// kernels::segmented_sort().
bool composes(KeyType type, std::uint64_t count) {
  return bytes_of(type) < 4 || (bytes_of(type) == 4 && count > kernels::kMostSegmentItems);
}

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

void sort_composed(const Keys& keys, const Values& values, std::uint64_t count, const Segments& segments, Order order,
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

SortScratch segment_scratch(KeyType type, std::size_t value_bytes, std::uint64_t count, void* area = nullptr) {
  const std::size_t moved_bytes = moves_positions(value_bytes) ? sizeof(std::uint32_t) : value_bytes;
  return {bytes_of(type), value_bytes, count, kernels::segmented_sort_scratch_bytes(bytes_of(type), moved_bytes, count),
          area};
}

void sort_wide_keys(const Keys& keys, const Values& values, std::uint64_t count, const Segments& segments, Order order,
                    const SortScratch& scratch, cudaStream_t stream) {
  sort_with_values(values, count, scratch, stream, [&](auto* typed_values, auto* alternate_values) {
    with_wide_keys(keys, [&]<class Key>(Key* typed_keys) {
      kernels::segmented_sort(typed_keys, reinterpret_cast<Key*>(scratch.alternate_keys), typed_values,
                              alternate_values, count, {segments.offsets, segments.segment_count}, kernel_order(order),
                              scratch.kernel, stream);
    });
  });
}

/// Whether radix_sort() does all that is to be done, and takes the keys where they are.
bool is_plain_sort(const Keys& keys, const Segments& segments) {
  return segments.segment_count == 1 && reinterpret_cast<std::uintptr_t>(keys.data) % 16 == 0;
}

void sort_segments(const Keys& keys, const Values& values, std::uint64_t count, const Segments& segments, Order order,
                   const Scratch& scratch, cudaStream_t stream) {
  if (is_plain_sort(keys, segments)) {
    require_ok(radix_sort(keys, values, count, order, scratch, stream));
  } else if (composes(keys.type, count)) {
    sort_composed(keys, values, count, segments, order, ComposedScratch(values.bytes, count, scratch.memory()), stream);
  } else {
    sort_wide_keys(keys, values, count, segments, order,
                   segment_scratch(keys.type, values.bytes, count, scratch.memory()), stream);
  }
}

ByValueScratch by_value_scratch(KeyType type, std::size_t value_bytes, std::uint64_t count, void* area = nullptr) {
  return {type, count, segmented_sort_scratch_bytes(in_total_order(type), value_bytes, count), area};
}

/// Scratch of rows that are not short.
struct LongRowScratch {
  LongRowScratch(KeyType type, std::size_t place_bytes, const Rows& rows, void* area = nullptr)
      : layout(area), sort_bytes(segmented_sort_scratch_bytes(type, place_bytes, rows.row_count * rows.row_items)) {
    offsets = layout.take<std::uint64_t>(rows.row_count + 1);
    sort = layout.take<std::byte>(sort_bytes);
  }

  kernels::ScratchLayout layout;
  std::uint64_t sort_bytes;
  std::uint64_t* offsets;
  std::byte* sort;
};

bool are_short(const Rows& rows) { return rows.row_items <= kMostItemsOfShortRow; }

/// Places in long rows are values of a segmented sort.
unsigned place_alignment(std::size_t place_bytes, const Rows& rows) {
  return are_short(rows) ? static_cast<unsigned>(place_bytes) : value_alignment(place_bytes);
}

void sort_long_rows(const ConstKeys& keys, const Keys& sorted_keys, const Positions& places, const Rows& rows,
                    Order order, const LongRowScratch& scratch, cudaStream_t stream) {
  const std::uint64_t count = rows.row_count * rows.row_items;
  if (keys.data != sorted_keys.data) {
    copy_within_device(sorted_keys.data, keys.data, count * bytes_of(keys.type), stream);
  }
  kernels::fill_row_offsets(rows.row_count, rows.row_items, scratch.offsets, stream);
  if (places.bytes == 4) {
    kernels::fill_places(static_cast<std::uint32_t*>(places.data), rows.row_count, rows.row_items, stream);
  } else if (places.bytes == 8) {
    kernels::fill_places(static_cast<std::uint64_t*>(places.data), rows.row_count, rows.row_items, stream);
  }
  require_ok(segmented_sort(sorted_keys, Values(places.data, places.bytes), count,
                            {scratch.offsets, static_cast<std::uint32_t>(rows.row_count)}, order,
                            Scratch(scratch.sort, scratch.sort_bytes), stream));
}

void require_rows(const Rows& rows) {
  require(rows.row_count <= std::numeric_limits<std::uint32_t>::max(), "2^32 or more rows: sort them in parts");
  require(rows.row_items == 0 || rows.row_count <= kMostItems / rows.row_items,
          "more items than can be sorted: sort the rows in parts");
}

}  // namespace

static_assert(kMostItemsOfShortRow == kernels::kMostRowItems);

std::size_t segmented_sort_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count) noexcept {
  if (is_by_value(key_type)) return by_value_scratch(key_type, value_bytes, count).layout.size_bytes();
  const std::size_t plain_bytes = radix_sort_scratch_bytes(key_type, value_bytes, count);
  const std::size_t segmented_bytes = composes(key_type, count)
                                          ? ComposedScratch(value_bytes, count).layout.size_bytes()
                                          : segment_scratch(key_type, value_bytes, count).layout.size_bytes();
  return std::max(plain_bytes, segmented_bytes);
}

Status segmented_sort(Keys keys, Values values, std::uint64_t count, const Segments& segments, Order order,
                      Scratch scratch, cudaStream_t stream) noexcept {
  return answer([&] {
    require_any_order(keys.type);
    require_order(order);
    require_segmented_count(keys.type, count);
    require_values(values.bytes, count);
    require(segments.segment_count != 0 || count == 0, "no segments, but items: say how many segments there are");
    const std::uint64_t offset_bytes = (std::uint64_t{segments.segment_count} + 1) * sizeof(std::uint64_t);
    const std::initializer_list<ArrayArgument> arrays{
        {"keys", keys.data, count * bytes_of(keys.type), Access::kWrite, static_cast<unsigned>(bytes_of(keys.type))},
        {"values", values.data, count * values.bytes, Access::kWrite, value_alignment(values.bytes)},
        read_only("offsets", segments.offsets, count == 0 ? 0 : offset_bytes, sizeof(std::uint64_t))};
    require_arrays(arrays);
    if (count == 0) return;
    const std::size_t scratch_bytes = segmented_sort_scratch_bytes(keys.type, values.bytes, count);
    const ScratchLease lease(scratch, scratch_bytes, arrays, stream);
    if (!is_by_value(keys.type)) {
      return sort_segments(keys, values, count, segments, order, Scratch(lease.memory(), scratch_bytes), stream);
    }
    sort_by_value(keys, count, by_value_scratch(keys.type, values.bytes, count, lease.memory()), stream,
                  [&](const Keys& ordered, const Scratch& sort) {
                    sort_segments(ordered, values, count, segments, order, sort, stream);
                  });
  });
}

std::size_t sort_rows_scratch_bytes(KeyType key_type, std::size_t place_bytes, const Rows& rows) noexcept {
  return are_short(rows) ? 0 : LongRowScratch(key_type, place_bytes, rows).layout.size_bytes();
}

Status sort_rows(ConstKeys keys, Keys sorted_keys, Positions places, const Rows& rows, Order order, Scratch scratch,
                 cudaStream_t stream) noexcept {
  return answer([&] {
    require_any_order(keys.type);
    require_order(order);
    require(keys.type == sorted_keys.type, "keys and sorted keys are of different types");
    require(places.bytes == 0 || places.bytes == 4 || places.bytes == 8, "places have 4 or 8 bytes, or none");
    require_rows(rows);
    const std::uint64_t count = rows.row_count * rows.row_items;
    if (!are_short(rows)) require_segmented_count(keys.type, count);
    const auto key_bytes = static_cast<unsigned>(bytes_of(keys.type));
    const bool in_place = count > 0 && keys.data == sorted_keys.data;
    require(!in_place || places.bytes == 0, "keys with places are sorted into another array: give one");
    const bool gives_keys = sorted_keys.data != nullptr || places.bytes == 0 || !are_short(rows);
    const std::initializer_list<ArrayArgument> arrays{
        read_only("keys", keys.data, in_place ? 0 : count * key_bytes, key_bytes),
        {"sorted keys", sorted_keys.data, gives_keys ? count * key_bytes : 0, Access::kWrite, key_bytes},
        {"places", places.data, count * places.bytes, Access::kWrite, place_alignment(places.bytes, rows)}};
    require_arrays(arrays);
    if (count == 0) return;
    const ScratchLease lease(scratch, sort_rows_scratch_bytes(keys.type, places.bytes, rows), arrays, stream);
    if (!are_short(rows)) {
      const LongRowScratch areas(keys.type, places.bytes, rows, lease.memory());
      return sort_long_rows(keys, sorted_keys, places, rows, order, areas, stream);
    }
    kernels::sort_rows({keys.data, sorted_keys.data, places.data, static_cast<unsigned>(places.bytes), rows.row_count,
                        static_cast<unsigned>(rows.row_items), row_order(keys.type, order)},
                       stream);
  });
}

}  // namespace sortie::cuda

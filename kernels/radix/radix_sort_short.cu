// Sorts of keys of 8 and 16 bits. Without values nothing needs to move: the keys are counted, and as many of each are
// written; signed numbers and floats are counted by their codes. With values a pass per digit moves the items, as it
// does those of 16 bits that are too few to be counted.
#include <algorithm>

#include "kernels/common/key_codec.hpp"
#include "kernels/common/lane_codec.hpp"
#include "kernels/radix/radix_choice.cuh"
#include "kernels/radix/radix_cluster_launch.cuh"
#include "kernels/radix/short_counting.cuh"
#include "kernels/radix_sort.hpp"
#include "kernels/short_codec.hpp"

namespace sortie::kernels {
namespace {

template <ShortKey Key>
constexpr BitRange kAllBits{0, 8 * sizeof(Key)};

/// Up to so many keys of 16 bits are sorted by their two digits: to clear and to read the counts of 65536 values takes
/// as long for few keys as for many. H200, us at 2^15 to 2^18: counted 24.6, 19.9, 19.7, 18.2, by digits
/// 14.7, 15.2, 19.1, 21.4.
constexpr std::uint64_t kMostSortedByDigits = std::uint64_t{1} << 17;

/// `codec` is that of one key, `lanes` that of a word of keys. Returns false if this device can do neither.
template <ShortKey Key, class Codec, class Lanes>
bool sort_few_or_count(Key* keys, Key* alternate_keys, std::uint64_t count, const Codec& codec, const Lanes& lanes,
                       void* scratch, cudaStream_t stream) {
  const RadixArrays<Key, NoValue> arrays{keys, alternate_keys, nullptr, nullptr};
  if (sort_in_cluster(NarrowShapes(), arrays, codec, count, kAllBits<Key>, stream)) return true;
  if constexpr (sizeof(Key) == 2) {
    if (count <= kMostSortedByDigits) {
      using Tile = RadixTile<RadixShape::kSmall, sizeof(Key), 0>;
      launch_radix_sort<Tile>(arrays, static_cast<const Key*>(nullptr), codec, count, kAllBits<Key>, scratch, stream);
      return true;
    }
  }
  return sort_by_counting(keys, count, lanes, scratch, stream);
}

}  // namespace

std::uint64_t short_radix_sort_scratch_bytes(std::uint64_t count) {
  ScratchLayout layout;
  take_value_counts(layout, sizeof(std::uint16_t));
  return std::max(radix_sort_scratch_bytes(count), layout.size_bytes());
}

template <ShortKey Key>
void radix_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, void* scratch, cudaStream_t stream) {
  if (count < 2 || sort_few_or_count(keys, alternate_keys, count, PlainKeys{}, PlainKeys{}, scratch, stream)) return;
  radix_sort(RadixArrays<Key, NoValue>{keys, alternate_keys, nullptr, nullptr}, PlainKeys{}, count, kAllBits<Key>,
             scratch, stream);
}

template <ShortKey Key>
void radix_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, const NumberOrder& order, void* scratch,
                     cudaStream_t stream) {
  if (!needs_codec(order)) return radix_sort_keys(keys, alternate_keys, count, scratch, stream);
  const auto codec = make_short_codec<Key>(order.kind, order.descending);
  if (count < 2 || sort_few_or_count(keys, alternate_keys, count, codec, codec.lanes, scratch, stream)) return;
  encode_short_numbers(order, keys, count, stream);
  radix_sort_keys(keys, alternate_keys, count, scratch, stream);
  decode_short_numbers(order, keys, count, stream);
}

template <ShortKey Key, SortValue Value>
SortedArrays<Key, Value> radix_sort_pairs(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values,
                                          std::uint64_t count, void* scratch, cudaStream_t stream) {
  const RadixArrays<Key, Value> arrays{keys, alternate_keys, values, alternate_values};
  const RadixSide result = radix_sort(arrays, PlainKeys{}, count, kAllBits<Key>, scratch, stream);
  if (result == RadixSide::kPrimary) return {keys, values};
  return {alternate_keys, alternate_values};
}

#define SORTIE_RADIX_SORTS_OF_SHORT(Key)                                                                 \
  template void radix_sort_keys(Key*, Key*, std::uint64_t, void*, cudaStream_t);                         \
  template void radix_sort_keys(Key*, Key*, std::uint64_t, const NumberOrder&, void*, cudaStream_t);     \
  template SortedArrays<Key, std::uint32_t> radix_sort_pairs(Key*, Key*, std::uint32_t*, std::uint32_t*, \
                                                             std::uint64_t, void*, cudaStream_t);        \
  template SortedArrays<Key, std::uint64_t> radix_sort_pairs(Key*, Key*, std::uint64_t*, std::uint64_t*, \
                                                             std::uint64_t, void*, cudaStream_t);

SORTIE_RADIX_SORTS_OF_SHORT(std::uint8_t)
SORTIE_RADIX_SORTS_OF_SHORT(std::uint16_t)

#undef SORTIE_RADIX_SORTS_OF_SHORT

}  // namespace sortie::kernels

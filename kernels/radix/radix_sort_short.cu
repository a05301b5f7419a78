// Sorts of keys of 8 and 16 bits. Without values nothing needs to move: the keys are counted, and as many of each are
// written; signed numbers and floats are counted by their codes. With values a pass per digit moves the items.
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

/// `codec` is that of one key, `lanes` that of a word of keys. Returns false if this device can do neither.
template <ShortKey Key, class Codec, class Lanes>
bool sort_few_or_count(Key* keys, Key* alternate_keys, std::uint64_t count, const Codec& codec, const Lanes& lanes,
                       void* scratch, cudaStream_t stream) {
  const RadixArrays<Key, NoValue> arrays{keys, alternate_keys, nullptr, nullptr};
  if (sort_in_cluster(NarrowShapes(), arrays, codec, count, kAllBits<Key>, stream)) return true;
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

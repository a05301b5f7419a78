#include "kernels/radix_sort_long_values.hpp"

#include "kernels/bitonic/bitonic_few_pairs.hpp"
#include "kernels/common/key_codec.hpp"
#include "kernels/radix/radix_choice.cuh"

namespace sortie::kernels {
namespace {

using LongPairs = RadixArrays<std::uint32_t, uint4>;
constexpr BitRange kAllBits{0, 32};
constexpr RadixTuningRow kLongRow = radix_tuning_row(kDefaultArchitecture, sizeof(std::uint32_t), sizeof(uint4));
static_assert(kFewLongValues == std::uint64_t{1} << kLongRow.log2_samples_most);
static_assert(kManyLongValues == std::uint64_t{1} << kLongRow.log2_large_from);

/// Returns false, and does nothing, if the device has not the shared memory.
template <class Codec>
bool sort_by_digits(const LongPairs& arrays, const Codec& codec, std::uint64_t count, void* scratch,
                    cudaStream_t stream) {
  if (shared_bytes_per_block() < sizeof(BucketShared<std::uint32_t, uint4>)) return false;
  bool is_done = false;
  with_tuned_architecture(TunedArchitectures(), [&]<unsigned kArch>(std::integral_constant<unsigned, kArch>) {
    using Tile = RadixTile<RadixShape::kLarge, sizeof(std::uint32_t), sizeof(uint4), kArch>;
    if (shared_bytes_per_block() < sizeof(RadixPassShared<std::uint32_t, uint4, Tile>)) return;
    launch_radix_sort<Tile>(arrays, static_cast<const std::uint32_t*>(nullptr), codec, count, kAllBits, scratch,
                            stream);
    is_done = true;
  });
  return is_done;
}

}  // namespace

template <SortKey Key>
requires(sizeof(Key) == 4) bool radix_sort_long_values(Key* keys, Key* alternate_keys, uint4* values,
                                                       uint4* alternate_values, std::uint64_t count, SortOrder order,
                                                       void* scratch, cudaStream_t stream) {
  constexpr std::uint64_t kFewestLongSampled = (std::uint64_t{1} << 13) + 1;  // fewer are sooner sorted with positions
  static_assert(kFewestLongSampled >= kFewestSampleSorted && kFewLongValues <= kMostSampleSorted);
  if (bitonic_sort_few_pairs(keys, values, count, order, stream)) return true;
  if (count < kFewestLongSampled || !moves_long_values(count)) return false;
  const LongPairs arrays{as_codes(keys), as_codes(alternate_keys), values, alternate_values};
  if (count > kFewLongValues) return sort_by_digits(arrays, codec_of<Key>(order), count, scratch, stream);
  return sort_by_samples(arrays, codec_of<Key>(order), count, kAllBits, scratch, stream);
}

#define SORTIE_SORT_LONG_VALUES_OF(Key) \
  template bool radix_sort_long_values(Key*, Key*, uint4*, uint4*, std::uint64_t, SortOrder, void*, cudaStream_t);

SORTIE_SORT_LONG_VALUES_OF(std::uint32_t)
SORTIE_SORT_LONG_VALUES_OF(std::int32_t)
SORTIE_SORT_LONG_VALUES_OF(float)

#undef SORTIE_SORT_LONG_VALUES_OF

}  // namespace sortie::kernels

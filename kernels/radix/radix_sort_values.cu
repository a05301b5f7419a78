#include "kernels/radix_sort_values.hpp"

#include "kernels/floats/rotated_codec.hpp"
#include "kernels/radix/radix_choice.cuh"
#include "kernels/radix/short_counting.cuh"

namespace sortie::kernels {
namespace {

/// More items than one launch sorts are sampled where fewer are sorted by a network: this codec has none.
template <class Bits>
void sort_by_value(Bits* keys, Bits* alternate_keys, std::uint64_t count, const RotatedCodec<Bits>& codec,
                   void* scratch, cudaStream_t stream) {
  constexpr RadixTuningRow kRow = radix_tuning_row(kDefaultArchitecture, sizeof(Bits), 0);
  constexpr std::uint64_t kFewestSampled = std::uint64_t{1} << 12;
  const RadixArrays<Bits, NoValue> arrays{keys, alternate_keys, nullptr, nullptr};
  const BitRange bits{0, 8 * sizeof(Bits)};
  if (count > kFewestSampled && count <= std::uint64_t{1} << kRow.log2_samples_most &&
      sort_by_samples(arrays, codec, count, bits, scratch, stream)) {
    return;
  }
  radix_sort(arrays, codec, count, bits, scratch, stream);
}

}  // namespace

bool radix_sort_values(const FloatFormat& format, void* keys, void* alternate_keys, std::uint64_t count,
                       SortOrder order, void* scratch, cudaStream_t stream) {
  const bool descending = order == SortOrder::kDescending;
  if (format.bytes == 2) {
    return sort_by_counting(static_cast<std::uint16_t*>(keys), count, make_rotated_lanes(format, descending), scratch,
                            stream);
  }
  with_float_bits(format, [&]<class Bits>(Bits) {
    if constexpr (sizeof(Bits) >= 4) {
      sort_by_value(static_cast<Bits*>(keys), static_cast<Bits*>(alternate_keys), count,
                    make_rotated_codec<Bits>(format, descending), scratch, stream);
    }
  });
  return true;
}

}  // namespace sortie::kernels

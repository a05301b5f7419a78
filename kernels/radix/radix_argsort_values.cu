#include "kernels/floats/value_codec.hpp"
#include "kernels/radix/radix_choice.cuh"
#include "kernels/radix_sort_values.hpp"

namespace sortie::kernels {
namespace {

/// As the radix sort takes it. Between its phases keys are the canonical bits of their value, which have the same code.
template <class Bits>
struct RecodedValues : ValueCodec<Bits> {
  static constexpr bool kRecodes = true;
};

}  // namespace

template <SortValue Position>
void radix_argsort_values(const FloatFormat& format, const void* source, void* keys, void* alternate_keys,
                          Position* positions, Position* alternate_positions, std::uint64_t count, SortOrder order,
                          void* scratch, cudaStream_t stream) {
  with_float_bits(format, [&]<class Bits>(Bits) {
    if constexpr (sizeof(Bits) >= 4) {
      const RecodedValues<Bits> codec{make_value_codec<Bits>(format, order == SortOrder::kDescending)};
      const RadixArrays<Bits, Position> arrays{static_cast<Bits*>(keys), static_cast<Bits*>(alternate_keys), positions,
                                               alternate_positions};
      argsort_in_tiles(static_cast<const Bits*>(source), arrays, codec, count, scratch, stream);
    }
  });
}

template void radix_argsort_values(const FloatFormat&, const void*, void*, void*, std::uint32_t*, std::uint32_t*,
                                   std::uint64_t, SortOrder, void*, cudaStream_t);
template void radix_argsort_values(const FloatFormat&, const void*, void*, void*, std::uint64_t*, std::uint64_t*,
                                   std::uint64_t, SortOrder, void*, cudaStream_t);

}  // namespace sortie::kernels

#include "bench/select_tuning/unique_variants.cuh"

namespace sortie::bench {

std::vector<UniqueVariant<std::uint64_t>> unique_variants_64() {
  using Bits = std::uint64_t;
  using kernels::DistinctShape;
  using kernels::NoValue;
  return {
      few<Bits, NoValue, DistinctShape<512, 2, 1>>(),
      few<Bits, std::uint32_t, DistinctShape<512, 2, 1>>(),
      by_tiles<Bits, NoValue, DistinctShape<256, 4, 6, 1>>(),
      by_tiles<Bits, NoValue, DistinctShape<512, 4, 4, 1>>(),
      by_tiles<Bits, NoValue, DistinctShape<512, 8, 2, 1>>(),
      by_tiles<Bits, NoValue, DistinctShape<1024, 4, 2, 1>>(),
      in_turn<Bits, NoValue, DistinctShape<512, 4, 2, 1>>(),
      in_turn<Bits, NoValue, DistinctShape<384, 4, 3, 1>>(),
      in_turn<Bits, NoValue, DistinctShape<384, 4, 3, 4>>(),
      by_tiles<Bits, std::uint32_t, DistinctShape<256, 4, 5, 1>>(),
      by_tiles<Bits, std::uint32_t, DistinctShape<512, 4, 3, 1>>(),
      by_tiles<Bits, std::uint32_t, DistinctShape<256, 8, 3, 1>>(),
      in_turn<Bits, std::uint32_t, DistinctShape<384, 4, 2, 1>>(),
      in_turn<Bits, std::uint32_t, DistinctShape<256, 4, 3, 1>>(),
  };
}

}  // namespace sortie::bench

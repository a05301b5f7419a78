#include "bench/select_tuning/unique_variants.cuh"

namespace sortie::bench {

std::vector<UniqueVariant<std::uint32_t>> unique_variants_32() {
  using Bits = std::uint32_t;
  using kernels::DistinctShape;
  using kernels::NoValue;
  return {
      few<Bits, NoValue, DistinctShape<512, 1, 1>>(),         few<Bits, NoValue, DistinctShape<512, 4, 1>>(),
      by_tiles<Bits, NoValue, DistinctShape<256, 4, 6, 1>>(), by_tiles<Bits, NoValue, DistinctShape<512, 4, 4, 1>>(),
      by_tiles<Bits, NoValue, DistinctShape<512, 8, 2, 1>>(), in_turn<Bits, NoValue, DistinctShape<512, 4, 2, 1>>(),
      in_turn<Bits, NoValue, DistinctShape<384, 4, 3, 1>>(),  in_turn<Bits, NoValue, DistinctShape<384, 4, 3, 4>>(),
      in_turn<Bits, NoValue, DistinctShape<256, 8, 2, 1>>(),
  };
}

}  // namespace sortie::bench

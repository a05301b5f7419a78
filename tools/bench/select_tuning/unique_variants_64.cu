#include "bench/select_tuning/unique_variants.cuh"

namespace sortie::bench {

std::vector<UniqueVariant<std::uint64_t>> unique_variants_64() {
  using Bits = std::uint64_t;
  using kernels::DistinctShape;
  using kernels::NoValue;
  return {
      few<Bits, NoValue, DistinctShape<512, 4, 1>>(),
      few<Bits, NoValue, DistinctShape<1024, 4, 1>>(),
      few<Bits, NoValue, DistinctShape<1024, 8, 1>>(),
      few<Bits, std::uint32_t, DistinctShape<512, 4, 1>>(),
      by_tiles<Bits, NoValue, DistinctShape<512, 4, 3, 1>>(),
      by_tiles<Bits, NoValue, DistinctShape<512, 4, 3, 4>>(),
      by_tiles<Bits, NoValue, DistinctShape<512, 4, 3, 8>>(),
      by_tiles<Bits, NoValue, DistinctShape<256, 4, 6, 4>>(),
      by_tiles<Bits, NoValue, DistinctShape<256, 8, 3, 4>>(),
      by_tiles<Bits, NoValue, DistinctShape<512, 8, 2, 4>>(),
      by_tiles<Bits, NoValue, DistinctShape<1024, 4, 2, 4>>(),
      in_turn<Bits, DistinctShape<512, 4, 2, 4>>(),
      in_turn<Bits, DistinctShape<256, 4, 4, 4>>(),
      in_turn<Bits, DistinctShape<256, 8, 2, 4>>(),
      in_turn<Bits, DistinctShape<1024, 4, 1, 4>>(),
      by_tiles<Bits, std::uint32_t, DistinctShape<512, 4, 2, 4>>(),
      by_tiles<Bits, std::uint32_t, DistinctShape<512, 4, 3, 4>>(),
      by_tiles<Bits, std::uint32_t, DistinctShape<256, 4, 5, 4>>(),
      by_tiles<Bits, std::uint32_t, DistinctShape<256, 8, 2, 4>>(),
      by_tiles<Bits, std::uint32_t, DistinctShape<1024, 4, 1, 4>>(),
  };
}

}  // namespace sortie::bench

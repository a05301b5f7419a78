// Keys of 8 and 16 bits with values.
#include "bench/radix_tuning/shape_times.cuh"

namespace sortie::bench {

void print_short_rows(const BenchRun& run, unsigned architecture) {
  using With4 = Shapes<Shape<384, 20, 2>, Shape<384, 26, 2>, Shape<384, 30, 2>, Shape<512, 20, 2>>;
  using With8 = Shapes<Shape<384, 14, 2>, Shape<384, 18, 2>, Shape<384, 22, 2>, Shape<512, 14, 2>>;
  print_row<std::uint8_t, std::uint32_t>(run, architecture, With4());
  print_row<std::uint8_t, std::uint64_t>(run, architecture, With8());
  print_row<std::uint16_t, std::uint32_t>(run, architecture, With4());
  print_row<std::uint16_t, std::uint64_t>(run, architecture, With8());
}

}  // namespace sortie::bench

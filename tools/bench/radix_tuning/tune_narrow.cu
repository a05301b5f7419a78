// Keys of 4 bytes.
#include "bench/radix_tuning/shape_times.cuh"

namespace sortie::bench {

void print_narrow_rows(const BenchRun& run, unsigned architecture) {
  using kernels::NoValue;
  print_row<std::uint32_t, NoValue>(run, architecture,
                                    Shapes<Shape<384, 24, 2>, Shape<384, 30, 2>, Shape<512, 22, 2>>());
  print_row<std::uint32_t, std::uint32_t>(run, architecture,
                                          Shapes<Shape<384, 20, 2>, Shape<384, 22, 2>, Shape<384, 26, 2>,
                                                 Shape<512, 16, 2>, Shape<512, 18, 2>, Shape<256, 26, 3>>());
  print_row<std::uint32_t, std::uint64_t>(
      run, architecture,
      Shapes<Shape<384, 14, 2>, Shape<384, 16, 2>, Shape<384, 18, 2>, Shape<512, 12, 2>, Shape<256, 18, 3>>());
}

}  // namespace sortie::bench

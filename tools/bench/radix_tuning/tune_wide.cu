// Keys of 8 bytes. All shapes have 384 threads, as those of packed keys do.
#include "bench/radix_tuning/shape_times.cuh"

namespace sortie::bench {

void print_wide_rows(const BenchRun& run, unsigned architecture) {
  print_row<std::uint64_t, kernels::NoValue>(run, architecture,
                                             Shapes<Shape<384, 16, 2>, Shape<384, 20, 2>, Shape<384, 22, 2>>());
  print_row<std::uint64_t, std::uint32_t>(run, architecture,
                                          Shapes<Shape<384, 14, 2>, Shape<384, 16, 2>, Shape<384, 18, 2>>());
  print_row<std::uint64_t, std::uint64_t>(run, architecture,
                                          Shapes<Shape<384, 12, 2>, Shape<384, 14, 2>, Shape<384, 16, 2>>());
}

}  // namespace sortie::bench

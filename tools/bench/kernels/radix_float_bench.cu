// Radix sorts of floats.
#include "bench/kernels/radix_bench.cuh"

namespace sortie::bench {

void bench_float_sorts(BenchRun& run, KeyDistribution distribution, std::uint64_t count) {
  bench_items<float>(run, "f32", distribution, count);
  bench_items<float, std::uint32_t>(run, "f32+u32", distribution, count);
  bench_items<float, std::uint64_t>(run, "f32+u64", distribution, count);
  bench_items<double>(run, "f64", distribution, count);
  bench_items<double, std::uint32_t>(run, "f64+u32", distribution, count);
  bench_items<double, std::uint64_t>(run, "f64+u64", distribution, count);
}

}  // namespace sortie::bench

// Radix sorts of integers that no other sort takes.
#include "bench/kernels/radix_bench.cuh"

namespace sortie::bench {

void bench_integer_sorts(BenchRun& run, KeyDistribution distribution, std::uint64_t count) {
  bench_items<std::uint32_t, std::uint64_t>(run, "u32+u64", distribution, count);
  bench_items<std::uint64_t, std::uint64_t>(run, "u64+u64", distribution, count);
  bench_items<std::int64_t>(run, "i64", distribution, count);
  bench_items<std::uint64_t>(run, "u64 descending", distribution, count, kernels::SortOrder::kDescending);
}

}  // namespace sortie::bench

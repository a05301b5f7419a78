// Radix sorts of keys of 8 and 16 bits.
#include "bench/kernels/radix_bench.cuh"

namespace sortie::bench {

void bench_short_sorts(BenchRun& run, KeyDistribution distribution, std::uint64_t count) {
  bench_items<std::uint8_t>(run, "u8", distribution, count);
  bench_items<std::uint8_t, std::uint32_t>(run, "u8+u32", distribution, count);
  bench_items<std::uint8_t, std::uint64_t>(run, "u8+u64", distribution, count);
  bench_items<std::uint16_t>(run, "u16", distribution, count);
  bench_items<std::uint16_t, std::uint32_t>(run, "u16+u32", distribution, count);
  bench_items<std::uint16_t, std::uint64_t>(run, "u16+u64", distribution, count);
}

}  // namespace sortie::bench

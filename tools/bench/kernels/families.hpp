// The families of operations, one file each. Every function measures those of its rows that the run wants.
#pragma once

#include <cstdint>

#include "bench/kernels/bench_run.hpp"

namespace sortie::bench {

/// Radix sorts of numbers, with and without values, beside cub::DeviceRadixSort.
void bench_radix_sorts(BenchRun& run, KeyDistribution distribution, std::uint64_t count);

/// Merges of two halves, and of 16 sequences in four rounds, beside cub::DeviceMerge. Keys drawn from
/// `distribution`, each sequence sorted.
void bench_merges(BenchRun& run, KeyDistribution distribution, std::uint64_t count);

/// Sorts of so few items that launches count, time per call, beside both sorts of CUB's.
void bench_small_sorts(BenchRun& run, KeyDistribution distribution, std::uint64_t count);

/// Records gathered by random index.
void bench_gathers(BenchRun& run, std::uint64_t count);

}  // namespace sortie::bench

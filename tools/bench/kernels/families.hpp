// The families of operations, one file each. Every function measures those of its rows that the run asks for.
#pragma once

#include <cstdint>

#include "bench/kernels/bench_run.hpp"

namespace sortie::bench {

/// Every sort of the library, for u32 and u64, and with u32 values, beside CUB's radix sort and merge sort. Shows
/// which is the fastest at this size, and by how much.
void bench_key_sorts(BenchRun& run, KeyDistribution distribution, std::uint64_t count);
void bench_pair_sorts(BenchRun& run, KeyDistribution distribution, std::uint64_t count);

/// Radix sorts of further types of numbers, with and without values, beside cub::DeviceRadixSort.
void bench_short_sorts(BenchRun& run, KeyDistribution distribution, std::uint64_t count);
void bench_integer_sorts(BenchRun& run, KeyDistribution distribution, std::uint64_t count);
void bench_float_sorts(BenchRun& run, KeyDistribution distribution, std::uint64_t count);

/// Merges of 2 to 64 sequences beside cub::DeviceMerge, which merges them two by two, and cub::DeviceRadixSort. Keys
/// are drawn from `distribution`, and each sequence is sorted.
void bench_merges(BenchRun& run, KeyDistribution distribution, std::uint64_t count);

/// Segmented sorts of all regimes, from a million tiny segments to one, beside CUB's two. Prints a table of them.
void bench_segmented_sorts(BenchRun& run);

/// Gathers fixed-length records by random index, and reads their prefixes.
void bench_records(BenchRun& run, std::uint64_t count);

/// Finds lines of several shapes, reads their prefixes, and gathers them by random index.
void bench_lines(BenchRun& run, std::uint64_t count);

}  // namespace sortie::bench

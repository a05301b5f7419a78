// The functions that are measured, one file a kind. Each adds its rows of arrays of `count` items to the table.
#pragma once

#include <cstdint>

#include "bench/cuda_functions/function_table.hpp"

namespace sortie::bench {

/// radix_sort() and radix_sort_by_bits() of keys, beside cub::DeviceRadixSort and thrust::sort.
void bench_key_functions(FunctionTable& table, std::uint64_t count);
/// radix_sort() with values of 4, 8 and 16 bytes, and argsort(), beside cub::DeviceRadixSort.
void bench_pair_functions(FunctionTable& table, std::uint64_t count);
/// merge() and merge_lists() beside cub::DeviceMerge, two by two.
void bench_merge_functions(FunctionTable& table, std::uint64_t count);
/// merge_sort() beside cub::DeviceMergeSort.
void bench_merge_sort_functions(FunctionTable& table, std::uint64_t count);
/// top_k() beside cub::DeviceTopK, where CUB has it, else its sort; unique() beside cub::DeviceSelect.
void bench_selections(FunctionTable& table, std::uint64_t count);
/// set_operation() beside those of Thrust.
void bench_set_operations(FunctionTable& table, std::uint64_t count);
/// segmented_sort() of few and many segments beside CUB's two sorts of segments.
void bench_segments(FunctionTable& table);
/// sort_rows() with and without places beside the same two.
void bench_rows(FunctionTable& table);

}  // namespace sortie::bench

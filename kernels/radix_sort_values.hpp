// radix_sort.hpp for floats without values that go with them, in the order of the floats' values: -inf, ... -0, +0, ...
// +inf, NaN. Takes as long as a sort in totalOrder.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/floats/float_format.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Sorts floats of any bits, which come back as they were: -0 before +0, and NaNs of a sign behind the others, in
/// totalOrder; in descending order the other way round. Returns false, and does nothing, if this device has not the
/// shared memory for counts of keys of 16 bits. Arrays and scratch as radix_sort_keys() takes them, of short keys as
/// short_radix_sort_scratch_bytes() says.
bool radix_sort_values(const FloatFormat& format, void* keys, void* alternate_keys, std::uint64_t count,
                       SortOrder order, void* scratch, cudaStream_t stream);

/// radix_argsort() of floats of 4 and 8 bytes by value: zeros and NaNs keep their order. Keys end as floats of the same
/// values; gather_float_bits() gives them their own bits back.
template <SortValue Position>
void radix_argsort_values(const FloatFormat& format, const void* source, void* keys, void* alternate_keys,
                          Position* positions, Position* alternate_positions, std::uint64_t count, SortOrder order,
                          void* scratch, cudaStream_t stream);

}  // namespace sortie::kernels

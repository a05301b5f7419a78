// Checks whether an array on the device is in order, in one read of the keys. For tests and benches of sorts, and for
// callers that want proof before they let go of the input.
//
// Takes any count, beyond 2^32 too. Does not synchronise or allocate. Pointers are to device memory, keys aligned to
// 16 bytes. Throws sortie::Error if a launch is refused.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/record_keys.hpp"

namespace sortie::kernels {

struct OrderCheck {
  std::uint64_t descents;       ///< items that belong before their predecessor
  std::uint64_t first_descent;  ///< the position of the first of them; 2^64 - 1 if there is none
};

/// Overwrites *result, which is in device memory. Keys are in order if they ascend. To check numbers of other types,
/// or descending ones, pass their codes (number_codec.hpp).
void check_order(const std::uint32_t* keys, std::uint64_t count, OrderCheck* result, cudaStream_t stream);
void check_order(const std::uint64_t* keys, std::uint64_t count, OrderCheck* result, cudaStream_t stream);

/// Checks pairs by prefix, and equal prefixes by the records' further key words if `tie_break` is given. Pairs with
/// equal keys must come by ascending index.
void check_order(const PrefixPairs& pairs, std::uint64_t count, const RecordKeys* tie_break, OrderCheck* result,
                 cudaStream_t stream);

}  // namespace sortie::kernels

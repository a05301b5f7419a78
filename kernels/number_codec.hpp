// Turns numbers in place into unsigned integers of the same order, and back. Each direction is a pass of its own, for
// arrays that are sorted, checked, ranked and merged in many steps: all these steps are then as fast as for unsigned
// numbers. The order is that of record/key_plan.hpp. A single sort or merge needs no such passes (radix_sort.hpp,
// merge.hpp).
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include <sortie/format.hpp>

namespace sortie::kernels {

/// The type of an array's elements and the direction in which they are sorted.
struct NumberOrder {
  FieldKind kind = FieldKind::kUnsigned;  ///< kUnsigned, kSigned or kFloat
  unsigned bytes = 8;                     ///< 4 or 8; of short numbers 1 or 2
  bool descending = false;
};

/// Whether the codes differ from the numbers. If not, encode_numbers() and decode_numbers() do nothing.
constexpr bool needs_codec(const NumberOrder& order) {
  return order.descending || order.kind == FieldKind::kSigned || order.kind == FieldKind::kFloat;
}

/// Replaces each of `count` numbers by its code: a u32 for 4-byte numbers, a u64 for 8-byte ones. The codes ascend
/// when the numbers are in the requested order. `numbers` is device memory aligned to 16 bytes.
/// Does not synchronise or allocate. Throws sortie::Error if the launch is refused.
void encode_numbers(const NumberOrder& order, void* numbers, std::uint64_t count, cudaStream_t stream);

/// The inverse of encode_numbers().
void decode_numbers(const NumberOrder& order, void* numbers, std::uint64_t count, cudaStream_t stream);

}  // namespace sortie::kernels

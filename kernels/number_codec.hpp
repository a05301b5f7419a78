// Numbers in place to unsigned integers of the same order and back, in passes of their own: for arrays that are
// sorted, checked, ranked and merged in many steps, which are then all as fast as those of unsigned numbers. The order
// is that of record/key_plan.hpp. A sort or merge on its own needs no such passes (radix_sort.hpp, merge.hpp).
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include <sortie/format.hpp>

namespace sortie::kernels {

/// What the elements of an array are and which way they are sorted.
struct NumberOrder {
  FieldKind kind = FieldKind::kUnsigned;  ///< kUnsigned, kSigned or kFloat
  unsigned bytes = 8;                     ///< 4 or 8
  bool descending = false;
};

/// Whether the codes differ from the numbers. If not, encode_numbers() and decode_numbers() do nothing.
constexpr bool needs_codec(const NumberOrder& order) {
  return order.descending || order.kind == FieldKind::kSigned || order.kind == FieldKind::kFloat;
}

/// Replaces each of `count` numbers by its code: u32 for 4-byte numbers, u64 for 8-byte ones. Codes
/// ascend where the numbers go in the requested direction. `numbers`: device memory aligned to 16 bytes.
/// Does not synchronise or allocate. Throws sortie::Error if the launch is refused.
void encode_numbers(const NumberOrder& order, void* numbers, std::uint64_t count, cudaStream_t stream);

/// The inverse of encode_numbers().
void decode_numbers(const NumberOrder& order, void* numbers, std::uint64_t count, cudaStream_t stream);

}  // namespace sortie::kernels

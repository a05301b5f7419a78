// Rows of several columns: keys by which a radix sort orders them. Neighbouring columns that fit into 64 bits together
// become one number, which holds their codes side by side, so that one sort orders rows by all of them.
//
//   columns   | a: i16 | b: f32 | c: u8 |
//   number    |  code of a  |  code of b  | code of c |     56 bits; a decides first
// README.md says what all kernels share.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/columns/column_group.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Sets numbers[i] to the number of row rows[i], i < count; of row i if `rows` is null. Precondition: the group's bits
/// fit.
template <class Number, SortValue Position>
void compose_columns(const ColumnGroup& group, const Position* rows, std::uint64_t count, Number* numbers,
                     cudaStream_t stream);

}  // namespace sortie::kernels

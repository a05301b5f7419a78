// The order of an array's numbers as their indexes. Used by argsort().
#pragma once

#include <cstdint>
#include <span>

#include "engine/cpu/array_codec.hpp"

namespace sortie {

/// Fills `indexes`, which is as long as `numbers`, with the positions of the numbers in their order; equal ones keep
/// theirs. Takes as much memory again as `numbers`, and some MB for each thread. Parallel. Code: std::uint32_t or
/// std::uint64_t, by the size of the numbers.
template <class Code>
void argsort_numbers(std::span<const Code> numbers, std::span<std::uint64_t> indexes, const ArrayCodec<Code>& codec);

extern template void argsort_numbers(std::span<const std::uint32_t>, std::span<std::uint64_t>,
                                     const ArrayCodec<std::uint32_t>&);
extern template void argsort_numbers(std::span<const std::uint64_t>, std::span<std::uint64_t>,
                                     const ArrayCodec<std::uint64_t>&);

}  // namespace sortie

// Arrays whose numbers are in order already, or in the opposite order: a copy is all that they need. Used by sort() and
// argsort() of arrays before they sort. A look at a few numbers tells nearly all other arrays.
#pragma once

#include <cstdint>
#include <span>

#include "engine/cpu/array_codec.hpp"

namespace sortie {

/// Puts `numbers` in ascending order of their codes into `sorted` if they ascend or descend, and returns whether they
/// do. `sorted` is as long; it is the same memory or lies apart. If they do not, the numbers are as they were, and
/// other memory holds anything. Parallel.
template <class Code>
bool copy_if_ordered(std::span<const Code> numbers, std::span<Code> sorted, const ArrayCodec<Code>& codec);

/// The same for the positions of the numbers; equal ones keep theirs, so that only numbers that are all different may
/// descend.
template <class Code>
bool index_if_ordered(std::span<const Code> numbers, std::span<std::uint64_t> indexes, const ArrayCodec<Code>& codec);

extern template bool copy_if_ordered(std::span<const std::uint32_t>, std::span<std::uint32_t>,
                                     const ArrayCodec<std::uint32_t>&);
extern template bool copy_if_ordered(std::span<const std::uint64_t>, std::span<std::uint64_t>,
                                     const ArrayCodec<std::uint64_t>&);
extern template bool index_if_ordered(std::span<const std::uint32_t>, std::span<std::uint64_t>,
                                      const ArrayCodec<std::uint32_t>&);
extern template bool index_if_ordered(std::span<const std::uint64_t>, std::span<std::uint64_t>,
                                      const ArrayCodec<std::uint64_t>&);

}  // namespace sortie

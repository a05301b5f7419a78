// Sorts an array of numbers into another: one sample sort pass that deals the encoded numbers out to
// cache-sized buckets, then vector code in each bucket.
#pragma once

#include <cstdint>
#include <span>

#include "engine/cpu/array_codec.hpp"

namespace sortie {

/// `sorted` is as long as `numbers` and does not overlap it. Parallel.
template <class Code>
void sort_numbers(std::span<const Code> numbers, std::span<Code> sorted, const ArrayCodec<Code>& codec);

extern template void sort_numbers(std::span<const std::uint32_t>, std::span<std::uint32_t>,
                                  const ArrayCodec<std::uint32_t>&);
extern template void sort_numbers(std::span<const std::uint64_t>, std::span<std::uint64_t>,
                                  const ArrayCodec<std::uint64_t>&);

}  // namespace sortie

// The prefixes by which strings of any length are sorted. README.md says what all kernels share.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/record_keys.hpp"

namespace sortie::kernels {

/// What strings have in common is looked for up to here.
inline constexpr std::uint32_t kMostCommonBytes = 4096;

/// Scratch of extract_string_prefixes(): less than half a megabyte.
std::uint64_t string_prefix_scratch_bytes(std::uint64_t count);

/// Sets out.prefixes[i] and out.indices[i], i < count, to 8 bytes of string i and to i. These bytes begin behind those
/// that all strings have in common, such as "https://", which *common_bytes counts. Strings with equal prefixes are
/// equal in their first 8 bytes, too. `strings` are lines without a delimiter; there is at least one.
///
/// Of many strings of which at most 4096 differ, prefixes are their ranks among these, with their positions behind: no
/// two are equal.
void extract_string_prefixes(const RecordKeys& strings, std::uint64_t count, std::uint32_t* common_bytes,
                             const PrefixPairs& out, void* scratch, cudaStream_t stream);

}  // namespace sortie::kernels

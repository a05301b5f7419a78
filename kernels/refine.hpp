// Prefix refinement: orders pairs that are sorted by prefix by the rest of their keys. Items whose keys are equal so
// far form segments. Each round sorts only the items in segments, by (segment, next 8 bytes), and keeps those that are
// still tied. It ends when no ties are left or the keys are used up.
// Deshpande and Narayanan, "Can GPUs sort strings efficiently?", HiPC 2013.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/record_keys.hpp"

namespace sortie::kernels {

/// The largest number of lines that refine() takes at once: their second sort key holds segment and tail in 32 bits.
inline constexpr std::uint64_t kMaxRefinedLines = std::uint64_t{1} << 29;

/// Scratch for refine(): about 29 bytes an item.
std::uint64_t refine_scratch_bytes(std::uint64_t count);

/// Reorders pairs.indices so that the pairs are in the order of their whole keys. Stable: pairs with equal keys keep
/// their order. If a line is the beginning of another, the shorter one comes first, or the longer one if the order
/// descends. pairs.prefixes stay as they are.
///
/// Preconditions: the pairs are sorted by prefix; count < 2^32, and at most kMaxRefinedLines if they are lines; the
/// `alternate` arrays have room for `count` items, and are overwritten; `tied_count` points to one word of pinned host
/// memory. Arrays must not overlap. The other pointers are to device memory, arrays aligned to 16 bytes, scratch to
/// 256.
///
/// Unlike the other kernels, this synchronises `stream`: once, and up to twice more per round, since the number of
/// items still tied decides what is launched. A round costs time proportional to the tied items. After a round that
/// told no items apart, words that are equal in all segments are read and skipped, so that long equal parts of keys
/// take few rounds. Does not allocate.
/// Throws sortie::Error if a launch is refused or the device fails.
void refine(const RecordKeys& keys, const PrefixPairs& pairs, const PrefixPairs& alternate, std::uint64_t count,
            void* scratch, std::uint64_t* tied_count, cudaStream_t stream);

}  // namespace sortie::kernels

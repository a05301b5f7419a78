// Puts the number of its segment in front of each key, for sorts of many segments at once.
//
// Nothing synchronises or allocates. Takes device pointers, arrays aligned as their types. Throws sortie::Error if a
// launch is refused.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/common/key_codec.hpp"
#include "kernels/common/lane_codec.hpp"

namespace sortie::kernels {

/// Sets composed[i] to the segment of item i, followed by the code of its key: numbers that order the items of all
/// segments. Bits: an unsigned integer of up to 4 bytes; Codec: KeyCodec<Bits> for 4, ShortCodec<Bits> for 1 and 2.
template <class Bits, class Codec>
void compose_segment_keys(const Bits* keys, std::uint64_t count, const Codec& codec, const std::uint64_t* offsets,
                          std::uint32_t segment_count, std::uint64_t* composed, cudaStream_t stream);

/// Sets keys[i] to the key in composed[i].
template <class Bits, class Codec>
void take_segment_keys(const std::uint64_t* composed, std::uint64_t count, const Codec& codec, Bits* keys,
                       cudaStream_t stream);

}  // namespace sortie::kernels

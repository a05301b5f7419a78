// The order in which records are gathered: random, as after a sort of random keys.
#pragma once

#include <cstdint>

#include "bench/kernels/key_fill.hpp"

namespace sortie::bench {

/// Returns all numbers below `count`, each once. Synchronises. Throws Error.
Array<std::uint32_t> shuffled_indices(std::uint64_t count, cudaStream_t stream);

}  // namespace sortie::bench

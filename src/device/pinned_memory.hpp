// Whether host memory that somebody else allocated is pinned.
#pragma once

#include <cstddef>
#include <span>

namespace sortie {

/// Whether the GPU can copy to and from `memory` by itself: allocated by cudaHostAlloc or registered, as far
/// as its first and last byte tell.
bool is_pinned(std::span<const std::byte> memory);

}  // namespace sortie

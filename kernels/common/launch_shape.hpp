// How many blocks and threads a launch has, for the ways to launch that take attributes.
#pragma once

#include <cstdint>

namespace sortie::kernels {

/// A grid of blocks with `threads` each.
struct LaunchShape {
  unsigned grid;
  unsigned threads;
  std::uint64_t shared_bytes = 0;
};

}  // namespace sortie::kernels

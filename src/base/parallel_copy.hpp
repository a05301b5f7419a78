// Copies between buffers of host memory by several threads: one reaches a fifth of what the memory allows.
#pragma once

#include <cstddef>
#include <span>

namespace sortie {

/// `target` is at least as long as `source` and does not overlap it. Returns when all is copied.
void copy_in_parallel(std::span<std::byte> target, std::span<const std::byte> source);

}  // namespace sortie

// Outputs that are compressed on their way. Made by open_output() only.
#pragma once

#include <cstdint>
#include <memory>

#include "io/input/compression_format.hpp"
#include "io/output/output.hpp"

namespace sortie {

/// An Output that compresses what it passes on to `target`; `target` itself for kNone. Of `packing`, level and memory
/// count. Precondition: the level is one of the format's.
std::unique_ptr<Output> compress_output(std::unique_ptr<Output> target, CompressionFormat format,
                                        const Packing& packing = {});

/// Memory that `threads` threads can use, with all that they pack.
std::uint64_t packing_bytes(CompressionFormat format, int level, unsigned threads);

}  // namespace sortie

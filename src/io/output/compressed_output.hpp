// Outputs that are compressed on their way. Made by open_output() only.
#pragma once

#include <memory>

#include "io/input/compression_format.hpp"
#include "io/output/output.hpp"

namespace sortie {

/// An Output that compresses what it passes on to `target`; `target` itself for kNone.
std::unique_ptr<Output> compress_output(std::unique_ptr<Output> target, CompressionFormat format);

}  // namespace sortie

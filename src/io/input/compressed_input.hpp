// Compressed inputs, unpacked while they are read. Made by open_input() only.
#pragma once

#include <memory>
#include <string>

#include "io/input/byte_source.hpp"
#include "io/input/compression_format.hpp"
#include "io/input/input.hpp"

namespace sortie {

/// Unpacks all members (gzip, bzip2) or frames (zstd) of `source` in turn. Memory is bounded by the
/// format's window: 32 KiB, 4 MB, and for zstd what the writer asked for, `window_bytes` at most. It is given back
/// at the end of the input. Precondition: format is not kNone.
std::unique_ptr<Input> make_compressed_input(ByteSource source, CompressionFormat format, std::uint64_t window_bytes,
                                             const WarningSink& warn);

/// Throws the Error for compressed data that cannot be unpacked.
[[noreturn]] void throw_damaged(const std::string& path);

}  // namespace sortie

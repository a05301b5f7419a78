// Which compressed formats there are and how they are recognised: inputs by their first bytes, outputs
// by their suffix. Used by open_input() and open_output().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/input/byte_source.hpp"
#include "io/input/input.hpp"

namespace sortie {

enum class CompressionFormat : std::uint8_t { kNone, kGzip, kZstd, kBzip2 };

/// Leading bytes that recognise_magic() looks at.
inline constexpr std::size_t kMagicBytes = 16;

/// The format that `leading`, the first kMagicBytes of an input or all of a shorter one, belong to.
/// Looks at every fixed bit of the headers, so that data is hardly ever mistaken for compressed data.
CompressionFormat recognise_magic(std::span<const std::byte> leading);

/// Whether an input that begins with `leading`, one or two bytes, may be compressed. If not, there is no need to wait
/// for the rest of its magic.
bool may_have_magic(std::span<const std::byte> leading);

/// Recognises .gz, .zst and .bz2.
CompressionFormat recognise_suffix(std::string_view path);

/// How hard a format can be made to pack, from 1 to `most`.
struct OutputLevels {
  int usual;
  int most;
};
OutputLevels output_levels(CompressionFormat format);

// Compressed inputs, unpacked while they are read. Made by open_input() only.

/// Unpacks all members (gzip, bzip2) or frames (zstd) of `source` in turn. Memory is bounded by the
/// format's window: 32 KiB, 4 MB, and for zstd what the writer asked for, `window_bytes` at most. It is given back
/// at the end of the input. Precondition: format is not kNone.
std::unique_ptr<Input> make_compressed_input(ByteSource source, CompressionFormat format, std::uint64_t window_bytes,
                                             const WarningSink& warn);

/// Throws the Error for compressed data that cannot be unpacked.
[[noreturn]] void throw_damaged(const std::string& path);

}  // namespace sortie

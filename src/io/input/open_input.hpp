// Opens an input: finds out by its first bytes and its name whether it is packed, and how. Called by the pipeline, once
// for each input.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "io/files/file.hpp"
#include "io/input/input.hpp"

namespace sortie {

/// Opens `path` ("-": standard input) and looks at its magic: gzip, BGZF, zstd, bzip2, xz and lz4 are unpacked, all
/// members of them, except zstd and xz with a window of more than `window_bytes`. An archive, or a packed format that
/// is none of these, is refused. Bytes that a plain file gains after this call are not read. The reading thread tells
/// `warn` of faults that do no harm; `warn` may be empty.
std::unique_ptr<Input> open_input(FileSystem& files, const std::string& path, Unpacking unpacking = Unpacking::kByMagic,
                                  std::uint64_t window_bytes = kMaxWindowBytes, const WarningSink& warn = {});

/// The same for a file that is open already. `known_bytes`: its size when it was looked at before; bytes that it has
/// gained since are not read.
std::unique_ptr<Input> open_input(std::unique_ptr<File> file, Unpacking unpacking, std::uint64_t window_bytes,
                                  std::optional<std::uint64_t> known_bytes = std::nullopt,
                                  const WarningSink& warn = {});

}  // namespace sortie

// Writing a file through mapped memory. Several threads may copy into one file at a time that way, where
// pwrite() makes them wait for each other. Used by the POSIX files only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sortie {

/// Copies `source` to bytes [offset, offset + source.size()) of the file. Returns false and writes nothing if that is
/// beyond the file's size, or if the kernel or file system cannot map it. Also returns false if the file system has no
/// page left for it; then a part may be written. In both cases write all of it with pwrite(), which also says what is
/// wrong. Thread-safe. Durable after fsync().
bool write_mapped(int descriptor, std::uint64_t offset, std::span<const std::byte> source);

}  // namespace sortie

// Writing a file through mapped memory. Several threads may copy into one file at a time that way, where
// pwrite() makes them wait for each other. Used by the POSIX files only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sortie {

/// Copies `source` to bytes [offset, offset + source.size()) of the file. False, and nothing is written, if that is
/// beyond the file's size or the kernel or file system cannot map it. False too if it has no page for it, and then some
/// may be written. pwrite() is to write all of it then, or to say what is wrong. Thread-safe. Durable after fsync().
bool write_mapped(int descriptor, std::uint64_t offset, std::span<const std::byte> source);

}  // namespace sortie

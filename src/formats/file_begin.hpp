// The begin of an input, by which its format is known. A pipe is not looked at: what is read of it would be missing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/files/file.hpp"

namespace sortie::formats {

/// The first bytes of a regular file, unpacked if it is packed: kBeginBytes, or all of a shorter one. Empty for
/// what is no such file, or cannot be opened or unpacked: whoever reads it says so.
std::vector<std::byte> read_begin(FileSystem& files, const std::string& path);

}  // namespace sortie::formats

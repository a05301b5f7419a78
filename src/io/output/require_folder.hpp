// Whether a file can be made in the folder that it is to lie in: outputs in several files ask before any work.
#pragma once

#include <string>

#include "io/files/file.hpp"

namespace sortie {

/// Throws Error, as the opening of an output would, if no file can be made for `path`.
void require_folder(FileSystem& files, const std::string& path);

}  // namespace sortie

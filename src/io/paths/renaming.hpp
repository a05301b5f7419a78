// Whether a new file may be renamed onto another without losing anything but the contents. If not, the old file is
// rewritten. Used by the POSIX file system.
#pragma once

#include <string>

struct stat;

namespace sortie {

/// Whether a file of this process can be renamed onto the regular file `path` and keep all that this has: its owner and
/// group, its other names, its attributes, its mount. `target`: its status, with links followed.
bool can_be_replaced(const std::string& path, const struct stat& target);

}  // namespace sortie

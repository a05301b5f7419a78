// Whether a new file may be made, and renamed onto another without losing anything but the contents. If not, the old
// file is rewritten. Used by the POSIX file system.
#pragma once

#include <string>

struct stat;

namespace sortie {

/// Whether this process may make files in a directory, rename them and remove them.
bool can_change_files_in(const std::string& directory);

/// Whether a file of this process can be renamed onto the regular file `path` and keep all that this has: its owner and
/// group, its other names, its attributes, its mount. `target`: its status, with links followed.
bool can_be_replaced(const std::string& path, const struct stat& target);

}  // namespace sortie

// Whether a new file may take the place of another by its name, without anything being lost but the contents. Where it
// may not, the old file is rewritten. Used by the POSIX file system.
#pragma once

#include <string>

struct stat;

namespace sortie {

/// Whether a file of this process can be renamed onto the regular file `path`, and keep all that this was: its owner
/// and group, its other names, its attributes, its mount. `target`: its status, links followed.
bool can_be_replaced(const std::string& path, const struct stat& target);

}  // namespace sortie

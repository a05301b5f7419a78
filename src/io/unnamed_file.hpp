// Files without a name: private to this process, gone when it ends, however it ends. Used by the POSIX
// file system only.
#pragma once

#include <string>

namespace sortie {

/// A descriptor of a new file in `directory`, readable and writable by this user alone. -1 with errno set
/// if that fails. Asks the file system for an unnamed file; where it has none, open_unlinked_file().
int open_unnamed_file(const std::string& directory);

/// The same by an exclusive file of unguessable name, unlinked at once.
int open_unlinked_file(const std::string& directory);

}  // namespace sortie

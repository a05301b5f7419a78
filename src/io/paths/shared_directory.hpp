// Directories in which everybody may make files but only owners may replace them (/tmp), and what others may have left
// there. Used by the POSIX file system.
#pragma once

#include <string>

#include <sys/types.h>

namespace sortie {

/// Whether ownership lets this process put another file in the place of `path`, a file of `owner`.
bool may_replace(const std::string& path, uid_t owner);

/// Whether `path` is a symbolic link that another user has left where everybody may write: whoever follows it writes
/// where that user wants. Linux refuses the same by itself if fs.protected_symlinks is set.
bool is_foreign_link(const std::string& path);

}  // namespace sortie

// Files without a name: private to this process, gone when it ends, however it ends. Used by the POSIX
// file system and its files only.
#pragma once

#include <fcntl.h>

#include <cstdint>
#include <optional>
#include <string>

#include <sortie/temporary_names.hpp>

#include "base/descriptor.hpp"

namespace sortie {

/// A new file in `directory`, readable and writable by this user alone. Not open, with errno set, if that
/// fails. Asks the file system for an unnamed file; where it has none, an exclusive file of
/// unguessable name is unlinked at once; `names`, which may be null, are held meanwhile.
Descriptor open_unnamed_file(const std::string& directory, TemporaryNames* names);

/// The way of open_unnamed_file() where the file system has no unnamed files.
Descriptor open_and_unlink_file(const std::string& directory, TemporaryNames* names);

/// A new file in `directory` with permissions `mode`, less the umask, for name_unlinked_file(). Nothing where
/// there are no files that can be named later; not open, with errno set, if it fails.
std::optional<Descriptor> open_unlinked_file(const std::string& directory, std::uint32_t mode);

/// Takes a file's name away; `path` counts from the open `directory`. Tried twice: what is refused once would stay
/// behind for good. Returns whether no file of that name is left, with errno set if one is.
bool unlink_file(const std::string& path, int directory = AT_FDCWD) noexcept;

/// Gives the file its name; -1 with errno set if that fails. The name must not exist.
int name_unlinked_file(int descriptor, const std::string& path);

}  // namespace sortie

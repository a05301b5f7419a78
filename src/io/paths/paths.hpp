// Takes paths apart as text, finds where one leads, and whether others may write to its directory. Used wherever a file
// is looked for beside another.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace sortie {

/// The directory in which the last part of `path` lies: with the slash behind it, or "." if there is none.
std::string directory_of(const std::string& path);

/// The last part of `path`: what stands behind directory_of().
std::string name_in_directory(const std::string& path);

/// `path` without the slashes at its end; "/" stays.
std::string without_end_slashes(std::string path);

/// The absolute path, without links, of what `path` leads to; nothing if it leads nowhere.
std::optional<std::string> real_path(const std::string& path);

// Where symbolic links lead, and names that stand for an open descriptor: /dev/stdout, /dev/fd/N, /proc/self/fd/N. Such
// a name is a link whose text says nothing reliable: the file behind it may have another name by now, or none. Used by
// the POSIX file system.

/// More symbolic links in one path are taken for a loop, as the kernel does.
inline constexpr int kMaxLinks = 40;

/// The path that the link `path` names; nothing if it is no link.
std::optional<std::string> linked_path(const std::string& path);

/// Whether `path` is a link of /proc to something that a process has open or runs. Only the kernel can follow it.
bool is_process_link(const std::string& path);

/// The descriptor of this process that `path` stands for, with links followed; it need not be open. Nothing for other
/// paths.
std::optional<int> descriptor_named(const std::string& path);

// Directories in which everybody may make files but only owners may replace them (/tmp), and what others may have left
// there. Used by the POSIX file system.

/// Whether ownership lets this process put another file in the place of `path`, a file of `owner`.
bool may_replace(const std::string& path, uid_t owner);

/// Whether `path` is a symbolic link that another user has left where everybody may write: whoever follows it writes
/// where that user wants. Linux refuses the same by itself if fs.protected_symlinks is set.
bool is_foreign_link(const std::string& path);

}  // namespace sortie

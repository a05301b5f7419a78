// What a path means: takes paths apart as text, follows symbolic links, and says whether others may write to a
// directory, and whether a new file can be renamed onto another: if not, the old file is rewritten. Used wherever a
// file is looked for beside another, and by the POSIX file system.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

struct stat;

namespace sortie {

/// The directory in which the last part of `path` lies: with the slash behind it, or "." if there is none.
std::string directory_of(const std::string& path);

/// The last part of `path`: what stands behind directory_of().
std::string name_in_directory(const std::string& path);

/// `path` without the slashes at its end; "/" stays.
std::string without_end_slashes(std::string path);

/// Whether a path ends in a slash and its parent is a directory. Precondition: the path leads nowhere.
bool can_only_be_directory(const std::string& path);

/// The absolute path, without links, of what `path` leads to; nothing if it leads nowhere.
std::optional<std::string> real_path(const std::string& path);

/// More symbolic links in one path are taken for a loop, as the kernel does.
inline constexpr int kMaxLinks = 40;

/// The path that the link `path` names; nothing if it is no link.
std::optional<std::string> linked_path(const std::string& path);

/// Whether `path` is a link of /proc to something that a process has open or runs. Only the kernel can follow it.
bool is_process_link(const std::string& path);

/// The descriptor of this process that `path` stands for (/dev/stdout, /dev/fd/N, /proc/self/fd/N), with links
/// followed; it need not be open. Nothing for other paths. The text of such a link says nothing reliable: the file
/// behind it may have another name by now, or none.
std::optional<int> descriptor_named(const std::string& path);

/// Whether ownership lets this process put another file in the place of `path`, a file of `owner`: in directories such
/// as /tmp everybody may make files, but only owners may replace them.
bool may_replace(const std::string& path, uid_t owner);

/// Whether `path` is a symbolic link that another user has left where everybody may write: whoever follows it writes
/// where that user wants. Linux refuses the same by itself if fs.protected_symlinks is set.
bool is_foreign_link(const std::string& path);

/// Whether this process may make files in a directory, rename them and remove them.
bool can_change_files_in(const std::string& directory);

/// Whether a file of this process can be renamed onto the regular file `path` and keep all that this has: its owner and
/// group, its other names, its attributes, its mount. `target`: its status, with links followed.
bool can_be_replaced(const std::string& path, const struct stat& target);

}  // namespace sortie

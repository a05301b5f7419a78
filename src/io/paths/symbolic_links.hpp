// Where symbolic links lead, and names that stand for an open descriptor: /dev/stdout, /dev/fd/N, /proc/self/fd/N. Such
// a name is a link whose text says nothing reliable: the file behind it may have another name by now, or none. Used by
// the POSIX file system.
#pragma once

#include <optional>
#include <string>

namespace sortie {

/// More symbolic links in one path are taken for a loop, as the kernel does.
inline constexpr int kMaxLinks = 40;

/// The path that the link `path` names; nothing if it is no link.
std::optional<std::string> linked_path(const std::string& path);

/// Whether `path` is a link of /proc to something that a process has open or runs. Only the kernel can follow it.
bool is_process_link(const std::string& path);

/// The descriptor of this process that `path` stands for, with links followed; it need not be open. Nothing for other
/// paths.
std::optional<int> descriptor_named(const std::string& path);

}  // namespace sortie

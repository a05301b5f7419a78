// Takes paths apart as text, and finds where one leads. Used wherever a file is looked for beside another.
#pragma once

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

}  // namespace sortie

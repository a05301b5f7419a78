#include "io/paths/path_parts.hpp"

#include <filesystem>
#include <system_error>

namespace sortie {

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

std::string name_in_directory(const std::string& path) { return path.substr(path.rfind('/') + 1); }  // npos + 1 is 0

std::string without_end_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

std::optional<std::string> real_path(const std::string& path) {
  std::error_code failure;
  std::string found = std::filesystem::canonical(path, failure).string();
  if (failure) return std::nullopt;
  return found;
}

}  // namespace sortie

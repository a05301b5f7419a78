#include "io/paths/shared_directory.hpp"

#include <optional>

#include <sys/stat.h>
#include <unistd.h>

#include "io/paths/path_parts.hpp"

namespace sortie {
namespace {

constexpr mode_t kShared = S_ISVTX | S_IWOTH;

/// The owner of the directory, if it has the permission `bits`.
std::optional<uid_t> owner_if(const std::string& directory, mode_t bits) {
  struct stat status;
  if (::stat(directory.c_str(), &status) != 0 || (status.st_mode & bits) != bits) return std::nullopt;
  return status.st_uid;
}

}  // namespace

bool may_replace(const std::string& path, uid_t owner) {
  const uid_t user = ::geteuid();
  if (user == 0 || user == owner) return true;
  const std::optional<uid_t> directory_owner = owner_if(directory_of(path), S_ISVTX);
  return !directory_owner || *directory_owner == user;
}

bool is_foreign_link(const std::string& path) {
  struct stat link;
  if (::lstat(path.c_str(), &link) != 0 || !S_ISLNK(link.st_mode) || link.st_uid == ::geteuid()) return false;
  const std::optional<uid_t> directory_owner = owner_if(directory_of(path), kShared);
  return directory_owner && *directory_owner != link.st_uid;
}

}  // namespace sortie

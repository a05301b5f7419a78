#include "io/paths/renaming.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/retry_interrupted.hpp"
#include "io/paths/paths.hpp"

namespace sortie {
namespace {

bool leads_to_process_link(std::string path) {
  for (int links = 0; links < kMaxLinks; ++links) {
    if (is_process_link(path)) return true;
    const auto next = linked_path(path);
    if (!next) return false;
    path = *next;
  }
  return false;
}

bool may_give_to(const struct stat& target) {
  const uid_t user = ::geteuid();
  if (user == 0) return true;
  if (target.st_uid != user) return false;
  if (target.st_gid == ::getegid()) return true;
  const int count = ::getgroups(0, nullptr);
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(count, 0)));
  return ::getgroups(count, groups.data()) == count && std::ranges::count(groups, target.st_gid) != 0;
}

bool has_attribute(const std::string& path, std::uint64_t attribute) {
  struct statx status;
  const auto examine = [&] { return ::statx(AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS, &status); };
  if (retry_interrupted(examine) != 0) return false;
  return (status.stx_attributes & attribute) != 0;
}

/// A file that is mounted in this place cannot be renamed onto.
bool is_mounted(const std::string& path) { return has_attribute(path, STATX_ATTR_MOUNT_ROOT); }

/// Files can be made in such a directory, but neither renamed nor removed.
bool is_append_only(const std::string& directory) { return has_attribute(directory, STATX_ATTR_APPEND); }

/// Whether users have given attributes to the file. Access control lists are copied, and labels of the system are its
/// own business.
bool has_user_attributes(const std::string& path) {
  const ssize_t bytes = ::listxattr(path.c_str(), nullptr, 0);
  if (bytes <= 0) return false;
  std::string names(static_cast<std::size_t>(bytes), '\0');
  const ssize_t got = ::listxattr(path.c_str(), names.data(), names.size());
  if (got < 0) return true;  // they have just changed
  constexpr std::string_view kPrefix = "user.";
  for (std::string_view rest(names.data(), static_cast<std::size_t>(got)); !rest.empty();) {
    if (rest.starts_with(kPrefix)) return true;
    rest.remove_prefix(std::min(rest.size(), rest.find('\0') + 1));
  }
  return false;
}

}  // namespace

bool can_change_files_in(const std::string& directory) {
  const auto examine = [&] { return ::faccessat(AT_FDCWD, directory.c_str(), W_OK | X_OK, AT_EACCESS); };
  return retry_interrupted(examine) == 0 && !is_append_only(directory);
}

bool can_be_replaced(const std::string& path, const struct stat& target) {
  if (target.st_nlink != 1 || !may_give_to(target) || leads_to_process_link(path)) return false;
  const auto real = real_path(path);
  if (!real) return false;
  if (!can_change_files_in(directory_of(*real))) return false;
  return may_replace(*real, target.st_uid) && !is_mounted(*real) && !has_user_attributes(*real);
}

}  // namespace sortie

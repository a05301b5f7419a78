#include "io/paths/paths.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.hpp"
#include "base/retry_interrupted.hpp"
#include "base/whole_number.hpp"

namespace sortie {
namespace {

constexpr ino_t kProcRoot = 1;

/// The absolute path without links, as the kernel knows it; nothing if it does not say. A look at each part of a path
/// takes a time that grows with the square of their number.
std::optional<std::string> path_by_kernel(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!file.is_open()) return std::nullopt;
  char text[PATH_MAX];
  const std::string link = "/proc/self/fd/" + std::to_string(file.number());
  const ssize_t length = ::readlink(link.c_str(), text, sizeof text);
  struct stat opened;
  struct stat named;
  const bool is_known = length > 0 && static_cast<std::size_t>(length) < sizeof text && text[0] == '/' &&
                        ::fstat(file.number(), &opened) == 0;
  file.close();
  if (!is_known) return std::nullopt;
  std::string found(text, static_cast<std::size_t>(length));
  // A file that is deleted, or moved right now, has no such path.
  const bool leads_there = ::lstat(found.c_str(), &named) == 0 && named.st_dev == opened.st_dev &&
                           named.st_ino == opened.st_ino && !S_ISLNK(named.st_mode);
  return leads_there ? std::optional(std::move(found)) : std::nullopt;
}

/// Whether the names in `directory` are descriptors of this process. Threads share those of their process.
bool holds_own_descriptors(const std::string& directory) {
  const auto folder = real_path(directory);
  const auto process = real_path("/proc/self");
  if (!folder || !process) return false;
  return *folder == *process + "/fd" || (folder->starts_with(*process + "/task/") && folder->ends_with("/fd"));
}

std::optional<int> number_in(std::string_view name) {
  const auto number = whole_number<int>(name);
  return number && *number >= 0 && std::to_string(*number) == name ? number : std::nullopt;
}

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

constexpr mode_t kShared = S_ISVTX | S_IWOTH;

/// The owner of the directory, if it has the permission `bits`.
std::optional<uid_t> owner_if(const std::string& directory, mode_t bits) {
  struct stat status;
  const auto examine = [&] { return ::stat(directory.c_str(), &status); };
  if (retry_interrupted(examine) != 0 || (status.st_mode & bits) != bits) return std::nullopt;
  return status.st_uid;
}

}  // namespace

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

std::string name_in_directory(const std::string& path) { return path.substr(path.rfind('/') + 1); }  // npos + 1 is 0

std::string without_end_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

bool can_only_be_directory(const std::string& path) {
  if (!path.ends_with('/')) return false;
  const std::string directory = directory_of(without_end_slashes(path));
  struct stat status;
  return retry_interrupted([&] { return ::stat(directory.c_str(), &status); }) == 0 && S_ISDIR(status.st_mode);
}

std::optional<std::string> real_path(const std::string& path) {
  if (auto found = path_by_kernel(path)) return found;
  std::error_code failure;
  std::string found;
  do {
    found = std::filesystem::canonical(path, failure).string();
  } while (failure == std::errc::interrupted);
  if (failure) return std::nullopt;
  return found;
}

std::optional<std::string> linked_path(const std::string& path) {
  char target[PATH_MAX];
  const ssize_t length = ::readlink(path.c_str(), target, sizeof target);
  if (length < 0) return std::nullopt;
  std::string next(target, static_cast<std::size_t>(length));
  const bool is_relative = !next.starts_with('/');
  return is_relative && path.find('/') != std::string::npos ? directory_of(path) + next : next;
}

// /proc/self, /proc/mounts and the like, in the root of that file system, are ordinary links.
bool is_process_link(const std::string& path) {
  struct stat link;
  if (retry_interrupted([&] { return ::lstat(path.c_str(), &link); }) != 0 || !S_ISLNK(link.st_mode)) return false;
  const std::string directory = directory_of(path);
  struct statfs space;
  struct stat status;
  return retry_interrupted([&] { return ::statfs(directory.c_str(), &space); }) == 0 &&
         space.f_type == PROC_SUPER_MAGIC &&
         retry_interrupted([&] { return ::stat(directory.c_str(), &status); }) == 0 && status.st_ino != kProcRoot;
}

std::optional<int> descriptor_named(const std::string& path) {
  std::optional<std::string> current = path;
  for (int links = 0; current && links < kMaxLinks; ++links) {
    const auto number = number_in(name_in_directory(*current));
    if (number && holds_own_descriptors(directory_of(*current))) return number;
    current = linked_path(*current);
  }
  return std::nullopt;
}

bool may_replace(const std::string& path, uid_t owner) {
  const uid_t user = ::geteuid();
  if (user == 0 || user == owner) return true;
  const std::optional<uid_t> directory_owner = owner_if(directory_of(path), S_ISVTX);
  return !directory_owner || *directory_owner == user;
}

bool is_foreign_link(const std::string& path) {
  struct stat link;
  const auto examine = [&] { return ::lstat(path.c_str(), &link); };
  if (retry_interrupted(examine) != 0 || !S_ISLNK(link.st_mode) || link.st_uid == ::geteuid()) return false;
  const std::optional<uid_t> directory_owner = owner_if(directory_of(path), kShared);
  return directory_owner && *directory_owner != link.st_uid;
}

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

#include "io/paths/paths.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <climits>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/retry_interrupted.hpp"
#include "base/whole_number.hpp"

namespace sortie {
namespace {

constexpr ino_t kProcRoot = 1;

/// The absolute path without links, as the kernel knows it; nothing if it does not say. A look at each part of a path
/// takes a time that grows with the square of their number.
std::optional<std::string> path_by_kernel(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  char text[PATH_MAX];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = ::readlink(link.c_str(), text, sizeof text);
  struct stat opened;
  struct stat named;
  const bool is_known = length > 0 && static_cast<std::size_t>(length) < sizeof text && text[0] == '/' &&
                        ::fstat(descriptor, &opened) == 0;
  ::close(descriptor);
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

}  // namespace sortie

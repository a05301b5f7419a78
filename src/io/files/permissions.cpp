#include "io/files/permissions.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "base/retry_interrupted.hpp"
#include "base/system_file.hpp"
#include "base/whole_number.hpp"

namespace sortie {
namespace {

constexpr char kAccessList[] = "system.posix_acl_access";
/// With these, what is written now would run with the rights that were given to what was there before.
constexpr std::uint32_t kSetIdBits = 06000;
constexpr std::uint32_t kGroupBits = 070;

/// The umask, read from /proc because umask() would also set it, for all threads. Without /proc, new files are for this
/// user alone.
std::uint32_t new_file_mask() {
  const std::string status = read_system_file("/proc/self/status");
  std::string_view rest = status;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    if (word != "Umask:") continue;
    if (const auto mask = whole_number<std::uint32_t>(next_word(rest), 8)) return *mask;
  }
  return 077;
}

bool change_mode(int descriptor, std::uint32_t mode) {
  return retry_interrupted([&] { return ::fchmod(descriptor, static_cast<mode_t>(mode)); }) == 0;
}

/// An empty list takes away what the directory has passed on to the file.
bool set_access_list(int descriptor, const std::string& list) {
  if (!list.empty()) return ::fsetxattr(descriptor, kAccessList, list.data(), list.size(), 0) == 0;
  return ::fremovexattr(descriptor, kAccessList) == 0 || errno == ENODATA || errno == EOPNOTSUPP;
}

}  // namespace

std::string access_list_of(const std::string& path) {
  const ssize_t bytes = ::getxattr(path.c_str(), kAccessList, nullptr, 0);
  if (bytes <= 0) return {};
  std::string list(static_cast<std::size_t>(bytes), '\0');
  // A list that has just changed may not fit; then only the permission bits count.
  return ::getxattr(path.c_str(), kAccessList, list.data(), list.size()) == bytes ? list : std::string();
}

bool set_permissions(int descriptor, const FileStatus& status) {
  if (status.kind == FileStatus::Kind::kMissing) return change_mode(descriptor, 0666 & ~new_file_mask());
  const auto change_owner = [&](uid_t user) {
    return retry_interrupted([&] { return ::fchown(descriptor, user, status.group); }) == 0;
  };
  const bool same_group = change_owner(status.user) || change_owner(static_cast<uid_t>(-1));
  const bool same_list = same_group && set_access_list(descriptor, status.access_list);
  std::uint32_t mode = status.mode & ~kSetIdBits;
  if (!same_list) mode &= ~kGroupBits | (mode << 3);
  return change_mode(descriptor, mode);
}

}  // namespace sortie

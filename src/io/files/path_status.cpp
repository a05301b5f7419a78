#include "io/files/path_status.hpp"

#include <algorithm>
#include <cerrno>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sortie/standard_descriptors.hpp>

#include "base/quote.hpp"
#include "base/retry_interrupted.hpp"
#include "base/system_limits.hpp"
#include "io/files/io_error.hpp"
#include "io/files/permissions.hpp"
#include "io/files/posix_file.hpp"
#include "io/paths/paths.hpp"

namespace sortie {
namespace {

FileStatus::Kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileStatus::Kind::kRegular;
  return S_ISDIR(mode) ? FileStatus::Kind::kDirectory : FileStatus::Kind::kStream;
}

bool is_writable(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  return flags != -1 && (flags & O_ACCMODE) != O_RDONLY;
}

/// Fills `status` with what stat() has answered.
void describe(const struct stat& found, FileStatus& status) {
  status.kind = kind_of(found.st_mode);
  status.is_pipe = S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode);
  status.mode = found.st_mode & 07777;
  status.user = found.st_uid;
  status.group = found.st_gid;
  status.bytes = static_cast<std::uint64_t>(found.st_size);
  status.modified_ns = modified_ns(found);
  status.changed_ns = changed_ns(found);
  status.inode = found.st_ino;
  status.device = found.st_dev;
}

/// Fills `found` with the answer of stat(), unless the file is missing.
FileStatus examine(const std::string& path, const GivenDescriptors& given, struct stat& found) {
  FileStatus status;
  const std::optional<int> named = descriptor_named(path);
  if (named && !given.has(*named)) return status;
  const int error_number = retry_interrupted([&] { return ::stat(path.c_str(), &found); }) == 0 ? 0 : errno;
  if (error_number == 0) {
    if (named && is_writable(*named)) status.descriptor = *named;
    describe(found, status);
  } else if (error_number == ENOENT || error_number == ENOTDIR) {
    status.lacks_directory = can_only_be_directory(path);
  } else {
    throw_io_error("open", quote_path(path), error_number, FileRole::kOutput);
  }
  return status;
}

/// Fills `status` with the rights that this process has to the file.
void find_rights(const std::string& path, const struct stat& found, FileStatus& status) {
  status.writable = retry_interrupted([&] { return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS); }) == 0;
  if (!status.writable) status.write_error = errno;
  if (status.kind == FileStatus::Kind::kRegular) {
    status.access_list = access_list_of(path);
    status.replaceable = can_be_replaced(path, found);
  }
  if (status.kind == FileStatus::Kind::kDirectory) status.writable = can_change_files_in(path);
}

}  // namespace

GivenDescriptors::GivenDescriptors() : numbers_(open_descriptors()) {}

bool GivenDescriptors::has(int descriptor) const {
  return std::ranges::binary_search(numbers_, descriptor) && !was_closed(descriptor);
}

FileStatus status_of(const std::string& path, const GivenDescriptors& given) {
  struct stat found;
  return examine(path, given, found);
}

FileStatus target_status_of(const std::string& path, const GivenDescriptors& given) {
  struct stat found = {};
  FileStatus status = examine(path, given, found);
  if (status.kind != FileStatus::Kind::kMissing) find_rights(path, found, status);
  return status;
}

}  // namespace sortie

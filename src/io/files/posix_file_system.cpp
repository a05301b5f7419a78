// The machine's own files behind the interface of file.hpp.

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <sortie/standard_descriptors.hpp>

#include "base/descriptor.hpp"
#include "base/quote.hpp"
#include "base/system_limits.hpp"
#include "io/files/direct_input_file.hpp"
#include "io/files/file.hpp"
#include "io/files/io_error.hpp"
#include "io/files/permissions.hpp"
#include "io/files/posix_file.hpp"
#include "io/files/private_directory.hpp"
#include "io/files/transfer.hpp"
#include "io/files/unnamed_file.hpp"
#include "io/paths/paths.hpp"

namespace sortie {
namespace {

/// Larger than the default of 64 KiB: fewer switches between the two ends of a pipe.
constexpr int kPipeBytes = 1 << 20;

int open_checked(const std::string& path, int flags, std::uint32_t mode = 0) {
  return above_standard(retry_interrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, mode); }));
}

/// A descriptor for a file, or -1 with errno.
struct Opened {
  int descriptor = -1;
  bool is_borrowed = false;  ///< was open before, and stays open
};

/// A descriptor that is not ours is used as it is: a copy would be one more of those that the process may have.
Opened borrow(int descriptor) { return ::fcntl(descriptor, F_GETFD) < 0 ? Opened() : Opened{descriptor, true}; }

FileStatus::Kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileStatus::Kind::kRegular;
  return S_ISDIR(mode) ? FileStatus::Kind::kDirectory : FileStatus::Kind::kStream;
}

class PosixFileSystem final : public FileSystem {
 public:
  explicit PosixFileSystem(TemporaryNames* names) : names_(names), given_descriptors_(open_descriptors()) {}

  std::unique_ptr<File> open_input(const std::string& path) override {
    const std::string object = path == "-" ? "-" : quote_path(path);
    const Opened opened = path == "-" ? borrow(STDIN_FILENO) : Opened{open_named(path, O_RDONLY)};
    const int descriptor = opened.descriptor;
    if (descriptor < 0) throw_io_error("open", object, errno, FileRole::kInput);
    auto file = std::make_unique<DirectInputFile>(descriptor, path, object);
    if (opened.is_borrowed) file->leave_open();
    struct stat status;
    if (retry_interrupted([&] { return ::fstat(descriptor, &status); }) != 0)
      throw_io_error("examine", object, errno, FileRole::kInput);
    if (S_ISDIR(status.st_mode)) throw_io_error("read", object, EISDIR, FileRole::kInput);
    if (S_ISFIFO(status.st_mode)) ::fcntl(descriptor, F_SETPIPE_SZ, kPipeBytes);  // a wish: may be refused
    if (file->seekable()) ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
    return file;
  }

  bool may_wait(const std::string& path) override {
    const bool is_standard_input = path == "-";
    const std::string object = is_standard_input ? "-" : quote_path(path);
    struct stat status;
    const int result = retry_interrupted(
        [&] { return is_standard_input ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status); });
    if (result != 0) throw_io_error(is_standard_input ? "read" : "open", object, errno, FileRole::kInput);
    if (S_ISREG(status.st_mode) || S_ISBLK(status.st_mode) || S_ISDIR(status.st_mode)) return false;
    const auto examine = [&] { return ::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS); };
    if (!is_standard_input && retry_interrupted(examine) != 0) {
      throw_io_error("open", object, errno, FileRole::kInput);
    }
    return true;
  }

  std::unique_ptr<File> open_stream(const std::string& path, const FileStatus& status) override {
    const int descriptor = path == "-" ? STDOUT_FILENO : status.descriptor;
    const std::string object = path == "-" ? "'standard output'" : quote_path(path);
    const Opened opened = descriptor >= 0 ? borrow(descriptor) : Opened{open_checked(path, O_WRONLY)};
    if (opened.descriptor < 0) throw_io_error("open", object, errno, FileRole::kOutput);
    auto file = std::make_unique<PosixFile>(opened.descriptor, path, object, FileRole::kOutput);
    if (opened.is_borrowed) file->leave_open();
    return file;
  }

  std::unique_ptr<File> open_target(const std::string& path) override {
    const int descriptor = open_named(path, O_WRONLY);
    if (descriptor < 0) throw_io_error("open", quote_path(path), errno, FileRole::kOutput);
    return std::make_unique<PosixFile>(descriptor, path, quote_path(path), FileRole::kOutput);
  }

  std::unique_ptr<File> create(const std::string& path, const CreateOptions& options) override {
    const int descriptor = open_checked(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, options.mode);
    try {
      return made(descriptor, path, options);
    } catch (const std::bad_alloc&) {  // the file is nobody's yet
      if (descriptor >= 0) {
        ::unlink(path.c_str());
        ::close(descriptor);
      }
      throw;
    }
  }

  std::unique_ptr<File> create_unlinked(const std::string& directory, const CreateOptions& options) override {
    const int descriptor = open_unlinked_file(directory, options.mode);
    return descriptor == kNoUnlinkedFiles ? nullptr : made(descriptor, directory, options);
  }

  std::unique_ptr<File> create_unnamed(const std::string& directory) override {
    const std::string object = scratch_object(directory);
    const int descriptor = open_unnamed_file(directory, names_);
    if (descriptor < 0) throw_io_error("create", object, errno, FileRole::kScratch);
    return std::make_unique<PosixFile>(descriptor, directory + "/(unnamed)", object, FileRole::kScratch);
  }

  FileStatus status(const std::string& path) override {
    struct stat found;
    return examine(path, found);
  }

  FileStatus target_status(const std::string& path) override {
    struct stat found = {};
    FileStatus status = examine(path, found);
    if (status.kind != FileStatus::Kind::kMissing) find_rights(path, found, status);
    return status;
  }

  std::string resolve_links(const std::string& path) override {
    std::string resolved = path;
    for (int links = 0; links < kMaxLinks; ++links) {
      const std::optional<std::string> next = linked_path(resolved);
      if (!next || is_process_link(resolved)) return resolved;  // no link, or nothing there yet
      if (is_foreign_link(resolved)) throw_io_error("follow", quote_path(path), EACCES, FileRole::kOutput);
      resolved = *next;
    }
    throw_io_error("follow", quote_path(path), ELOOP, FileRole::kOutput);
  }

  FreeSpace free_space(const std::string& directory) override {
    struct statvfs space;
    struct stat status;
    if (retry_interrupted([&] { return ::statvfs(directory.c_str(), &space); }) != 0 ||
        retry_interrupted([&] { return ::stat(directory.c_str(), &status); }) != 0) {
      throw_io_error("create", scratch_object(directory), errno, FileRole::kScratch);
    }
    // Some file systems count no blocks at all, as that of /proc.
    const bool counts = space.f_blocks != 0;
    const std::uint64_t bytes = counts ? std::uint64_t{space.f_bavail} * space.f_frsize : FreeSpace::kUnknownBytes;
    struct statfs kind;
    const bool lies_in_memory =
        retry_interrupted([&] { return ::statfs(directory.c_str(), &kind); }) == 0 && kind.f_type == TMPFS_MAGIC;
    return {status.st_dev, bytes, lies_in_memory};
  }

  std::unique_ptr<PrivateDirectory> open_private_directory(const std::string& path) override {
    return open_posix_directory(path);
  }

  void rename(const std::string& from, const std::string& to) override {
    if (retry_interrupted([&] { return ::rename(from.c_str(), to.c_str()); }) != 0) {
      throw_io_error("replace", quote_path(to), errno, FileRole::kOutput);
    }
  }

  // Where the file system cannot exchange names, there is a moment in which neither file has the second name.
  void exchange(const std::string& a, const std::string& b) override {
    const auto exchange = [&] { return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE); };
    if (retry_interrupted(exchange) == 0) return;
    if (errno != EINVAL && errno != ENOSYS) throw_io_error("replace", quote_path(b), errno, FileRole::kOutput);
    const std::string aside = a + ".aside";
    rename(b, aside);
    try {
      rename(a, b);
    } catch (...) {
      retry_interrupted([&] { return ::rename(aside.c_str(), b.c_str()); });
      throw;
    }
    rename(aside, a);
  }

  void sync_directory(const std::string& directory) override {
    const Descriptor opened(open_checked(directory, O_RDONLY | O_DIRECTORY));
    const int result = opened.is_open() ? retry_interrupted([&] { return ::fsync(opened.number()); }) : -1;
    const int error_number = result < 0 ? errno : 0;
    // The directory may be written but not read, or the file system cannot sync directories.
    const bool impossible = error_number == EACCES || error_number == EINVAL || error_number == ENOTSUP;
    if (error_number != 0 && !impossible) {
      throw_io_error("sync the directory", quote_path(directory), error_number, FileRole::kOutput);
    }
  }

  void sync_file_system(const std::string& directory) override {
    const Descriptor opened(open_checked(directory, O_RDONLY | O_DIRECTORY));
    if (!opened.is_open() || retry_interrupted([&] { return ::syncfs(opened.number()); }) != 0) {
      throw_io_error("sync the file system of", quote_path(directory), errno, FileRole::kOutput);
    }
  }

  void remove(const std::string& path) noexcept override {
    retry_interrupted([&] { return ::unlink(path.c_str()); });
  }

  TemporaryNames::Lock hold_names() override { return names_ == nullptr ? TemporaryNames::Lock() : names_->hold(); }

 private:
  /// Returns the new file behind `descriptor`. Throws Error with errno's reason if that is negative.
  static std::unique_ptr<File> made(int descriptor, const std::string& path, const CreateOptions& options) {
    const int error_number = errno;
    const std::string& shown = options.shown_as.empty() ? path : options.shown_as;
    const std::string object = options.is_scratch ? scratch_object(shown) : quote_path(shown);
    const FileRole role = options.is_scratch ? FileRole::kScratch : FileRole::kOutput;
    if (descriptor < 0) throw_io_error(options.is_scratch ? "create" : "open", object, error_number, role);
    return std::make_unique<PosixFile>(descriptor, shown, object, role);
  }

  static std::string scratch_object(const std::string& directory) {
    return "temporary file in " + quote_path_always(directory);
  }

  /// Fills `found` with the answer of stat(), unless the file is missing.
  FileStatus examine(const std::string& path, struct stat& found) const {
    FileStatus status;
    const std::optional<int> named = descriptor_named(path);
    if (named && !is_given(*named)) return status;
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
  static void find_rights(const std::string& path, const struct stat& found, FileStatus& status) {
    status.writable = retry_interrupted([&] { return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS); }) == 0;
    if (!status.writable) status.write_error = errno;
    if (status.kind == FileStatus::Kind::kRegular) {
      status.access_list = access_list_of(path);
      status.replaceable = can_be_replaced(path, found);
    }
    if (status.kind == FileStatus::Kind::kDirectory) status.writable = can_change_files_in(path);
  }

  /// Fills `status` with what stat() has answered.
  static void describe(const struct stat& found, FileStatus& status) {
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

  /// Whether the descriptor was open when the sort began. A number must not reach files that the sort itself has opened
  /// since, nor what only fills the place of a closed standard descriptor.
  bool is_given(int descriptor) const {
    return std::ranges::binary_search(given_descriptors_, descriptor) && !was_closed(descriptor);
  }

  static bool is_writable(int descriptor) {
    const int flags = ::fcntl(descriptor, F_GETFL);
    return flags != -1 && (flags & O_ACCMODE) != O_RDONLY;
  }

  /// Opens `path`. A name that stands for a descriptor opens the file behind it anew.
  int open_named(const std::string& path, int flags) const {
    if (const auto named = descriptor_named(path); named && !is_given(*named)) {
      errno = ENOENT;
      return -1;
    }
    return open_checked(path, flags);
  }

  TemporaryNames* names_;
  std::vector<int> given_descriptors_;
};

}  // namespace

std::unique_ptr<FileSystem> make_posix_file_system(TemporaryNames* names) {
  return std::make_unique<PosixFileSystem>(names);
}

}  // namespace sortie

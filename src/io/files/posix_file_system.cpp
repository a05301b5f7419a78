// The machine's own files behind the interface of file.hpp.

#include <cerrno>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/descriptor.hpp"
#include "base/quote.hpp"
#include "io/files/direct_input_file.hpp"
#include "io/files/file.hpp"
#include "io/files/io_error.hpp"
#include "io/files/path_status.hpp"
#include "io/files/posix_file.hpp"
#include "io/files/private_directory.hpp"
#include "io/files/transfer.hpp"
#include "io/files/unnamed_file.hpp"
#include "io/paths/paths.hpp"

namespace sortie {
namespace {

/// Larger than the default of 64 KiB: fewer switches between the two ends of a pipe.
constexpr int kPipeBytes = 1 << 20;

Descriptor open_checked(const std::string& path, int flags, std::uint32_t mode = 0) {
  return Descriptor(
      above_standard(retry_interrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, mode); })));
}

/// A descriptor that is not ours is used as it is: a copy would be one more of those that the process may have. The
/// file that takes it leaves it open.
Descriptor borrowed(int descriptor) { return Descriptor(::fcntl(descriptor, F_GETFD) < 0 ? -1 : descriptor); }

std::string scratch_object(const std::string& directory) { return "temporary file in " + quote_path_always(directory); }

class PosixFileSystem final : public FileSystem {
 public:
  explicit PosixFileSystem(TemporaryNames* names) : names_(names) {}

  std::unique_ptr<File> open_input(const std::string& path) override {
    auto file = std::make_unique<DirectInputFile>(path, path == "-" ? "-" : quote_path(path));
    if (path == "-") file->leave_open();
    Descriptor opened = path == "-" ? borrowed(STDIN_FILENO) : open_named(path, O_RDONLY);
    const int descriptor = opened.number();
    file->take(std::move(opened), "open");
    struct stat status;
    if (retry_interrupted([&] { return ::fstat(descriptor, &status); }) != 0) file->fail("examine", errno);
    if (S_ISDIR(status.st_mode)) file->fail("read", EISDIR);
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
    const bool is_borrowed = descriptor >= 0;
    const std::string object = path == "-" ? "'standard output'" : quote_path(path);
    auto file = std::make_unique<PosixFile>(path, object, FileRole::kOutput);
    if (is_borrowed) file->leave_open();
    file->take(is_borrowed ? borrowed(descriptor) : open_checked(path, O_WRONLY), "open");
    return file;
  }

  std::unique_ptr<File> open_target(const std::string& path) override {
    auto file = std::make_unique<PosixFile>(path, quote_path(path), FileRole::kOutput);
    file->take(open_named(path, O_WRONLY), "open");
    return file;
  }

  std::unique_ptr<File> create(const std::string& path, const CreateOptions& options) override {
    auto file = new_file(path, options);
    file->take(open_checked(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, options.mode), creation(options));
    return file;
  }

  std::unique_ptr<File> create_unlinked(const std::string& directory, const CreateOptions& options) override {
    auto file = new_file(directory, options);
    std::optional<Descriptor> opened = open_unlinked_file(directory, options.mode);
    if (!opened) return nullptr;
    file->take(*std::move(opened), creation(options));
    return file;
  }

  std::unique_ptr<File> create_unnamed(const std::string& directory) override {
    const std::string name = directory + "/(unnamed)";
    auto file = std::make_unique<PosixFile>(name, scratch_object(directory), FileRole::kScratch);
    file->take(open_unnamed_file(directory, names_), "create");
    return file;
  }

  FileStatus status(const std::string& path) override { return status_of(path, given_descriptors_); }
  FileStatus target_status(const std::string& path) override { return target_status_of(path, given_descriptors_); }

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

  void remove(const std::string& path) noexcept override { unlink_file(path); }

  TemporaryNames::Lock hold_names() override { return names_ == nullptr ? TemporaryNames::Lock() : names_->hold(); }

 private:
  static std::unique_ptr<PosixFile> new_file(const std::string& path, const CreateOptions& options) {
    const std::string& shown = options.shown_as.empty() ? path : options.shown_as;
    const std::string object = options.is_scratch ? scratch_object(shown) : quote_path(shown);
    return std::make_unique<PosixFile>(shown, object, options.is_scratch ? FileRole::kScratch : FileRole::kOutput);
  }
  /// What is done to a new file, in messages.
  static const char* creation(const CreateOptions& options) { return options.is_scratch ? "create" : "open"; }

  /// Opens `path`. A name that stands for a descriptor opens the file behind it anew.
  Descriptor open_named(const std::string& path, int flags) const {
    if (const auto named = descriptor_named(path); named && !given_descriptors_.has(*named)) {
      errno = ENOENT;
      return Descriptor();
    }
    return open_checked(path, flags);
  }

  TemporaryNames* names_;
  GivenDescriptors given_descriptors_;
};

}  // namespace

std::unique_ptr<FileSystem> make_posix_file_system(TemporaryNames* names) {
  return std::make_unique<PosixFileSystem>(names);
}

}  // namespace sortie

#include "io/files/private_directory.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <thread>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sortie/error.hpp>

#include "base/descriptor.hpp"
#include "base/quote.hpp"
#include "io/files/io_error.hpp"
#include "io/files/posix_file.hpp"
#include "io/files/transfer.hpp"
#include "io/files/unnamed_file.hpp"
#include "io/paths/paths.hpp"

namespace sortie {
namespace {

constexpr mode_t kDirectoryMode = 0700;
constexpr std::chrono::seconds kLockPatience{3};
constexpr mode_t kFileMode = 0600;
constexpr mode_t kOthers = 0077;

struct CloseDirectory {
  void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};

/// Null at the end, and with errno if the directory cannot be read.
const dirent* next_entry(DIR* directory) {
  const dirent* entry = nullptr;
  do {
    errno = 0;
    entry = ::readdir(directory);
  } while (entry == nullptr && errno == EINTR);
  return entry;
}

/// Whether `path` leads to `directory` now.
bool leads_to(const std::string& path, const Descriptor& directory) noexcept {
  struct stat held;
  struct stat named;
  const bool is_there = retry_interrupted([&] { return ::fstat(directory.number(), &held); }) == 0 &&
                        retry_interrupted([&] { return ::lstat(path.c_str(), &named); }) == 0;
  return is_there && held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

class PosixDirectory final : public PrivateDirectory {
 public:
  PosixDirectory(Descriptor descriptor, std::string path, bool is_new)
      : descriptor_(std::move(descriptor)), path_(std::move(path)), is_new_(is_new) {}

  const std::string& path() const override { return path_; }
  bool is_new() const override { return is_new_; }

  std::vector<std::string> names() override {
    // Opens the directory once more, because readdir() moves the position.
    Descriptor copy(above_standard(
        retry_interrupted([&] { return ::openat(descriptor_.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); })));
    const std::unique_ptr<DIR, CloseDirectory> entries(copy.is_open() ? ::fdopendir(copy.number()) : nullptr);
    if (!entries) fail("read", errno);
    static_cast<void>(copy.release());  // is that of `entries`
    std::vector<std::string> names;
    while (const dirent* entry = next_entry(entries.get())) {
      const std::string name = entry->d_name;
      if (name != "." && name != "..") names.push_back(name);
    }
    if (errno != 0) fail("read", errno);
    return names;
  }

  std::unique_ptr<File> create(const std::string& name) override {
    auto file = file_named(name);
    file->take(open_descriptor(name, O_CREAT | O_EXCL), "create");
    return file;
  }

  std::unique_ptr<File> open(const std::string& name) override {
    auto file = file_named(name);
    Descriptor opened = open_descriptor(name, O_NONBLOCK);
    if (!opened.is_open() && errno == ENOENT) return nullptr;
    file->take(std::move(opened), "open");
    if (!file->seekable()) throw Error(quote_path(path_of(name)) + " cannot be used: it is no regular file");
    return file;
  }

  void rename(const std::string& from, const std::string& to) override {
    const int directory = descriptor_.number();
    int result = retry_interrupted(
        [&] { return ::renameat2(directory, from.c_str(), directory, to.c_str(), RENAME_NOREPLACE); });
    // Not all file systems know RENAME_NOREPLACE.
    if (result != 0 && (errno == EINVAL || errno == ENOSYS)) {
      result = retry_interrupted([&] { return ::renameat(directory, from.c_str(), directory, to.c_str()); });
    }
    if (result != 0) throw_io_error("create", quote_path(path_of(to)), errno, FileRole::kCheckpoint);
  }

  bool remove(const std::string& name) noexcept override { return unlink_file(name, descriptor_.number()); }

  void sync() override {
    const int result = retry_interrupted([&] { return ::fsync(descriptor_.number()); });
    if (result != 0 && errno != EINVAL && errno != ENOTSUP) fail("sync the directory", errno);
  }

  void remove_itself() noexcept override {
    if (leads_to(path_, descriptor_)) retry_interrupted([&] { return ::rmdir(path_.c_str()); });
  }

 private:
  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

  std::unique_ptr<PosixFile> file_named(const std::string& name) const {
    const std::string path = path_of(name);
    return std::make_unique<PosixFile>(path, quote_path(path), FileRole::kCheckpoint);
  }

  Descriptor open_descriptor(const std::string& name, int flags) const {
    return Descriptor(above_standard(retry_interrupted([&] {
      return ::openat(descriptor_.number(), name.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | flags,
                      kFileMode);
    })));
  }

  [[noreturn]] void fail(const char* action, int error_number) const {
    throw_io_error(action, quote_path(path_), error_number, FileRole::kCheckpoint);
  }

  Descriptor descriptor_;
  std::string path_;
  bool is_new_;
};

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw Error("directory " + quote_word(path) + " cannot be used: " + reason);
}

Descriptor open_directory(const std::string& path, int flags) {
  return Descriptor(above_standard(
      retry_interrupted([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags); })));
}

void sync_parent(const std::string& path) {
  const Descriptor directory = open_directory(directory_of(path), 0);
  // A directory that may not be read cannot be synced either: after a power failure the new one in it may be gone.
  if (directory.is_open()) retry_interrupted([&] { return ::fsync(directory.number()); });
}

/// Opens `path` itself. Not open if nothing has that name.
Descriptor open_itself(const std::string& path) {
  Descriptor directory = open_directory(path, O_NOFOLLOW);
  if (directory.is_open()) return directory;
  struct stat status;
  const int error_number = errno;
  if (error_number == ENOENT) return directory;
  if (retry_interrupted([&] { return ::lstat(path.c_str(), &status); }) == 0 && S_ISLNK(status.st_mode)) {
    refuse(path, "it is a symbolic link; name the directory that it leads to");
  }
  throw_io_error("open", quote_path(path), error_number, FileRole::kCheckpoint);
}

void refuse_shared(const Descriptor& directory, const std::string& path) {
  struct stat status;
  if (retry_interrupted([&] { return ::fstat(directory.number(), &status); }) != 0) {
    throw_io_error("examine", quote_path(path), errno, FileRole::kCheckpoint);
  }
  if (status.st_uid != ::geteuid()) refuse(path, "it belongs to another user; name one of your own");
  if ((status.st_mode & kOthers) != 0) {
    refuse(path, "other users may read or write it; close it with chmod 700, or name another");
  }
}

// Waits a little: a process that was killed keeps its locks until it has given back its memory. False with errno.
bool lock(const Descriptor& directory) {
  const auto deadline = std::chrono::steady_clock::now() + kLockPatience;
  while (retry_interrupted([&] { return ::flock(directory.number(), LOCK_EX | LOCK_NB); }) != 0) {
    if (errno != EWOULDBLOCK || std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

void lock_or_refuse(const Descriptor& directory, const std::string& path) {
  if (lock(directory)) return;
  if (errno == EWOULDBLOCK) refuse(path, "another sort is using it; wait until that has ended, or name another");
  refuse(path, "its file system cannot lock it; name one on a local disk");
}

}  // namespace

std::unique_ptr<PrivateDirectory> FileSystem::open_private_directory(const std::string&) { return nullptr; }

// The sort that held the lock before may have removed the directory at its end: then a new one is made.
std::unique_ptr<PrivateDirectory> open_posix_directory(const std::string& path_with_slashes) {
  const std::string path = without_end_slashes(path_with_slashes);
  while (true) {
    const bool is_new = retry_interrupted([&] { return ::mkdir(path.c_str(), kDirectoryMode); }) == 0;
    if (!is_new && errno != EEXIST) throw_io_error("create", quote_path(path), errno, FileRole::kCheckpoint);
    if (is_new) sync_parent(path);
    Descriptor directory = open_itself(path);
    if (!directory.is_open()) continue;
    refuse_shared(directory, path);
    lock_or_refuse(directory, path);
    if (leads_to(path, directory)) return std::make_unique<PosixDirectory>(std::move(directory), path, is_new);
  }
}

}  // namespace sortie

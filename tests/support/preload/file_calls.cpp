// Replaces the C library's calls on files. As the plan says, they fail, transfer a part, or go to the kernel.
#include <cerrno>
#include <cstdarg>

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "support/preload/fault_plan.hpp"

namespace {

using namespace sortie::test;

int open_file(int directory, const char* path, int flags, mode_t mode) {
  if (!passes(Call::kOpen)) return -1;
  if ((flags & O_TMPFILE) == O_TMPFILE && !knows_nameless_files()) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_openat, directory, path, flags, mode));
}

/// `move` transfers the given number of bytes, or fewer.
template <class Move>
ssize_t transfer(Call call, std::size_t bytes, Move move) {
  const Verdict verdict = judge(call);
  if (verdict == Verdict::kFail) return -1;
  return move(verdict == Verdict::kShorten ? shortened(bytes) : bytes);
}

}  // namespace

extern "C" {

// The caller passes a mode only if a file may be created. Otherwise the value read in its place does no harm.
#define SORTIE_OPEN(NAME, PARAMETERS, DIRECTORY)    \
  int NAME PARAMETERS {                             \
    va_list rest;                                   \
    va_start(rest, flags);                          \
    const mode_t mode = va_arg(rest, mode_t);       \
    va_end(rest);                                   \
    return open_file(DIRECTORY, path, flags, mode); \
  }
SORTIE_OPEN(open, (const char* path, int flags, ...), AT_FDCWD)
SORTIE_OPEN(open64, (const char* path, int flags, ...), AT_FDCWD)
SORTIE_OPEN(openat, (int directory, const char* path, int flags, ...), directory)
SORTIE_OPEN(openat64, (int directory, const char* path, int flags, ...), directory)

ssize_t read(int file, void* target, size_t bytes) {
  return transfer(Call::kRead, bytes, [=](size_t part) { return ::syscall(SYS_read, file, target, part); });
}

ssize_t write(int file, const void* source, size_t bytes) {
  return transfer(Call::kWrite, bytes, [=](size_t part) { return ::syscall(SYS_write, file, source, part); });
}

ssize_t pread(int file, void* target, size_t bytes, off_t offset) {
  return transfer(Call::kReadAt, bytes,
                  [=](size_t part) { return ::syscall(SYS_pread64, file, target, part, offset); });
}

ssize_t pwrite(int file, const void* source, size_t bytes, off_t offset) {
  return transfer(Call::kWriteAt, bytes,
                  [=](size_t part) { return ::syscall(SYS_pwrite64, file, source, part, offset); });
}

ssize_t preadv(int file, const iovec* parts, int count, off_t offset) {
  const Verdict verdict = judge(Call::kReadAt);
  if (verdict == Verdict::kFail) return -1;
  return ::syscall(SYS_preadv, file, parts, verdict == Verdict::kShorten ? 1 : count, offset, 0L);
}

int fallocate(int file, int mode, off_t offset, off_t bytes) {
  if (!passes(Call::kAllocate)) return -1;
  return static_cast<int>(::syscall(SYS_fallocate, file, mode, offset, bytes));
}

int ftruncate(int file, off_t bytes) noexcept {
  return passes(Call::kTruncate) ? static_cast<int>(::syscall(SYS_ftruncate, file, bytes)) : -1;
}

int fsync(int file) { return passes(Call::kSync) ? static_cast<int>(::syscall(SYS_fsync, file)) : -1; }

int fdatasync(int file) { return passes(Call::kSync) ? static_cast<int>(::syscall(SYS_fdatasync, file)) : -1; }

int rename(const char* from, const char* to) noexcept {
  if (!passes(Call::kRename)) return -1;
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0U));
}

int renameat2(int from_directory, const char* from, int to_directory, const char* to, unsigned flags) noexcept {
  if (!passes(Call::kRename)) return -1;
  return static_cast<int>(::syscall(SYS_renameat2, from_directory, from, to_directory, to, flags));
}

int unlink(const char* path) noexcept {
  return passes(Call::kUnlink) ? static_cast<int>(::syscall(SYS_unlinkat, AT_FDCWD, path, 0)) : -1;
}

int unlinkat(int directory, const char* path, int flags) noexcept {
  return passes(Call::kUnlink) ? static_cast<int>(::syscall(SYS_unlinkat, directory, path, flags)) : -1;
}

dirent* readdir(DIR* directory) {
  static const auto read_entry = reinterpret_cast<dirent* (*)(DIR*)>(::dlsym(RTLD_NEXT, "readdir"));
  return passes(Call::kReadDirectory) ? read_entry(directory) : nullptr;
}

int lstat(const char* path, struct stat* status) noexcept {
  return passes(Call::kStatus) ? ::fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW) : -1;
}

int linkat(int from_directory, const char* from, int to_directory, const char* to, int flags) noexcept {
  if (!passes(Call::kLink)) return -1;
  return static_cast<int>(::syscall(SYS_linkat, from_directory, from, to_directory, to, flags));
}

int stat(const char* path, struct stat* status) noexcept {
  return passes(Call::kStatus) ? ::fstatat(AT_FDCWD, path, status, 0) : -1;
}

int fstat(int file, struct stat* status) noexcept {
  return passes(Call::kStatus) ? ::fstatat(file, "", status, AT_EMPTY_PATH) : -1;
}

off_t lseek(int file, off_t offset, int whence) noexcept {
  return passes(Call::kSeek) ? ::syscall(SYS_lseek, file, offset, whence) : -1;
}

int fcntl(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  return passes(Call::kControl) ? static_cast<int>(::syscall(SYS_fcntl, file, command, argument)) : -1;
}

int posix_fadvise(int file, off_t offset, off_t bytes, int advice) noexcept {
  if (!passes(Call::kAdvise)) return errno;
  return static_cast<int>(::syscall(SYS_fadvise64, file, offset, bytes, advice)) < 0 ? errno : 0;
}

int sync_file_range(int file, off_t offset, off_t bytes, unsigned flags) {
  return passes(Call::kAdvise) ? static_cast<int>(::syscall(SYS_sync_file_range, file, offset, bytes, flags)) : -1;
}

int fchmod(int file, mode_t mode) noexcept {
  return passes(Call::kPermissions) ? static_cast<int>(::syscall(SYS_fchmod, file, mode)) : -1;
}

int fchown(int file, uid_t user, gid_t group) noexcept {
  return passes(Call::kPermissions) ? static_cast<int>(::syscall(SYS_fchown, file, user, group)) : -1;
}

int pipe2(int* ends, int flags) noexcept {
  return passes(Call::kPipe) ? static_cast<int>(::syscall(SYS_pipe2, ends, flags)) : -1;
}

void* mmap(void* position, size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  const Call call = (flags & MAP_ANONYMOUS) != 0 ? Call::kMapMemory : Call::kMapFile;
  if (!passes(call)) return MAP_FAILED;
  return reinterpret_cast<void*>(::syscall(SYS_mmap, position, bytes, protection, flags, file, offset));
}

int fcntl64(int file, int command, ...) __attribute__((alias("fcntl")));
ssize_t pread64(int file, void* target, size_t bytes, off64_t offset) __attribute__((alias("pread")));
ssize_t pwrite64(int file, const void* source, size_t bytes, off64_t offset) __attribute__((alias("pwrite")));
void* mmap64(void* position, size_t bytes, int protection, int flags, int file, off64_t offset) noexcept
    __attribute__((alias("mmap")));

}  // extern "C"

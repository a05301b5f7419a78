#include "io/files/posix_file.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/bytes.hpp"
#include "base/thread_team.hpp"
#include "io/files/permissions.hpp"
#include "io/files/transfer.hpp"
#include "io/files/unnamed_file.hpp"
#include "io/mapping/mapped_file.hpp"

namespace sortie {
namespace {

bool has_offsets(const struct stat& status) { return S_ISREG(status.st_mode) || S_ISBLK(status.st_mode); }

std::int64_t nanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

/// Whether fallocate() failed because the file system does not support it.
bool is_unsupported(int error_number) {
  return error_number == EOPNOTSUPP || error_number == ENOSYS || error_number == ENODEV || error_number == ESPIPE;
}

/// The system begins to read the beginning of a longer range only, as much as one request to the disk may ask for.
constexpr std::uint64_t kReadAheadBytes = 512 << 10;

/// Flag of pwritev2(), RWF_DONTCACHE: pages are written to the disk at once, and leave memory then. Older systems, and
/// file systems without support, refuse it.
constexpr int kAroundCache = 0x80;

/// Most bytes of one system call. A longer transfer asks after each portion whether the sort is to stop.
constexpr std::size_t kPortionBytes = 8 << 20;

/// Bytes of the next call. Throws Stopped, but never before the first portion: short transfers are not cut off.
std::size_t next_portion(std::size_t moved, std::size_t left) {
  if (moved >= kPortionBytes) throw_if_stopped();
  return std::min(left, kPortionBytes);
}

/// Waits until the other end of a stream lets bytes through. Throws Stopped.
void wait_for_stream(int descriptor, short events) {
  pollfd stream{descriptor, events, 0};
  int ready = 0;
  do {
    throw_if_stopped();
    ready = ::poll(&stream, 1, kStopPollMs);
  } while (ready == 0 || (ready < 0 && errno == EINTR));
}

}  // namespace

std::int64_t modified_ns(const struct stat& status) { return nanoseconds(status.st_mtim); }

std::int64_t changed_ns(const struct stat& status) { return nanoseconds(status.st_ctim); }

std::optional<FileVersion> version_of(int descriptor) {
  struct stat status;
  if (retry_interrupted([&] { return ::fstat(descriptor, &status); }) != 0) return std::nullopt;
  return FileVersion{status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size), modified_ns(status)};
}

PosixFile::PosixFile(std::string path, std::string object, FileRole role)
    : path_(std::move(path)), object_(std::move(object)), role_(role) {}

void PosixFile::take(Descriptor opened, const char* action) {
  if (!opened.is_open()) fail(action, errno);
  descriptor_ = std::move(opened);
  struct stat status;
  if (retry_interrupted([&] { return ::fstat(descriptor(), &status); }) != 0 || !has_offsets(status)) return;
  off_t position = ::lseek(descriptor(), 0, SEEK_CUR);
  if (position < 0) return;
  // What is written to it goes to its end, wherever it stands.
  const bool appends = role_ == FileRole::kOutput && (::fcntl(descriptor(), F_GETFL) & O_APPEND) != 0;
  if (appends) position = std::max(position, status.st_size);
  if (S_ISBLK(status.st_mode)) {
    const off_t end = ::lseek(descriptor(), 0, SEEK_END);
    if (end < 0 || ::lseek(descriptor(), position, SEEK_SET) < 0) return;
    device_bytes_ = static_cast<std::uint64_t>(end);
  }
  seekable_ = true;
  origin_ = static_cast<std::uint64_t>(position);
}

PosixFile::~PosixFile() {
  if (is_borrowed_) descriptor_.release();
}

std::size_t PosixFile::read(std::span<std::byte> target) {
  if (!seekable_ && may_be_stopped()) wait_for_stream(descriptor(), POLLIN);
  const ssize_t bytes =
      retry_interrupted([&] { return ::read(descriptor(), target.data(), next_portion(0, target.size())); });
  if (bytes < 0) fail("read", errno);
  return static_cast<std::size_t>(bytes);
}

std::size_t PosixFile::read_at(std::uint64_t offset, std::span<std::byte> target) {
  const Transferred done = transfer_all(target.size(), [&](std::size_t moved, std::size_t left) {
    return ::pread(descriptor(), target.data() + moved, next_portion(moved, left),
                   static_cast<off_t>(origin_ + offset + moved));
  });
  if (done.error_number != 0) fail("read", done.error_number);
  return done.bytes;
}

bool PosixFile::lies_in_memory() const noexcept {
  struct statfs space;
  return seekable_ && ::fstatfs(descriptor(), &space) == 0 && space.f_type == TMPFS_MAGIC;
}

MappedView PosixFile::view(std::uint64_t bytes) const {
  if (!lies_in_memory()) return {};
  struct stat status;
  const bool has_bytes = ::fstat(descriptor(), &status) == 0 && static_cast<std::uint64_t>(status.st_size) >= bytes;
  const bool has_no_name = has_bytes && status.st_nlink == 0;
  return has_no_name && origin_ == 0 ? MappedView(descriptor(), bytes) : MappedView();
}

void PosixFile::set_position(std::uint64_t offset) noexcept {
  static_cast<void>(::lseek(descriptor(), static_cast<off_t>(origin_ + offset), SEEK_SET));
}

void PosixFile::write(std::span<const std::byte> source) {
  const bool may_wait = !seekable_ && may_be_stopped();
  const Transferred done = transfer_all(source.size(), [&](std::size_t moved, std::size_t left) {
    if (may_wait) {
      wait_for_stream(descriptor(), POLLOUT);
      left = std::min<std::size_t>(left, PIPE_BUF);  // more might wait after all
    }
    return ::write(descriptor(), source.data() + moved, next_portion(moved, left));
  });
  if (done.bytes < source.size()) fail("write", done.error_number != 0 ? done.error_number : EIO);
}

void PosixFile::write_at(std::uint64_t offset, std::span<const std::byte> source) {
  const Transferred done = transfer_all(source.size(), [&](std::size_t moved, std::size_t left) {
    return write_portion(source.data() + moved, next_portion(moved, left), origin_ + offset + moved);
  });
  if (done.bytes < source.size()) fail("write", done.error_number != 0 ? done.error_number : EIO);
}

ssize_t PosixFile::write_portion(const std::byte* source, std::size_t bytes, std::uint64_t position) {
  const auto at = static_cast<off_t>(position);
  if (writes_around_cache_) {
    const iovec portion{const_cast<std::byte*>(source), bytes};
    const ssize_t written = ::pwritev2(descriptor(), &portion, 1, at, kAroundCache);
    if (written >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL)) return written;
    writes_around_cache_ = false;
  }
  return ::pwrite(descriptor(), source, bytes, at);
}

void PosixFile::write_mapped_at(std::uint64_t offset, std::span<const std::byte> source) {
  if (!write_mapped(descriptor(), origin_ + offset, source)) write_at(offset, source);
}

std::uint64_t PosixFile::size() const {
  struct stat status;
  if (retry_interrupted([&] { return ::fstat(descriptor(), &status); }) != 0) fail("examine", errno);
  const std::uint64_t end = device_bytes_ != 0 ? device_bytes_ : static_cast<std::uint64_t>(status.st_size);
  return end > origin_ ? end - origin_ : 0;
}

FileVersion PosixFile::version() const {
  const std::optional<FileVersion> version = version_of(descriptor());
  if (!version) fail("examine", errno);
  return *version;
}

bool PosixFile::allocate(std::uint64_t bytes) {
  if (bytes == 0) return true;
  struct statfs space;
  if (retry_interrupted([&] { return ::fstatfs(descriptor(), &space); }) != 0) fail("examine", errno);
  if (space.f_type == TMPFS_MAGIC) return extend_in_memory(bytes, space);
  const int result = retry_interrupted(
      [&] { return ::fallocate(descriptor(), 0, static_cast<off_t>(origin_), static_cast<off_t>(bytes)); });
  if (result != 0 && !is_unsupported(errno)) fail("reserve space for", errno);
  return result == 0;
}

// Does not reserve the memory, which takes a while in one thread: 4.5 to 13 GB/s (Linux 6.18). prepare_space() does it.
bool PosixFile::extend_in_memory(std::uint64_t bytes, const struct statfs& space) {
  struct stat status;
  if (retry_interrupted([&] { return ::fstat(descriptor(), &status); }) != 0) fail("examine", errno);
  const std::uint64_t present_bytes = static_cast<std::uint64_t>(status.st_blocks) * 512;
  const bool is_limited = space.f_blocks != 0;
  const std::uint64_t free_bytes = std::uint64_t{space.f_bavail} * static_cast<std::uint64_t>(space.f_bsize);
  if (is_limited && bytes > present_bytes + free_bytes) fail("reserve space for", ENOSPC);
  const auto end = static_cast<off_t>(origin_ + bytes);
  if (end <= status.st_size) return true;
  if (retry_interrupted([&] { return ::ftruncate(descriptor(), end); }) != 0) fail("reserve space for", errno);
  return true;
}

// Ext4 and XFS keep what allocate() reserved. Others (Btrfs, network file systems) may not: pages mapped there
// could find the disk full.
bool PosixFile::prepare_space(std::uint64_t offset, std::uint64_t bytes) noexcept {
  struct statfs space;
  if (retry_interrupted([&] { return ::fstatfs(descriptor(), &space); }) != 0) return false;
  if (space.f_type == EXT4_SUPER_MAGIC || space.f_type == XFS_SUPER_MAGIC) return true;
  if (space.f_type != TMPFS_MAGIC) return false;
  return retry_interrupted([&] {
           return ::fallocate(descriptor(), 0, static_cast<off_t>(origin_ + offset), static_cast<off_t>(bytes));
         }) == 0;
}

bool PosixFile::prepare_huge_pages(std::uint64_t offset, std::uint64_t bytes) noexcept {
  return lies_in_memory() && origin_ % kHugePageBytes == 0 && make_huge_pages(descriptor(), origin_ + offset, bytes);
}

WritableView PosixFile::writable_view(std::uint64_t bytes) {
  if (!lies_in_memory() || origin_ % kHugePageBytes != 0) return {};
  return {descriptor(), origin_, bytes};
}

void PosixFile::truncate(std::uint64_t bytes) {
  const int result = retry_interrupted([&] { return ::ftruncate(descriptor(), static_cast<off_t>(origin_ + bytes)); });
  if (result != 0) fail("set the size of", errno);
}

void PosixFile::release(std::uint64_t offset, std::uint64_t bytes) noexcept {
  if (bytes == 0) return;
  // A file system that cannot punch holes keeps the space until the file is closed.
  retry_interrupted([&] {
    return ::fallocate(descriptor(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(origin_ + offset),
                       static_cast<off_t>(bytes));
  });
}

void PosixFile::adopt_permissions(const FileStatus& status) {
  if (!set_permissions(descriptor(), status)) fail("set the permissions of", errno);
}

void PosixFile::give_name(const std::string& path) {
  if (name_unlinked_file(descriptor(), path) != 0) fail("create", errno);
}

void PosixFile::start_writeback(std::uint64_t offset, std::uint64_t bytes) noexcept {
  static_cast<void>(::sync_file_range(descriptor(), static_cast<off_t>(origin_ + offset), static_cast<off_t>(bytes),
                                      SYNC_FILE_RANGE_WRITE));
}

void PosixFile::start_reading(std::uint64_t offset, std::uint64_t bytes) noexcept {
  for (const std::uint64_t end = offset + bytes; offset < end; offset += kReadAheadBytes) {
    const std::uint64_t length = std::min(kReadAheadBytes, end - offset);
    static_cast<void>(::posix_fadvise(descriptor(), static_cast<off_t>(origin_ + offset), static_cast<off_t>(length),
                                      POSIX_FADV_WILLNEED));
  }
}

void PosixFile::sync() {
  const int result = retry_interrupted([&] { return ::fsync(descriptor()); });
  if (result != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP) fail("sync", errno);
}

void PosixFile::fail(const char* action, int error_number) const {
  throw_io_error(action, object_, error_number, role_);
}

}  // namespace sortie

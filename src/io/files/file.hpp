// The interface between Sortie and the operating system's files: everything that touches a file goes
// through these two classes, so that tests can make any operation fail.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <sortie/temporary_names.hpp>

#include "io/mapping/mapped_file.hpp"

namespace sortie {

/// What a path leads to, with symbolic links followed.
struct FileStatus {
  enum class Kind : std::uint8_t {
    kMissing,
    kRegular,
    kDirectory,
    kStream,  ///< pipe, terminal, socket, device
  };
  Kind kind = Kind::kMissing;
  bool is_pipe = false;          ///< pipe or socket: what several programs write to it comes out mixed
  bool writable = false;         ///< this process may write it; of a directory: make files in it and remove them
  int write_error = EACCES;      ///< why it may not: errno
  int descriptor = -1;           ///< of this process, open for writing, that the path names as /dev/fd/3 does; or -1
  bool lacks_directory = false;  ///< the path leads nowhere, and ends in a slash in a directory that exists
  bool replaceable = false;      ///< a file of this process can take its name without losing anything but the contents
  std::uint32_t mode = 0;        ///< permission bits
  std::uint32_t user = 0;        ///< owner
  std::uint32_t group = 0;       ///< owning group
  std::string access_list;       ///< as the system stores it; empty: none
  // These say whether a file is the same as before:
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  ///< since 1970
  std::int64_t changed_ns = 0;   ///< when its status last changed; nobody can set this back
  std::uint64_t inode = 0;
  std::uint64_t device = 0;  ///< says with the inode which file it is, now

  /// Whether output is written to it as it comes, and never replaces it.
  bool is_stream() const { return kind == Kind::kStream || descriptor >= 0; }
};

/// Which file is behind an open File, and in which state.
struct FileVersion {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  ///< since 1970

  friend bool operator==(const FileVersion&, const FileVersion&) = default;
};

struct FreeSpace {
  std::uint64_t file_system = 0;  ///< equal for directories that share one file system
  std::uint64_t bytes = 0;        ///< bytes that this user may still fill
  bool lies_in_memory = false;    ///< files are kept in memory alone, on no disk

  /// Stands for a file system that does not say.
  static constexpr std::uint64_t kUnknownBytes = std::uint64_t{1} << 60;
};

/// Bytes of a file that lie in memory as if they had been read, but were not copied. They can only be read. If somebody
/// waits to write to the file, they are copied after all, by a thread of this object: destroy it before the memory is
/// unmapped or used for something else.
class MappedCopy {
 public:
  virtual ~MappedCopy() = default;

  enum class Damage : std::uint8_t {
    kNone,
    kLost,     ///< pages have gone away or cannot be read: they are empty now
    kChanged,  ///< the file was written to before its bytes were copied
  };
  /// The state of the bytes. Damage is permanent: bytes that were read before may be wrong, too. Must be asked before
  /// results are trusted. Does not wait.
  virtual Damage check() = 0;
  /// Replaces them by empty memory, which can be written to.
  virtual void discard() = 0;
};

/// An open file. Destroying it closes it, without reporting errors: durability belongs to sync().
/// Every member throws Error that names the file and the system's reason. read_at and write_at may be
/// called from several threads. Interrupted and short transfers are continued below it.
class File {
 public:
  virtual ~File() = default;

  virtual const std::string& path() const = 0;

  /// Reads up to target.size() bytes from the current position, at least one unless the end is
  /// reached. For pipes and streams.
  virtual std::size_t read(std::span<std::byte> target) = 0;
  /// Reads up to target.size() bytes at `offset`; fewer only at the end of the file.
  virtual std::size_t read_at(std::uint64_t offset, std::span<std::byte> target) = 0;
  /// Like read_at(), but without copying: replaces the pages that `target` touches. The memory still belongs to the
  /// caller, but the returned object must outlive its use, and be destroyed while the memory is there.
  /// Null if this is impossible or would not be faster. Precondition: target is memory of mmap(), and all of its last
  /// page may be replaced.
  virtual std::unique_ptr<MappedCopy> map_at([[maybe_unused]] std::uint64_t offset,
                                             [[maybe_unused]] std::span<std::byte> target) {
    return nullptr;
  }
  /// A view of the first `bytes`, which shows later writes and releases. Empty unless the file lies in memory and no
  /// other process can cut it short: then use read_at().
  virtual MappedView view([[maybe_unused]] std::uint64_t bytes) const { return {}; }
  /// Sets the current position, for whoever shares the open file: read_at() and map_at() leave it where it is. Never
  /// throws.
  virtual void set_position(std::uint64_t offset) noexcept = 0;
  /// Writes all bytes at the current position.
  virtual void write(std::span<const std::byte> source) = 0;
  /// Writes all bytes at `offset`.
  virtual void write_at(std::uint64_t offset, std::span<const std::byte> source) = 0;
  /// The same through mapped memory where that is possible: faster from several threads, slower from one. Precondition:
  /// prepare_space() has prepared the range.
  virtual void write_mapped_at(std::uint64_t offset, std::span<const std::byte> source) = 0;

  /// Whether the file has offsets and a size (a regular file or block device, not a pipe or terminal).
  virtual bool seekable() const = 0;
  /// Offsets and size count from where the file stood when it was opened: a redirected standard input
  /// need not start at its beginning. Precondition: seekable().
  virtual std::uint64_t size() const = 0;
  virtual FileVersion version() const = 0;
  /// See FreeSpace.
  virtual bool lies_in_memory() const noexcept { return false; }
  /// Reserves space for the first `bytes`, so that a full disk is found before work is lost, and extends the file to
  /// that length if it is shorter. On a file system in memory, where reserving takes as long as writing, it only checks
  /// that there is room. Returns false and does nothing where neither is possible.
  virtual bool allocate(std::uint64_t bytes) = 0;
  /// Prepares a part of the allocated space for write_mapped_at(). May take as long as writing it. Returns false where
  /// a mapped write might still find no space, or is no gain.
  virtual bool prepare_space(std::uint64_t offset, std::uint64_t bytes) noexcept = 0;
  /// The same in huge pages, which are cleared: mapped writes then only copy. Several threads prepare in less time than
  /// one. `offset` and `bytes`: multiples of kHugePageBytes, within the length of the file. What lies there stays.
  /// Returns false where that is impossible.
  virtual bool prepare_huge_pages([[maybe_unused]] std::uint64_t offset,
                                  [[maybe_unused]] std::uint64_t bytes) noexcept {
    return false;
  }
  /// A view of the first `bytes`, which the file must have, that can be written to. Empty where the file does not lie
  /// in memory.
  virtual WritableView writable_view([[maybe_unused]] std::uint64_t bytes) { return {}; }
  virtual void truncate(std::uint64_t bytes) = 0;
  /// Gives the range back to the file system (hole punching). Best effort: never throws.
  virtual void release(std::uint64_t offset, std::uint64_t bytes) noexcept = 0;
  /// Takes over owner, group, access control list and permission bits of `status` where the system permits, and never
  /// lets others do more than they could. If `status` is kMissing, sets the usual permissions of a new file.
  virtual void adopt_permissions(const FileStatus& status) = 0;
  /// Gives a file of FileSystem::create_unlinked() its name; throws if the name exists.
  virtual void give_name(const std::string& path) = 0;
  /// Starts writing the range to the disk, so that sync() has less to wait for. Best effort: never throws.
  virtual void start_writeback(std::uint64_t offset, std::uint64_t bytes) noexcept = 0;
  /// Starts reading the range into memory, so that read_at() has less to wait for. Best effort: never throws.
  virtual void start_reading(std::uint64_t offset, std::uint64_t bytes) noexcept = 0;
  /// From now on write_at() sends bytes to the disk at once and keeps no copy in memory, where kernel and file system
  /// can do that (seen with Linux 6.18 and ext4). For more bytes than memory would hold. Never throws.
  virtual void write_around_cache() noexcept = 0;
  /// Waits until the data is durable. Does nothing for what cannot be synced (pipes, terminals).
  virtual void sync() = 0;
};

struct CreateOptions {
  std::uint32_t mode = 0600;  ///< permission bits; the umask is taken off
  std::string shown_as;       ///< the name for path() and messages; empty: the path itself
  bool is_scratch = false;    ///< for messages: the remedy is another directory, not another output
};

class PrivateDirectory;

class FileSystem {
 public:
  virtual ~FileSystem() = default;

  /// "-" is standard input. Throws Error (also for a directory).
  virtual std::unique_ptr<File> open_input(const std::string& path) = 0;
  /// Whether open_input(path), or reading its first byte, may wait for another process: a pipe, a terminal, a socket.
  /// Throws Error, as open_input() does, if `path` is missing or may not be read.
  virtual bool may_wait(const std::string& path) = 0;
  /// "-" is standard output; else an existing pipe, terminal or device, to be written in place. A name that stands for
  /// a descriptor of this process is written through that descriptor: at its position, behind what others write to it.
  /// `status`: what status(path) says; not looked at if `path` is "-".
  virtual std::unique_ptr<File> open_stream(const std::string& path, const FileStatus& status) = 0;
  /// Opens an existing regular file to be written in place, without truncating it.
  virtual std::unique_ptr<File> open_target(const std::string& path) = 0;
  /// A new file; throws if the name exists.
  virtual std::unique_ptr<File> create(const std::string& path, const CreateOptions& options = {}) = 0;
  /// A new file in `directory` without a name until File::give_name(): if the process ends before, however it
  /// ends, nothing is left. Nothing where the file system has no such files.
  virtual std::unique_ptr<File> create_unlinked(const std::string& directory, const CreateOptions& options) = 0;
  /// A new unnamed file in `directory`, readable and writable by this user alone, gone when closed.
  virtual std::unique_ptr<File> create_unnamed(const std::string& directory) = 0;

  /// Throws Error if `path` cannot be examined; a path that leads nowhere is kMissing. Does not say what this process
  /// may do to the file: target_status() does.
  virtual FileStatus status(const std::string& path) = 0;
  /// The same with FileStatus::writable, replaceable and access_list, for which the system is asked a dozen times.
  virtual FileStatus target_status(const std::string& path) { return status(path); }
  /// Follows the symbolic links that `path` itself may be; the path behind them need not exist. A link of /proc to an
  /// open file is not followed. Throws Error for a link that another user has left where everybody may write.
  virtual std::string resolve_links(const std::string& path) = 0;
  virtual FreeSpace free_space(const std::string& directory) = 0;

  /// Opens and locks the directory `path`, and makes it if it is missing. Throws Error if it belongs to another user,
  /// if others may read or write it, if it is a symbolic link, or if another process has it locked. Null if this file
  /// system has no private directories.
  virtual std::unique_ptr<PrivateDirectory> open_private_directory(const std::string& path);

  virtual void rename(const std::string& from, const std::string& to) = 0;
  /// Each of two files takes the other's name, at once where the file system can do that.
  virtual void exchange(const std::string& a, const std::string& b) = 0;
  /// Makes created, renamed and removed names in `directory` durable.
  virtual void sync_directory(const std::string& directory) = 0;
  /// Waits until all files of the file system that holds `directory` are durable: for many small ones.
  virtual void sync_file_system(const std::string& directory) = 0;
  /// Best effort: never throws.
  virtual void remove(const std::string& path) noexcept = 0;
  /// TemporaryNames::hold(), where names are watched: hold the lock while a file has a name that is soon to go.
  [[nodiscard]] virtual TemporaryNames::Lock hold_names() { return {}; }
};

/// The machine's own files. `names` is what hold_names() holds, and is held while a scratch file must have a name; it
/// may be null.
std::unique_ptr<FileSystem> make_posix_file_system(TemporaryNames* names = nullptr);

}  // namespace sortie

// The seam between Sortie and the operating system's files: everything that touches a file goes
// through these two classes, so that tests can make any operation fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <sortie/temporary_names.hpp>

#include "io/mapped_view.hpp"

namespace sortie {

/// What a path leads to, symbolic links followed.
struct FileStatus {
  enum class Kind : std::uint8_t {
    kMissing,
    kRegular,
    kDirectory,
    kStream,  ///< pipe, terminal, socket, device
  };
  Kind kind = Kind::kMissing;
  bool is_pipe = false;      ///< pipe or socket: what several programs write to it comes out mixed
  bool writable = false;     ///< by this process
  bool open_here = false;    ///< by a descriptor of this process, for writing: the path is that descriptor's name
  bool replaceable = false;  ///< whether a file of this process can take its name, and then be all that it was
  std::uint32_t mode = 0;    ///< permission bits
  std::uint32_t user = 0;    ///< owner
  std::uint32_t group = 0;   ///< owning group
  std::string access_list;   ///< as the system stores it; empty: none
  // What tells whether a file is the same as before:
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  ///< since 1970
  std::int64_t changed_ns = 0;   ///< the same of the file's status, which nobody can set back
  std::uint64_t inode = 0;
  std::uint64_t device = 0;  ///< with the inode: which file it is, now

  /// Whether it is written as the output comes, and never replaced.
  bool is_stream() const { return kind == Kind::kStream || open_here; }
};

/// Which file is behind an open File, and since when it is as it is.
struct FileVersion {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  ///< since 1970

  friend bool operator==(const FileVersion&, const FileVersion&) = default;
};

struct FreeSpace {
  std::uint64_t file_system = 0;  ///< equal for directories that share one file system
  std::uint64_t bytes = 0;        ///< that this user may still fill
};

/// Bytes of a file that lie in memory as if they had been read, and have not been copied.
class MappedCopy {
 public:
  virtual ~MappedCopy() = default;

  enum class Damage : std::uint8_t {
    kNone,
    kLost,     ///< pages went away, or cannot be read: they are empty now
    kChanged,  ///< the file was written to before its bytes were copied
  };
  /// What has become of the bytes so far. Damage is for good: what was read before may be wrong, too.
  virtual Damage damage() const = 0;

  /// Copies the bytes after all if somebody waits to write to the file. To be called every few seconds at least.
  virtual void tend() = 0;
  /// Puts memory without content in their place.
  virtual void discard() = 0;
};

/// An open file. Destroying it closes it, without reporting errors: durability belongs to sync().
/// Every member throws Error that names the file and the system's reason. read_at and write_at may be
/// called from several threads. Interrupted and short transfers are continued below this seam.
class File {
 public:
  virtual ~File() = default;

  virtual const std::string& path() const = 0;

  /// Reads up to target.size() bytes from the current position, at least one unless the end is
  /// reached. For pipes and streams.
  virtual std::size_t read(std::span<std::byte> target) = 0;
  /// Reads up to target.size() bytes at `offset`; fewer only at the end of the file.
  virtual std::size_t read_at(std::uint64_t offset, std::span<std::byte> target) = 0;
  /// The same as read_at() without copying: replaces the pages that `target` begins with and touches. The memory is
  /// the caller's as before, but what is returned must outlive its use, and be tended. Null if that cannot be had, or
  /// would not be faster. Precondition: target is memory of mmap(), and all of its last page is free for this.
  virtual std::unique_ptr<MappedCopy> map_at(std::uint64_t offset, std::span<std::byte> target) {
    static_cast<void>(offset);
    static_cast<void>(target);
    return nullptr;
  }
  /// The first `bytes` where they lie; what is written or released later is seen there. Nothing unless the file lies in
  /// memory, and no other process can cut it short: then it is only read_at().
  virtual MappedView view(std::uint64_t bytes) const {
    static_cast<void>(bytes);
    return {};
  }
  /// Sets the current position, for whoever shares the open file: read_at() and map_at() leave it where it is. Never
  /// throws.
  virtual void set_position(std::uint64_t offset) noexcept = 0;
  /// Writes all bytes at the current position.
  virtual void write(std::span<const std::byte> source) = 0;
  /// Writes all bytes at `offset`.
  virtual void write_at(std::uint64_t offset, std::span<const std::byte> source) = 0;
  /// The same through mapped memory where that can be done: faster from several threads, slower from one.
  /// Precondition: prepare_space() has prepared the range.
  virtual void write_mapped_at(std::uint64_t offset, std::span<const std::byte> source) = 0;

  /// Whether the file has offsets and a size (a regular file or block device, not a pipe or terminal).
  virtual bool seekable() const = 0;
  /// Offsets and size count from where the file stood when it was opened: a redirected standard input
  /// need not start at its beginning. Precondition: seekable().
  virtual std::uint64_t size() const = 0;
  virtual FileVersion version() const = 0;
  /// Reserves space for the first `bytes`, so that a full disk is found before work is lost, and makes the file
  /// as long if it is shorter. A file system in memory, where reserving takes as long as writing, is only asked
  /// for the room. False, and nothing is done, where neither can be had.
  virtual bool allocate(std::uint64_t bytes) = 0;
  /// Makes a part of what was allocated fit for write_mapped_at(). May take as long as writing it. False where a
  /// mapped write might still find no space, or is no gain.
  virtual bool prepare_space(std::uint64_t offset, std::uint64_t bytes) noexcept = 0;
  virtual void truncate(std::uint64_t bytes) = 0;
  /// Gives the range back to the file system (hole punching). Best effort: never throws.
  virtual void release(std::uint64_t offset, std::uint64_t bytes) noexcept = 0;
  /// Takes over owner, group, access control list and permission bits of `status` where the system permits, and never
  /// lets others do more than they could. Of what is missing: the usual permissions of a new file.
  virtual void adopt_permissions(const FileStatus& status) = 0;
  /// The name of a file of FileSystem::create_unlinked(); throws if the name exists.
  virtual void give_name(const std::string& path) = 0;
  /// Has the range written to the disk from now on, so that sync() will have less to wait for. A wish: never
  /// throws.
  virtual void start_writeback(std::uint64_t offset, std::uint64_t bytes) noexcept = 0;
  /// Waits until the data is durable. Does nothing for what cannot be synced (pipes, terminals).
  virtual void sync() = 0;
};

struct CreateOptions {
  std::uint32_t mode = 0600;  ///< less the umask
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
  /// "-" is standard output; else an existing pipe, terminal or device to be written in place. A name that stands for a
  /// descriptor of this process is written by it: at its position, behind what others write to it.
  virtual std::unique_ptr<File> open_stream(const std::string& path) = 0;
  /// An existing regular file, to be written where it is; nothing is cut off yet.
  virtual std::unique_ptr<File> open_target(const std::string& path) = 0;
  /// A new file; throws if the name exists.
  virtual std::unique_ptr<File> create(const std::string& path, const CreateOptions& options = {}) = 0;
  /// A new file in `directory` without a name until File::give_name(): if the process ends before, however it
  /// ends, nothing is left. Nothing where the file system has no such files.
  virtual std::unique_ptr<File> create_unlinked(const std::string& directory, const CreateOptions& options) = 0;
  /// A new unnamed file in `directory`, readable and writable by this user alone, gone when closed.
  virtual std::unique_ptr<File> create_unnamed(const std::string& directory) = 0;

  /// Throws Error if `path` cannot be examined; a path that leads nowhere is kMissing.
  virtual FileStatus status(const std::string& path) = 0;
  /// The path behind the symbolic links that `path` itself may be; it need not exist. A link of /proc to an open file
  /// is not followed. Throws Error for a link that another user has left where everybody may write.
  virtual std::string resolve_links(const std::string& path) = 0;
  virtual FreeSpace free_space(const std::string& directory) = 0;

  /// The directory `path`, made if it is missing, and locked. Throws Error if it belongs to another user, if others may
  /// read or write it, if it is a symbolic link, or if another process has it locked. Null where there is no such
  /// thing.
  virtual std::unique_ptr<PrivateDirectory> open_private_directory(const std::string& path);

  virtual void rename(const std::string& from, const std::string& to) = 0;
  /// Makes created, renamed and removed names in `directory` durable.
  virtual void sync_directory(const std::string& directory) = 0;
  /// Best effort: never throws.
  virtual void remove(const std::string& path) noexcept = 0;
};

/// The machine's own files. `names` are held while a scratch file has a name, if it must have one; they may be null.
std::unique_ptr<FileSystem> make_posix_file_system(TemporaryNames* names = nullptr);

}  // namespace sortie

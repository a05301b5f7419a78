// The seam between Sortie and the operating system's files: everything that touches a file goes
// through these two classes, so that tests can make any operation fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace sortie {

/// An open file. Destroying it closes it, without reporting errors: durability belongs to sync().
/// Every member throws Error with the path, the call and the system's reason. pread and pwrite may be
/// called from several threads.
class File {
 public:
  virtual ~File() = default;

  virtual const std::string& path() const = 0;

  /// Reads up to target.size() bytes from the current position, at least one unless the end is
  /// reached. For pipes and streams.
  virtual std::size_t read(std::span<std::byte> target) = 0;
  /// Reads up to target.size() bytes at `offset`; fewer only at the end of the file.
  virtual std::size_t read_at(std::uint64_t offset, std::span<std::byte> target) = 0;
  /// Writes all bytes at the current position.
  virtual void write(std::span<const std::byte> source) = 0;
  /// Writes all bytes at `offset`.
  virtual void write_at(std::uint64_t offset, std::span<const std::byte> source) = 0;

  /// Whether the file has offsets and a size (a regular file or block device, not a pipe or terminal).
  virtual bool seekable() const = 0;
  virtual std::uint64_t size() const = 0;
  /// Reserves space, so that a full disk is found before work is lost. Does nothing where unsupported.
  virtual void allocate(std::uint64_t bytes) = 0;
  virtual void truncate(std::uint64_t bytes) = 0;
  /// Gives the range back to the file system (hole punching). Best effort: never throws.
  virtual void release(std::uint64_t offset, std::uint64_t bytes) noexcept = 0;
  /// Waits until the data is durable.
  virtual void sync() = 0;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;

  /// "-" is standard input. Throws Error (also for a directory).
  virtual std::unique_ptr<File> open_input(const std::string& path) = 0;
  /// "-" is standard output; else an existing pipe, terminal or device to be written in place.
  virtual std::unique_ptr<File> open_stream(const std::string& path) = 0;
  /// A new file of mode 0600 & ~umask; throws if the name exists.
  virtual std::unique_ptr<File> create(const std::string& path) = 0;
  /// A new unnamed file in `directory`, readable and writable by this user alone, gone when closed.
  virtual std::unique_ptr<File> create_unnamed(const std::string& directory) = 0;

  virtual void rename(const std::string& from, const std::string& to) = 0;
  /// Best effort: never throws.
  virtual void remove(const std::string& path) noexcept = 0;
};

/// The machine's own files.
std::unique_ptr<FileSystem> make_posix_file_system();

}  // namespace sortie

// An open descriptor as a File, every system call checked. Made by the POSIX file system only.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include <sys/types.h>

#include "base/descriptor.hpp"
#include "io/files/file.hpp"
#include "io/files/io_error.hpp"

struct stat;
struct statfs;

namespace sortie {

/// When the file was last written to, since 1970.
std::int64_t modified_ns(const struct stat& status);
/// When its contents or its status were last changed, since 1970.
std::int64_t changed_ns(const struct stat& status);

/// The version of the file behind `descriptor`; nothing if the system does not say.
std::optional<FileVersion> version_of(int descriptor);

// The object comes first, then the file: where memory ends no descriptor, and no new file, is without an owner.
class PosixFile : public File {
 public:
  /// No file yet. `path` is what path() returns, `object` the file's name in messages.
  PosixFile(std::string path, std::string object, FileRole role);
  ~PosixFile() override;
  const std::string& path() const override { return path_; }
  std::size_t read(std::span<std::byte> target) override;
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> target) override;
  MappedView view(std::uint64_t bytes) const override;
  void set_position(std::uint64_t offset) noexcept override;
  void write(std::span<const std::byte> source) override;
  void write_at(std::uint64_t offset, std::span<const std::byte> source) override;
  void write_mapped_at(std::uint64_t offset, std::span<const std::byte> source) override;
  bool seekable() const override { return seekable_; }
  std::uint64_t size() const override;
  FileVersion version() const override;
  bool lies_in_memory() const noexcept override;
  bool allocate(std::uint64_t bytes) override;
  bool prepare_space(std::uint64_t offset, std::uint64_t bytes) noexcept override;
  bool prepare_huge_pages(std::uint64_t offset, std::uint64_t bytes) noexcept override;
  WritableView writable_view(std::uint64_t bytes) override;
  void truncate(std::uint64_t bytes) override;
  void release(std::uint64_t offset, std::uint64_t bytes) noexcept override;
  void adopt_permissions(const FileStatus& status) override;
  void give_name(const std::string& path) override;
  void start_writeback(std::uint64_t offset, std::uint64_t bytes) noexcept override;
  void start_reading(std::uint64_t offset, std::uint64_t bytes) noexcept override;
  void write_around_cache() noexcept override { writes_around_cache_ = true; }
  void sync() override;

  /// Once, before all else: the file that is used. Throws Error, with errno's reason why `action` failed, if `opened`
  /// is not open; allocates nothing otherwise.
  void take(Descriptor opened, const char* action);
  /// Throws Error that `action` failed.
  [[noreturn]] void fail(const char* action, int error_number) const;
  /// The descriptor belongs to somebody else: it stays open.
  void leave_open() noexcept { is_borrowed_ = true; }

 protected:
  int descriptor() const { return descriptor_.number(); }
  /// Position in the file of offset 0.
  std::uint64_t origin() const { return origin_; }

 private:
  bool extend_in_memory(std::uint64_t bytes, const struct statfs& space);
  ssize_t write_portion(const std::byte* source, std::size_t bytes, std::uint64_t position);
  Descriptor descriptor_;
  bool is_borrowed_ = false;
  std::string path_;
  std::string object_;
  FileRole role_;
  bool seekable_ = false;
  std::uint64_t origin_ = 0;        ///< position at the time of opening
  std::uint64_t device_bytes_ = 0;  ///< size of a block device, whose status has none; else 0
  std::atomic<bool> writes_around_cache_{false};
};

}  // namespace sortie

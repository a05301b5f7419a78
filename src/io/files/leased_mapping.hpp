// A file's bytes in memory, not copied and yet safe from whoever writes to the file. They are mapped under a read
// lease, which keeps others from opening the file for writing or cutting it short until the bytes have been copied
// after all. The system takes the lease away from a process that does not answer in time, because it was stopped for
// instance, and a disk may fail: check() reports both. Made by the POSIX file system's inputs.
//
//   file     |====================|==|      The last page is read, not mapped, so that the owner's memory behind the
//   memory   |      mapped        |..|      bytes stays as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "io/files/file.hpp"
#include "io/mapping/mapping_guard.hpp"

namespace sortie {

class LeasedMapping final : public MappedCopy {
 public:
  /// Puts the bytes from `position` of the file in place of the pages at `target`, which begins with a page. Does
  /// nothing and returns null if somebody may write to the file, or the file system has no leases.
  static std::unique_ptr<LeasedMapping> make(int descriptor, std::uint64_t position, std::span<std::byte> target);

  /// Ends the lease. The memory stays mapped: it belongs to the caller.
  ~LeasedMapping() override;
  LeasedMapping(const LeasedMapping&) = delete;
  LeasedMapping& operator=(const LeasedMapping&) = delete;

  Damage check() override;
  void discard() override;

 private:
  LeasedMapping(int descriptor, const FileVersion& version, std::span<std::byte> bytes, std::size_t mapped_bytes);
  void give_way_to_writer();

  int descriptor_;
  FileVersion version_;  // the file's when the lease was taken
  std::span<std::byte> bytes_;
  std::span<std::byte> mapped_pages_;
  MappingGuard guard_;
  bool leased_ = true;
  bool was_changed_ = false;
};

}  // namespace sortie

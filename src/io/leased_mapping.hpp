// A file's bytes in memory without having been copied, and yet safe from whoever writes to the file: they are mapped
// under a read lease, which keeps others from opening the file for writing or cutting it short until the bytes have
// been copied after all. The system takes a lease away from who does not answer in time, a process that was stopped for
// instance, and a disk may fail: that is found out. Made by the POSIX file system's inputs.
//
//   file     |====================|==|      '|' the last page is copied at once: where the bytes end, with what the
//   memory   |      mapped        |..|          owner may write behind them, stays as it is
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "io/file.hpp"
#include "io/mapping_guard.hpp"

namespace sortie {

class LeasedMapping final : public MappedCopy {
 public:
  /// Puts bytes from `position` of the file in place of the pages at `target`, which begins with a page. Null, and
  /// nothing is done, if somebody may write to the file, or the file system has no leases.
  static std::unique_ptr<LeasedMapping> make(int descriptor, std::uint64_t position, std::span<std::byte> target);

  /// Ends the lease. The memory stays mapped: it belongs to the caller.
  ~LeasedMapping() override;
  LeasedMapping(const LeasedMapping&) = delete;
  LeasedMapping& operator=(const LeasedMapping&) = delete;

  Damage damage() const override;
  void tend() override;
  void discard() override;

 private:
  LeasedMapping(int descriptor, const FileVersion& version, std::span<std::byte> bytes, std::size_t mapped_bytes);

  int descriptor_;
  FileVersion version_;  // when the lease was taken
  std::span<std::byte> bytes_;
  std::span<std::byte> mapped_pages_;
  MappingGuard guard_;
  bool leased_ = true;
  std::atomic<bool> was_changed_ = false;
};

}  // namespace sortie

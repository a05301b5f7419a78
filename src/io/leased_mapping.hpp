// A file's bytes in memory without having been copied, and yet safe from whoever writes to the file: they are mapped
// under a read lease, which keeps others from opening the file for writing or cutting it short until the bytes have
// been copied after all. Made by the POSIX file system's inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "io/file.hpp"

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

  void tend() override;
  void discard() override;

 private:
  LeasedMapping(int descriptor, std::span<std::byte> bytes) : descriptor_(descriptor), bytes_(bytes) {}

  int descriptor_;
  std::span<std::byte> bytes_;
  bool leased_ = true;
};

}  // namespace sortie

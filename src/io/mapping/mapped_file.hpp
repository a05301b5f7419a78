// Bytes of a file as memory that is shared with it. Scratch files that lie in memory are read in place, without a copy,
// and files are written by several threads. Made by the POSIX files; views are held by the storage of a run. Where a
// huge page of the file begins, one of the process does, so that one entry of the page table maps all of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "io/mapping/mapping_guard.hpp"

namespace sortie {

class MappedView {
 public:
  /// A view of nothing.
  MappedView() = default;
  /// Maps the first `bytes` of the file behind `descriptor`, which must have as many; empty if the system refuses.
  MappedView(int descriptor, std::uint64_t bytes);
  ~MappedView();
  MappedView(MappedView&& other) noexcept;
  MappedView& operator=(MappedView&& other) noexcept;
  MappedView(const MappedView&) = delete;
  MappedView& operator=(const MappedView&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }
  /// Whether all bytes read so far were the file's: a page that cannot be had is empty.
  bool is_intact() const { return !guard_.has_failed(); }

 private:
  std::span<std::byte> room_;  // all that is mapped: the bytes, and gaps around them
  std::span<const std::byte> bytes_;
  MappingGuard guard_;
};

/// A stretch of a file, mapped so that it can be written to.
class WritableView {
 public:
  /// A view of nothing.
  WritableView() = default;
  /// Maps `bytes` of the file behind `descriptor` from `offset` on, a multiple of the page size; empty if the system
  /// refuses.
  WritableView(int descriptor, std::uint64_t offset, std::uint64_t bytes);
  ~WritableView();
  WritableView(WritableView&& other) noexcept;
  WritableView& operator=(WritableView&& other) noexcept;
  WritableView(const WritableView&) = delete;
  WritableView& operator=(const WritableView&) = delete;

  /// Whole pages.
  std::span<std::byte> bytes() const { return bytes_; }
  /// Takes huge pages out of this process's memory, which the file keeps: those of bytes [begin, end) that lie in it as
  /// a whole.
  void let_go(std::uint64_t begin, std::uint64_t end) noexcept;
  /// Whether all bytes written so far are the file's: a page that cannot be had is empty, and no longer the file's.
  bool is_intact() const { return !guard_.has_failed(); }

 private:
  std::span<std::byte> room_;  // what a MappedView has
  std::span<std::byte> bytes_;
  MappingGuard guard_;
};

/// Copies `source` to bytes [offset, offset + source.size()) of the file. Returns false and writes nothing if that is
/// beyond the file's size, or if the kernel or file system cannot map it. Also returns false if the file system has no
/// page left for it; then a part may be written. In both cases write all of it with pwrite(), which also says what is
/// wrong. Thread-safe: several threads may write one file at a time, where pwrite() makes them wait for each other.
/// Durable after fsync().
bool write_mapped(int descriptor, std::uint64_t offset, std::span<const std::byte> source);

/// Makes huge pages of a range of a file in memory: what lies there stays, holes are filled with zeros. `offset` and
/// `bytes`: multiples of kHugePageBytes, within the length of the file. Returns false if the kernel (older than Linux
/// 6.1, or told not to) or a lack of memory prevents it; then some of the range may have pages. Thread-safe.
bool make_huge_pages(int descriptor, std::uint64_t offset, std::uint64_t bytes);

}  // namespace sortie

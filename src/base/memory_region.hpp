// Large blocks of zeroed memory straight from the operating system: untouched pages cost nothing, and all of it goes
// back when the owner is destroyed. Also how such memory is touched first, and pinned for a device. Used by whoever
// holds pieces, chunks, runs and windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace sortie {

class MemoryRegion {
 public:
  /// Huge pages are a wish: first touch costs a quarter of what it does with small ones (10 against 2.5 GB/s a thread,
  /// AMD EPYC). A region of which little will be touched, here and there, wants small ones: to clear a huge page takes
  /// as long as to sort a thousand lines.
  enum class Pages : std::uint8_t {
    kHuge,   ///< but for the first 2 MiB if the calling thread works alone (is_alone()), as for a small input
    kSmall,  ///< none
    kAllHuge
  };

  MemoryRegion() = default;
  /// Page-aligned, and from 2 MiB on at a huge page's boundary, unless it has small pages. Throws Error if the system
  /// refuses.
  explicit MemoryRegion(std::size_t bytes, Pages pages = Pages::kHuge);
  ~MemoryRegion();
  MemoryRegion(MemoryRegion&& other) noexcept;
  MemoryRegion& operator=(MemoryRegion&& other) noexcept;
  MemoryRegion(const MemoryRegion&) = delete;
  MemoryRegion& operator=(const MemoryRegion&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<std::byte> bytes() const { return {data_, size_}; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// For less input than this huge pages do not pay: to clear one takes as long as to clear 45 to 130 small ones when
/// they are first touched.
inline constexpr std::uint64_t kLeastHugeBytes = 512 << 10;

/// Asks the system for huge pages in place of the whole ones within `memory` that are not touched yet. Random reads
/// then find their addresses in the processor's tables.
void prefer_huge_pages(std::span<std::byte> memory);

/// Writes a zero to every page: for fresh memory only. The system clears a page when it is first used, at 5 GB/s in one
/// thread, 59 in 16 (huge pages, H200 machine), so this is done ahead of the use.
void touch_pages(std::span<std::byte> memory);

/// The same with all threads.
void touch_pages_in_parallel(std::span<std::byte> memory);

/// A device copies within one pin only. Memory that is pinned in parts, so that it can be given back in parts, is cut
/// at addresses that are multiples of this; every copy ends there, too. 16 MiB are pinned at 33 GB/s, 64 at 53, 256 at
/// 60 (H200 machine). Engines pin (Engine::pin); the owners of the memory hold the pins: run storage and windows of a
/// merge, which know nothing of devices.
inline constexpr std::size_t kPinStrideBytes = std::size_t{64} << 20;

/// Destroying it unpins the memory, which must still exist.
class MemoryPin {
 public:
  virtual ~MemoryPin() = default;
};

/// Pins memory. Returns null if that is impossible: the memory still works, only slower. Thread-safe.
using MemoryPinner = std::function<std::unique_ptr<MemoryPin>(std::span<std::byte> memory)>;

}  // namespace sortie

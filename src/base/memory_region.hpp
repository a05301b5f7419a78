// A large block of zeroed memory straight from the operating system: untouched pages cost nothing, and
// all of it goes back when the owner is destroyed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sortie {

class MemoryRegion {
 public:
  /// Huge pages are a wish: first touch costs a quarter of what it does with small ones (10 against 2.5 GB/s a thread,
  /// AMD EPYC). A region of which little will be touched, here and there, wants small ones: to clear a huge page takes
  /// as long as to sort a thousand lines.
  enum class Pages : std::uint8_t { kHuge, kSmall };

  MemoryRegion() = default;
  /// Page-aligned, and from 2 MiB on at a huge page's boundary. If the calling thread works alone (is_alone()), the
  /// first 2 MiB have small pages in any case. Throws Error if the system refuses.
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

}  // namespace sortie

#include "base/memory_region.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <sortie/error.hpp>

#include "base/size.hpp"

namespace sortie {

MemoryRegion::MemoryRegion(std::size_t bytes) {
  if (bytes == 0) return;
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw Error("cannot allocate " + format_size(bytes) + " of memory: " + std::strerror(errno) +
                "; lower it with --buffer-size");
  }
  ::madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: refusal does no harm
  data_ = static_cast<std::byte*>(memory);
  size_ = bytes;
}

MemoryRegion::~MemoryRegion() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

MemoryRegion::MemoryRegion(MemoryRegion&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MemoryRegion& MemoryRegion::operator=(MemoryRegion&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace sortie

#include "io/mapped_view.hpp"

#include <sys/mman.h>

#include <utility>

namespace sortie {

MappedView::MappedView(int descriptor, std::uint64_t bytes) {
  if (bytes == 0) return;
  const auto length = static_cast<std::size_t>(bytes);
  void* const mapped = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, descriptor, 0);
  if (mapped != MAP_FAILED) bytes_ = {static_cast<const std::byte*>(mapped), length};
}

MappedView::~MappedView() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedView::MappedView(MappedView&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedView& MappedView::operator=(MappedView&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace sortie

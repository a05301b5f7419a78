#include "io/mapping/mapped_view.hpp"

#include <sys/mman.h>

#include <utility>

#include "base/page_size.hpp"
#include "base/size.hpp"

namespace sortie {

// The delegated constructor has completed the object, so its destructor unmaps the file if the guard throws.
MappedView::MappedView(int descriptor, std::uint64_t bytes) : MappedView() {
  if (bytes == 0) return;
  const auto length = static_cast<std::size_t>(bytes);
  void* const mapped = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, descriptor, 0);
  if (mapped == MAP_FAILED) return;
  bytes_ = {static_cast<const std::byte*>(mapped), length};
  guard_ = MappingGuard({bytes_.data(), round_up(length, kPageBytes)}, false);
}

MappedView::~MappedView() {
  guard_ = {};
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedView::MappedView(MappedView&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})), guard_(std::move(other.guard_)) {}

MappedView& MappedView::operator=(MappedView&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(guard_, other.guard_);
  return *this;
}

}  // namespace sortie

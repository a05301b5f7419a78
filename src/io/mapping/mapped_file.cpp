#include "io/mapping/mapped_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cstring>
#include <utility>

#include "base/bytes.hpp"
#include "base/size.hpp"
#include "io/mapping/mapping_guard.hpp"

namespace sortie {
namespace {

bool lies_within_file(int descriptor, std::uint64_t end) {
  struct stat status;
  return ::fstat(descriptor, &status) == 0 && end <= static_cast<std::uint64_t>(status.st_size);
}

}  // namespace

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

bool write_mapped(int descriptor, std::uint64_t offset, std::span<const std::byte> source) {
  if (source.empty()) return true;
  if (!lies_within_file(descriptor, offset + source.size())) return false;
  const std::uint64_t begin = round_down(offset, kPageBytes);
  const std::uint64_t bytes = offset + source.size() - begin;
  void* const window =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, static_cast<off_t>(begin));
  if (window == MAP_FAILED) return false;
  bool is_written = false;
  {
    const MappingGuard guard({static_cast<std::byte*>(window), round_up(bytes, kPageBytes)}, true);
    std::memcpy(static_cast<std::byte*>(window) + (offset - begin), source.data(), source.size());
    is_written = !guard.has_failed();
  }
  ::munmap(window, bytes);
  return is_written;
}

}  // namespace sortie

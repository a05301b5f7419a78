#include "io/mapping/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/bytes.hpp"
#include "base/size.hpp"
#include "io/mapping/mapping_guard.hpp"

namespace sortie {
namespace {

/// MADV_COLLAPSE, which older headers lack.
constexpr int kCollapse = 25;

bool lies_within_file(int descriptor, std::uint64_t end) {
  struct stat status;
  return ::fstat(descriptor, &status) == 0 && end <= static_cast<std::uint64_t>(status.st_size);
}

struct Mapping {
  std::span<std::byte> room;
  std::span<std::byte> bytes;  // whole pages in it
};

// Maps `bytes` of a file from `offset` on; nothing if the system refuses. The room is larger, so that the file can lie
// in it as it should.
Mapping map_in_room(int descriptor, std::uint64_t offset, std::uint64_t bytes, int protection) {
  const std::size_t page_bytes = bytes < kHugePageBytes ? kPageBytes : kHugePageBytes;
  const auto length = static_cast<std::size_t>(round_up(bytes, kPageBytes));
  const std::size_t room_bytes = length + page_bytes - kPageBytes;
  void* const room = ::mmap(nullptr, room_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return {};
  auto* const begin = static_cast<std::byte*>(room) + (offset - reinterpret_cast<std::uintptr_t>(room)) % page_bytes;
  void* const mapped =
      ::mmap(begin, length, protection, MAP_SHARED | MAP_FIXED, descriptor, static_cast<off_t>(offset));
  // If the file could not be mapped, others may have mapped something in the gap that is left: the room stays.
  if (mapped == MAP_FAILED) return {};
  return {{static_cast<std::byte*>(room), room_bytes}, {begin, length}};
}

}  // namespace

// The delegated constructor has completed the object, so its destructor unmaps the file if the guard throws.
MappedView::MappedView(int descriptor, std::uint64_t bytes) : MappedView() {
  if (bytes == 0) return;
  const Mapping mapping = map_in_room(descriptor, 0, bytes, PROT_READ);
  if (mapping.bytes.empty()) return;
  room_ = mapping.room;
  bytes_ = mapping.bytes.first(static_cast<std::size_t>(bytes));
  guard_ = MappingGuard(mapping.bytes, false);
}

MappedView::~MappedView() {
  guard_ = {};
  if (!room_.empty()) ::munmap(room_.data(), room_.size());
}

MappedView::MappedView(MappedView&& other) noexcept
    : room_(std::exchange(other.room_, {})), bytes_(std::exchange(other.bytes_, {})), guard_(std::move(other.guard_)) {}

MappedView& MappedView::operator=(MappedView&& other) noexcept {
  std::swap(room_, other.room_);
  std::swap(bytes_, other.bytes_);
  std::swap(guard_, other.guard_);
  return *this;
}

WritableView::WritableView(int descriptor, std::uint64_t offset, std::uint64_t bytes) : WritableView() {
  const Mapping mapping = map_in_room(descriptor, offset, bytes, PROT_READ | PROT_WRITE);
  if (mapping.bytes.empty()) return;
  room_ = mapping.room;
  bytes_ = mapping.bytes;
  guard_ = MappingGuard(bytes_, true);
}

WritableView::~WritableView() {
  guard_ = {};
  if (!room_.empty()) ::munmap(room_.data(), room_.size());
}

WritableView::WritableView(WritableView&& other) noexcept
    : room_(std::exchange(other.room_, {})), bytes_(std::exchange(other.bytes_, {})), guard_(std::move(other.guard_)) {}

WritableView& WritableView::operator=(WritableView&& other) noexcept {
  std::swap(room_, other.room_);
  std::swap(bytes_, other.bytes_);
  std::swap(guard_, other.guard_);
  return *this;
}

void WritableView::let_go(std::uint64_t begin, std::uint64_t end) noexcept {
  const std::uint64_t first = round_up(begin, kHugePageBytes);
  const std::uint64_t last = round_down(end, kHugePageBytes);
  if (first < last) ::madvise(bytes_.data() + first, last - first, MADV_DONTNEED);
}

bool write_mapped(int descriptor, std::uint64_t offset, std::span<const std::byte> source) {
  if (source.empty()) return true;
  if (!lies_within_file(descriptor, offset + source.size())) return false;
  const std::uint64_t begin = round_down(offset, kPageBytes);
  const WritableView view(descriptor, begin, offset + source.size() - begin);
  if (view.bytes().empty()) return false;
  std::memcpy(view.bytes().data() + (offset - begin), source.data(), source.size());
  return view.is_intact();
}

// The kernel leaves a range alone that is a hole altogether, so each huge page begins as a small one. Once made, it
// would stay memory of this process.
bool make_huge_pages(int descriptor, std::uint64_t offset, std::uint64_t bytes) {
  WritableView view(descriptor, offset, bytes);
  if (view.bytes().empty()) return false;
  for (std::uint64_t at = 0; at < bytes; at += kHugePageBytes) {
    if (::fallocate(descriptor, 0, static_cast<off_t>(offset + at), kPageBytes) != 0) return false;
    const auto collapse = [&] { return ::madvise(view.bytes().data() + at, kHugePageBytes, kCollapse) == 0; };
    if (!collapse() && (errno != EAGAIN || !collapse())) return false;  // somebody held a page
    view.let_go(at, at + kHugePageBytes);
  }
  return true;
}

}  // namespace sortie

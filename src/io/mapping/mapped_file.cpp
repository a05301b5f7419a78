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

/// Pages of a file, mapped for writing. A huge page of the file is at the begin of one of the process, so that one
/// entry of the page table maps all of it.
class WritableWindow {
 public:
  /// `offset`: that of a page.
  WritableWindow(int descriptor, std::uint64_t offset, std::uint64_t bytes)
      : room_bytes_(round_up(bytes, kPageBytes) + (bytes < kHugePageBytes ? 0 : kHugePageBytes)) {
    room_ = ::mmap(nullptr, room_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room_ == MAP_FAILED) return;
    auto* begin = static_cast<std::byte*>(room_);
    if (bytes >= kHugePageBytes) begin += (offset - reinterpret_cast<std::uintptr_t>(begin)) % kHugePageBytes;
    void* const mapped =
        ::mmap(begin, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, static_cast<off_t>(offset));
    if (mapped != MAP_FAILED) bytes_ = {begin, static_cast<std::size_t>(round_up(bytes, kPageBytes))};
  }
  // If the file could not be mapped, others may have mapped something in the gap that is left: the room stays.
  ~WritableWindow() {
    if (!bytes_.empty()) ::munmap(room_, room_bytes_);
  }
  WritableWindow(const WritableWindow&) = delete;
  WritableWindow& operator=(const WritableWindow&) = delete;

  /// Whole pages; empty if the system refuses.
  std::span<std::byte> bytes() const { return bytes_; }

 private:
  void* room_ = MAP_FAILED;
  std::size_t room_bytes_;
  std::span<std::byte> bytes_;
};

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
  const WritableWindow window(descriptor, begin, offset + source.size() - begin);
  if (window.bytes().empty()) return false;
  const MappingGuard guard(window.bytes(), true);
  std::memcpy(window.bytes().data() + (offset - begin), source.data(), source.size());
  return !guard.has_failed();
}

// The kernel leaves a range alone that is a hole altogether, so each huge page begins as a small one.
bool make_huge_pages(int descriptor, std::uint64_t offset, std::uint64_t bytes) {
  for (std::uint64_t at = offset; at < offset + bytes; at += kHugePageBytes) {
    if (::fallocate(descriptor, 0, static_cast<off_t>(at), kPageBytes) != 0) return false;
  }
  const WritableWindow window(descriptor, offset, bytes);
  if (window.bytes().empty()) return false;
  const auto collapse = [&] { return ::madvise(window.bytes().data(), bytes, kCollapse) == 0; };
  return collapse() || (errno == EAGAIN && collapse());  // somebody held a page
}

}  // namespace sortie

#include "io/files/leased_mapping.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "base/size.hpp"
#include "io/files/posix_file.hpp"
#include "io/files/transfer.hpp"

namespace sortie {
namespace {

constexpr std::size_t kCopyBytes = 4 << 20;  // bytes that one task copies

// A waiting writer is announced by a signal. SIGURG is ignored by default: check() asks instead.
bool take_lease(int descriptor) {
  return ::fcntl(descriptor, F_SETSIG, SIGURG) == 0 && ::fcntl(descriptor, F_SETLEASE, F_RDLCK) == 0;
}

void end_lease(int descriptor) { ::fcntl(descriptor, F_SETLEASE, F_UNLCK); }

bool read_all(int descriptor, std::uint64_t position, std::span<std::byte> target) {
  const Transferred done = transfer_all(target.size(), [&](std::size_t moved, std::size_t left) {
    return ::pread(descriptor, target.data() + moved, left, static_cast<off_t>(position + moved));
  });
  return done.bytes == target.size();
}

[[noreturn]] void fail_for_memory(std::size_t bytes) {
  throw Error(
      "cannot allocate " + format_size(bytes) + " of memory: " + std::strerror(errno) + "; lower the memory budget",
      Remedy::kLessMemory);
}

// Maps empty memory, in place of the pages at `place` unless that is null.
std::byte* map_anonymous(void* place, std::size_t bytes) {
  void* const mapped = ::mmap(place, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (place == nullptr ? 0 : MAP_FIXED), -1, 0);
  if (mapped == MAP_FAILED) fail_for_memory(bytes);
  return static_cast<std::byte*>(mapped);
}

// Puts a copy of the pages in their place, while other threads may read them. Writing to the pages would not do:
// cutting a file short takes its pages away from everyone who has mapped it, private copies included.
void copy_pages(std::span<std::byte> pages) {
  std::byte* const copy = map_anonymous(nullptr, pages.size());
  std::memcpy(copy, pages.data(), pages.size());
  if (::mremap(copy, pages.size(), pages.size(), MREMAP_MAYMOVE | MREMAP_FIXED, pages.data()) == MAP_FAILED) {
    fail_for_memory(pages.size());
  }
}

std::span<std::byte> whole_pages(std::span<std::byte> bytes) {
  return {bytes.data(), round_up(bytes.size(), kPageBytes)};
}

}  // namespace

std::unique_ptr<LeasedMapping> LeasedMapping::make(int descriptor, std::uint64_t position,
                                                   std::span<std::byte> target) {
  if (position % kPageBytes != 0 || reinterpret_cast<std::uintptr_t>(target.data()) % kPageBytes != 0) return nullptr;
  if (target.empty() || !take_lease(descriptor)) return nullptr;
  const std::size_t mapped_bytes = round_down(target.size() - 1, kPageBytes);
  const std::optional<FileVersion> version = version_of(descriptor);
  const auto is_mapped = [&] {
    return mapped_bytes == 0 || ::mmap(target.data(), mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
                                       descriptor, static_cast<off_t>(position)) != MAP_FAILED;
  };
  if (!version || version->bytes < position + target.size() ||
      !read_all(descriptor, position + mapped_bytes, target.subspan(mapped_bytes)) || !is_mapped()) {
    end_lease(descriptor);
    return nullptr;
  }
  return std::unique_ptr<LeasedMapping>(new LeasedMapping(descriptor, *version, target, mapped_bytes));
}

LeasedMapping::LeasedMapping(int descriptor, const FileVersion& version, std::span<std::byte> bytes,
                             std::size_t mapped_bytes)
    : descriptor_(descriptor),
      version_(version),
      bytes_(bytes),
      mapped_pages_(bytes.first(mapped_bytes)),
      guard_(mapped_pages_, true) {}

LeasedMapping::~LeasedMapping() {
  if (leased_) end_lease(descriptor_);
}

MappedCopy::Damage LeasedMapping::check() {
  if (leased_ && ::fcntl(descriptor_, F_GETLEASE) != F_RDLCK) give_way_to_writer();
  if (guard_.has_failed()) return Damage::kLost;
  return was_changed_ ? Damage::kChanged : Damage::kNone;
}

// Nobody can change the file before the lease is taken away, but then it may have been changed already. A file that has
// grown was only appended to.
void LeasedMapping::give_way_to_writer() {
  parallel_for(0, divide_up(mapped_pages_.size(), kCopyBytes), [&](std::size_t task) {
    const std::size_t begin = task * kCopyBytes;
    copy_pages(mapped_pages_.subspan(begin, std::min(kCopyBytes, mapped_pages_.size() - begin)));
  });
  const std::optional<FileVersion> version = version_of(descriptor_);
  was_changed_ = !version || (version->bytes <= version_.bytes && version != version_);
  end_lease(descriptor_);
  leased_ = false;
}

void LeasedMapping::discard() {
  const std::span<std::byte> pages = whole_pages(bytes_);
  map_anonymous(pages.data(), pages.size());
}

}  // namespace sortie

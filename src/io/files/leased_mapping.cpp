#include "io/files/leased_mapping.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/size.hpp"
#include "io/files/posix_file.hpp"
#include "io/files/transfer.hpp"

namespace sortie {
namespace {

/// How often the watching thread asks whether somebody waits to write.
constexpr std::chrono::milliseconds kWatchInterval{200};
/// Bytes that are copied between two looks whether the mapping is still needed.
constexpr std::size_t kCopyBytes = 4 << 20;

// A waiting writer is announced by a signal. SIGURG is ignored by default: the watching thread asks instead.
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

// Maps empty memory, in place of the pages at `address` unless that is null. Returns MAP_FAILED if there is none.
void* map_anonymous(void* address, std::size_t bytes) {
  return ::mmap(address, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (address == nullptr ? 0 : MAP_FIXED), -1, 0);
}

// Puts a copy of the pages in their place, while other threads may read them. Writing to the pages would not do:
// cutting a file short takes its pages away from everyone who has mapped it, private copies included. Returns false if
// there is no memory for it.
bool copy_pages(std::span<std::byte> pages) {
  void* const copy = map_anonymous(nullptr, pages.size());
  if (copy == MAP_FAILED) return false;
  std::memcpy(copy, pages.data(), pages.size());
  if (::mremap(copy, pages.size(), pages.size(), MREMAP_MAYMOVE | MREMAP_FIXED, pages.data()) == MAP_FAILED) {
    ::munmap(copy, pages.size());
    return false;
  }
  return true;
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
    return mapped_bytes == 0 || ::mmap(target.data(), mapped_bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor,
                                       static_cast<off_t>(position)) != MAP_FAILED;
  };
  if (!version || version->bytes < position + target.size() ||
      !read_all(descriptor, position + mapped_bytes, target.subspan(mapped_bytes)) || !is_mapped()) {
    end_lease(descriptor);
    return nullptr;
  }
  std::unique_ptr<LeasedMapping> mapping(new LeasedMapping(descriptor, *version, target, mapped_bytes));
  if (mapping->start_watching()) return mapping;
  mapping->discard();
  return nullptr;
}

LeasedMapping::LeasedMapping(int descriptor, const FileVersion& version, std::span<std::byte> bytes,
                             std::size_t mapped_bytes)
    : descriptor_(descriptor),
      version_(version),
      bytes_(bytes),
      mapped_pages_(bytes.first(mapped_bytes)),
      guard_(mapped_pages_, false) {}

LeasedMapping::~LeasedMapping() { let_go(); }

// Returns when the thread has ended and leaves the pages alone.
void LeasedMapping::let_go() {
  watcher_ = std::jthread();
  if (std::exchange(is_leased_, false)) end_lease(descriptor_);
}

bool LeasedMapping::start_watching() {
  try {
    watcher_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

void LeasedMapping::watch(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (is_asked_for_lease()) {
      lock.unlock();
      give_way_to_writer(stop);
      return;
    }
    waiting_.wait_for(lock, stop, kWatchInterval, [&] { return stop.stop_requested(); });
  }
}

// Whether somebody waits to write, or the system has taken the lease away already.
bool LeasedMapping::is_asked_for_lease() const { return ::fcntl(descriptor_, F_GETLEASE) != F_RDLCK; }

// Without memory for the copy the lease stays until the system takes it away, and the version of the file says what
// came of it.
void LeasedMapping::give_way_to_writer(const std::stop_token& stop) {
  for (std::span<std::byte> rest = mapped_pages_; !rest.empty();) {
    const std::span<std::byte> next = rest.first(std::min(rest.size(), kCopyBytes));
    if (stop.stop_requested() || !copy_pages(next)) return;
    rest = rest.subspan(next.size());
  }
  const std::scoped_lock lock(mutex_);
  was_changed_ = is_file_changed();
  is_leased_ = false;
  end_lease(descriptor_);
}

MappedCopy::Damage LeasedMapping::check() {
  const std::scoped_lock lock(mutex_);
  if (guard_.has_failed()) return Damage::kLost;
  const bool is_changed = is_leased_ ? is_asked_for_lease() && is_file_changed() : was_changed_;
  return is_changed ? Damage::kChanged : Damage::kNone;
}

// Nobody can write under a lease. Who wrote after it was taken away may have appended, or have cut the file and written
// it anew, longer: that cannot be told.
bool LeasedMapping::is_file_changed() const {
  const std::optional<FileVersion> version = version_of(descriptor_);
  return !version || version != version_;
}

void LeasedMapping::discard() {
  let_go();
  const std::span<std::byte> pages = whole_pages(bytes_);
  if (map_anonymous(pages.data(), pages.size()) != MAP_FAILED) return;
  throw Error("cannot allocate " + format_size(pages.size()) + " of memory: " + std::strerror(errno) +
                  "; lower the memory budget",
              Remedy::kLessMemory);
}

}  // namespace sortie

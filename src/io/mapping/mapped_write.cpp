#include "io/mapping/mapped_write.hpp"

#include <cstring>

#include <sys/mman.h>
#include <sys/stat.h>

#include "base/page_size.hpp"
#include "base/size.hpp"
#include "io/mapping/mapping_guard.hpp"

namespace sortie {
namespace {

bool lies_within_file(int descriptor, std::uint64_t end) {
  struct stat status;
  return ::fstat(descriptor, &status) == 0 && end <= static_cast<std::uint64_t>(status.st_size);
}

}  // namespace

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

#include "io/files/direct_input_file.hpp"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/descriptor.hpp"
#include "base/size.hpp"
#include "io/files/leased_mapping.hpp"
#include "io/files/transfer.hpp"

namespace sortie {
namespace {

/// Positions, addresses and sizes of direct reads are multiples of this: enough for every common disk.
constexpr std::uint64_t kBlockBytes = 4096;

/// Below this, a request's latency counts for more than its bytes and the kernel's read-ahead is the better way.
constexpr std::size_t kLeastTargetBytes = 256 << 10;

/// Opens the same file once more, for direct reads. Hold it only while it is used: a sort of many inputs needs its
/// descriptors.
Descriptor open_directly(int original) {
  const std::string path = "/proc/self/fd/" + std::to_string(original);
  return Descriptor(
      above_standard(retry_interrupted([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC); })));
}

/// Returns how many bytes came; 0 if the system refuses.
std::size_t read_parts(const Descriptor& file, std::uint64_t position, std::span<const iovec> targets) {
  const ssize_t bytes = retry_interrupted([&] {
    return ::preadv(file.number(), targets.data(), static_cast<int>(targets.size()), static_cast<off_t>(position));
  });
  return static_cast<std::size_t>(std::max<ssize_t>(bytes, 0));
}

/// cachestat(2), for which the C library has no name yet; the same number on every architecture.
constexpr long kCachestat = 451;

struct CacheRange {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct CacheCounts {
  std::uint64_t cached = 0;
  std::uint64_t dirty = 0;
  std::uint64_t writeback = 0;
  std::uint64_t evicted = 0;
  std::uint64_t recently_evicted = 0;
};

}  // namespace

std::size_t DirectInputFile::read_at(std::uint64_t offset, std::span<std::byte> target) {
  if (target.size() >= kLeastTargetBytes && direct_works_ && !is_at_hand(offset, target.size())) {
    if (read_around_cache(descriptor(), origin() + offset, target)) return target.size();
    direct_works_ = false;
  }
  return PosixFile::read_at(offset, target);
}

std::unique_ptr<MappedCopy> DirectInputFile::map_at(std::uint64_t offset, std::span<std::byte> target) {
  if (!is_at_hand(offset, target.size())) return nullptr;
  return LeasedMapping::make(descriptor(), origin() + offset, target);
}

// A file in tmpfs is always in memory: to count its pages would take 18 ms a gigabyte.
bool DirectInputFile::is_at_hand(std::uint64_t offset, std::uint64_t bytes) const {
  return lies_in_memory() || is_mostly_cached(descriptor(), origin() + offset, bytes);
}

// Sends one request for all blocks that the target touches. The middle is read to the first block boundary of the
// target, and moved from there to its position; the ends go through buffers.
//
//   file     |..head|======|======|======|tail..|         | block boundaries
//   target         [head======================tail]
//   memory             |======================|
bool read_around_cache(int descriptor, std::uint64_t position, std::span<std::byte> target) {
  if (target.empty()) return true;
  const std::uint64_t begin = round_down(position, kBlockBytes);
  const auto skipped = static_cast<std::size_t>(position - begin);
  const std::size_t head = skipped == 0 ? 0 : std::min<std::size_t>(kBlockBytes - skipped, target.size());
  const auto address = reinterpret_cast<std::uintptr_t>(target.data());
  const std::size_t landing = round_up(address, kBlockBytes) - address;
  const std::size_t middle = round_down(target.size() - std::min(std::max(head, landing), target.size()), kBlockBytes);
  const std::size_t tail = target.size() - head - middle;

  alignas(kBlockBytes) std::byte head_block[kBlockBytes];
  alignas(kBlockBytes) std::byte tail_blocks[2 * kBlockBytes];
  const iovec parts[] = {{head_block, head == 0 ? 0 : kBlockBytes},
                         {target.data() + (middle == 0 ? 0 : landing), middle},
                         {tail_blocks, round_up(tail, kBlockBytes)}};
  if (read_parts(open_directly(descriptor), begin, parts) < skipped + target.size()) return false;
  if (head != landing && middle != 0) std::memmove(target.data() + head, target.data() + landing, middle);
  std::copy_n(head_block + skipped, head, target.begin());
  std::copy_n(tail_blocks, tail, target.end() - static_cast<std::ptrdiff_t>(tail));
  return true;
}

bool is_mostly_cached(int descriptor, std::uint64_t offset, std::uint64_t bytes) {
  const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  CacheRange range{offset, bytes};
  CacheCounts counts;
  if (::syscall(kCachestat, descriptor, &range, &counts, 0U) != 0) return true;
  return 2 * counts.cached * page_bytes >= bytes;
}

}  // namespace sortie

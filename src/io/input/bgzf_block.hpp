// One block of BGZF, the packed form of genome files: a member of gzip, of at most 64 KiB before and after it is
// packed, which can be unpacked by itself (SAM/BAM format specification, section 4.1).
//
//   | gzip header, extra field "BC": length of the block | deflate | CRC-32 | length of the contents |
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

struct libdeflate_decompressor;

namespace sortie {

/// Of a block, and of its contents.
inline constexpr std::size_t kMostBgzfBytes = 64 << 10;

struct BgzfBlock {
  std::span<const std::byte> packed;  ///< deflate
  std::uint32_t checksum = 0;
  std::size_t contents_bytes = 0;  ///< as its end says: more than kMostBgzfBytes if it is damaged
  std::size_t bytes = 0;           ///< of the whole block
};

/// The block that `bytes` begin with; nothing if that is none, or not all there.
std::optional<BgzfBlock> front_bgzf_block(std::span<const std::byte> bytes);

/// Whether `bytes` may begin with a block of which the rest is missing.
bool may_begin_bgzf_block(std::span<const std::byte> bytes);

/// Unpacks blocks. A thread's own.
class BgzfUnpacker {
 public:
  BgzfUnpacker();
  ~BgzfUnpacker();
  BgzfUnpacker(const BgzfUnpacker&) = delete;
  BgzfUnpacker& operator=(const BgzfUnpacker&) = delete;

  /// Whether the block holds exactly `target.size()` bytes of its checksum.
  bool unpack(const BgzfBlock& block, std::span<std::byte> target);

 private:
  libdeflate_decompressor* library_;
};

}  // namespace sortie

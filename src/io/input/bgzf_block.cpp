#include "io/input/bgzf_block.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>

#include <libdeflate.h>

#include "base/bytes.hpp"

namespace sortie {
namespace {

constexpr std::size_t kFixedHeaderBytes = 12;
constexpr std::size_t kTrailerBytes = 8;
constexpr std::string_view kMagic("\x1f\x8b\x08\x04", 4);  // an extra field, and no name or comment

std::size_t load_two(const std::byte* bytes) { return load_as<std::uint16_t>(bytes); }

struct Header {
  std::size_t bytes = 0;        // up to deflate
  std::size_t block_bytes = 0;  // the whole block
};

/// The header of the block that `packed` begins with; zeros if that is none of BGZF, or not all there.
Header read_header(std::span<const std::byte> packed) {
  if (packed.size() < kFixedHeaderBytes || std::memcmp(packed.data(), kMagic.data(), kMagic.size()) != 0) return {};
  const std::size_t end = kFixedHeaderBytes + load_two(packed.data() + 10);
  if (packed.size() < end) return {};
  for (std::size_t field = kFixedHeaderBytes; field + 4 <= end; field += 4 + load_two(packed.data() + field + 2)) {
    if (std::memcmp(packed.data() + field, "BC\x02\x00", 4) != 0 || field + 6 > end) continue;
    const std::size_t block_bytes = load_two(packed.data() + field + 4) + 1;
    return block_bytes < end + kTrailerBytes ? Header{} : Header{end, block_bytes};
  }
  return {};
}

}  // namespace

std::optional<BgzfBlock> front_bgzf_block(std::span<const std::byte> bytes) {
  const Header header = read_header(bytes);
  if (header.bytes == 0 || header.block_bytes > bytes.size()) return std::nullopt;
  const std::byte* const trailer = bytes.data() + header.block_bytes - kTrailerBytes;
  BgzfBlock block;
  block.packed = bytes.subspan(header.bytes, header.block_bytes - header.bytes - kTrailerBytes);
  block.checksum = load_as<std::uint32_t>(trailer);
  block.contents_bytes = load_as<std::uint32_t>(trailer + 4);
  block.bytes = header.block_bytes;
  return block;
}

bool may_begin_bgzf_block(std::span<const std::byte> bytes) {
  const std::size_t known = std::min(bytes.size(), kMagic.size());
  if (std::memcmp(bytes.data(), kMagic.data(), known) != 0) return false;
  const Header header = read_header(bytes);
  const bool has_header =
      bytes.size() >= kFixedHeaderBytes && bytes.size() >= kFixedHeaderBytes + load_two(bytes.data() + 10);
  return !has_header || header.block_bytes > bytes.size();
}

BgzfUnpacker::BgzfUnpacker() : library_(::libdeflate_alloc_decompressor()) {
  if (library_ == nullptr) throw std::bad_alloc();
}

BgzfUnpacker::~BgzfUnpacker() { ::libdeflate_free_decompressor(library_); }

bool BgzfUnpacker::unpack(const BgzfBlock& block, std::span<std::byte> target) {
  std::size_t taken = 0;
  const libdeflate_result result = ::libdeflate_deflate_decompress_ex(
      library_, block.packed.data(), block.packed.size(), target.data(), target.size(), &taken, nullptr);
  return result == LIBDEFLATE_SUCCESS && taken == block.packed.size() &&
         ::libdeflate_crc32(0, target.data(), target.size()) == block.checksum;
}

}  // namespace sortie

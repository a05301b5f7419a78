#include "io/input/compression_format.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"
#include "io/input/member_input.hpp"
#include "io/input/zstd_input.hpp"

namespace sortie {
namespace {

using Leading = std::span<const std::byte>;

bool begins_with(Leading leading, std::string_view magic) {
  return leading.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), leading.begin(), [](char a, std::byte b) { return std::byte(a) == b; });
}

/// RFC 1952: the magic, deflate as the method, and the reserved flags all zero.
bool is_gzip(Leading leading) {
  return begins_with(leading, "\x1f\x8b\x08") && leading.size() >= 10 && (leading[3] & std::byte{0xe0}) == std::byte{0};
}

/// "BZh", the block size, then the magic of the first block or, if there is none, of the end.
bool is_bzip2(Leading leading) {
  if (!begins_with(leading, "BZh") || leading.size() < 10) return false;
  if (leading[3] < std::byte{'1'} || leading[3] > std::byte{'9'}) return false;
  const Leading block = leading.subspan(4);
  return begins_with(block, "\x31\x41\x59\x26\x53\x59") || begins_with(block, "\x17\x72\x45\x38\x50\x90");
}

/// RFC 8878: a frame, or a skippable frame (which pzstd writes first) that a frame follows.
bool is_zstd(Leading leading) {
  constexpr std::string_view kFrame = "\x28\xb5\x2f\xfd";
  constexpr std::size_t kSkippableHeaderBytes = 8;
  if (begins_with(leading, kFrame)) return true;
  if (leading.size() < kSkippableHeaderBytes) return false;
  if ((load_as<std::uint32_t>(leading.data()) & 0xfffffff0) != 0x184d2a50) return false;
  const std::size_t next = kSkippableHeaderBytes + load_as<std::uint32_t>(leading.data() + 4);
  return next < leading.size() && begins_with(leading.subspan(next), kFrame);
}

}  // namespace

CompressionFormat recognise_magic(std::span<const std::byte> leading) {
  if (is_gzip(leading)) return CompressionFormat::kGzip;
  if (is_zstd(leading)) return CompressionFormat::kZstd;
  if (is_bzip2(leading)) return CompressionFormat::kBzip2;
  return CompressionFormat::kNone;
}

bool may_have_magic(std::span<const std::byte> leading) {
  constexpr std::string_view kBegins[] = {"\x1f\x8b", "\x28\xb5", "BZ"};
  const auto fits = [&](std::string_view begin) { return begins_with(leading, begin.substr(0, leading.size())); };
  if (std::ranges::any_of(kBegins, fits)) return true;
  // zstd may begin with a skippable frame.
  if (leading.empty() || (leading[0] & std::byte{0xf0}) != std::byte{0x50}) return leading.empty();
  return leading.size() < 2 || leading[1] == std::byte{0x2a};
}

CompressionFormat recognise_suffix(std::string_view path) {
  if (path.ends_with(".gz")) return CompressionFormat::kGzip;
  if (path.ends_with(".zst")) return CompressionFormat::kZstd;
  if (path.ends_with(".bz2")) return CompressionFormat::kBzip2;
  return CompressionFormat::kNone;
}

OutputLevels output_levels(CompressionFormat format) {
  switch (format) {
    case CompressionFormat::kGzip:
      return {6, 9};
    case CompressionFormat::kZstd:
      return {3, 19};
    case CompressionFormat::kBzip2:
      return {9, 9};
    case CompressionFormat::kNone:
      break;
  }
  return {0, 0};
}

std::unique_ptr<Input> make_compressed_input(ByteSource source, CompressionFormat format, std::uint64_t window_bytes,
                                             const WarningSink& warn) {
  std::unique_ptr<MemberUnpacker> unpacker;
  switch (format) {
    case CompressionFormat::kZstd:
      return std::make_unique<ZstdInput>(std::move(source), window_bytes);
    case CompressionFormat::kGzip:
      unpacker = make_gzip_unpacker(source.path());
      break;
    case CompressionFormat::kBzip2:
      unpacker = make_bzip2_unpacker(source.path());
      break;
    case CompressionFormat::kNone:
      assert(false && "not a compressed format");
  }
  return std::make_unique<MemberInput>(std::move(source), std::move(unpacker), warn);
}

void throw_damaged(const std::string& path) {
  throw Error("cannot unpack " + quote_word(path) + ": the compressed data is damaged or cut short");
}

}  // namespace sortie

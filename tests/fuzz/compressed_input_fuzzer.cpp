// Reads any bytes as an input: compressed or not, damaged, cut short, several members in a row, bombs. The contents do
// not depend on how much is read at a time, equal those that the format's own library gives, and never are in memory
// as a whole: libFuzzer's limit on a single allocation checks this.
#include <bzlib.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <optional>
#include <string>

#include <sortie/error.hpp>

#include "fuzz/fuzz_target.hpp"
#include "io/input/compression_format.hpp"
#include "io/input/input.hpp"
#include "io/input/open_input.hpp"
#include "io/input/packed_begin.hpp"
#include "support/memory_file_system.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

/// Reading of a bomb stops here.
constexpr std::size_t kMostBytes = 1 << 16;

struct Unpacked {
  std::string bytes;
  bool complete = false;  // neither refused nor too long
};

Unpacked unpack(FileSystem& files, std::size_t step) {
  Unpacked unpacked;
  std::string piece(step, '\0');
  try {
    const auto input = open_input(files, "input");
    while (unpacked.bytes.size() < kMostBytes) {
      const std::size_t got = input->read(test::as_writable(piece));
      unpacked.bytes.append(piece, 0, got);
      if (got < step) return {std::move(unpacked.bytes), true};
    }
  } catch (const Error&) {
  }
  return unpacked;
}

/// The contents of all members; nothing if one is damaged. Bytes after a member that begin no other are ignored.
std::optional<std::string> unpack_gzip(std::string_view packed) {
  constexpr std::string_view kMagic = "\x1f\x8b";
  std::string all;
  do {
    z_stream stream{};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    std::string member(2 * kMostBytes, '\0');
    stream.next_out = reinterpret_cast<Bytef*>(member.data());
    stream.avail_out = static_cast<uInt>(member.size());
    inflateInit2(&stream, 16 + MAX_WBITS);
    const int status = inflate(&stream, Z_FINISH);
    all.append(member, 0, stream.total_out);
    packed.remove_prefix(stream.total_in);
    inflateEnd(&stream);
    if (status != Z_STREAM_END) return std::nullopt;
  } while (!packed.empty() && kMagic.starts_with(packed.substr(0, kMagic.size())));
  return all;
}

/// As unpack_gzip().
std::optional<std::string> unpack_bzip2(std::string_view packed) {
  std::string all;
  for (bool is_first = true; !packed.empty(); is_first = false) {
    bz_stream stream{};
    BZ2_bzDecompressInit(&stream, 0, 0);
    stream.next_in = const_cast<char*>(packed.data());
    stream.avail_in = static_cast<unsigned>(packed.size());
    std::string member(2 * kMostBytes, '\0');
    stream.next_out = member.data();
    stream.avail_out = static_cast<unsigned>(member.size());
    const int status = BZ2_bzDecompress(&stream);
    all.append(member, 0, stream.total_out_lo32);
    packed.remove_prefix(stream.total_in_lo32);
    BZ2_bzDecompressEnd(&stream);
    if (status == BZ_DATA_ERROR_MAGIC && !is_first) return all;
    if (status != BZ_STREAM_END) return std::nullopt;
  }
  return all;
}

std::optional<std::string> unpack_zstd(std::string_view packed) {
  std::string all(2 * kMostBytes, '\0');
  const std::size_t bytes = ZSTD_decompress(all.data(), all.size(), packed.data(), packed.size());
  if (ZSTD_isError(bytes)) return std::nullopt;
  return all.substr(0, bytes);
}

std::optional<std::string> unpack_xz(std::string_view packed) {
  std::string all(2 * kMostBytes, '\0');
  std::uint64_t limit = kMaxWindowBytes;
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, limit, LZMA_CONCATENATED) != LZMA_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
  stream.avail_in = packed.size();
  stream.next_out = reinterpret_cast<std::uint8_t*>(all.data());
  stream.avail_out = all.size();
  const lzma_ret status = lzma_code(&stream, LZMA_FINISH);
  all.resize(stream.total_out);
  lzma_end(&stream);
  if (status != LZMA_STREAM_END) return std::nullopt;
  return all;
}

/// As unpack_gzip().
std::optional<std::string> unpack_lz4(std::string_view packed) {
  constexpr std::string_view kMagic = "\x04\x22\x4d\x18";
  constexpr std::string_view kSkippable = "\x2a\x4d\x18";
  LZ4F_dctx* context = nullptr;
  LZ4F_createDecompressionContext(&context, LZ4F_VERSION);
  std::string all;
  std::size_t status = 0;
  const auto begins_frame = [&] {
    if (packed.empty()) return false;
    return kMagic.starts_with(packed.substr(0, 4)) ||
           ((packed[0] & 0xf0) == 0x50 && kSkippable.starts_with(packed.substr(1, 3)));
  };
  while (begins_frame()) {
    do {
      std::string piece(kMostBytes, '\0');
      std::size_t made = piece.size();
      std::size_t taken = packed.size();
      status = LZ4F_decompress(context, piece.data(), &made, packed.data(), &taken, nullptr);
      if (LZ4F_isError(status) || (taken == 0 && made == 0 && status != 0)) {
        LZ4F_freeDecompressionContext(context);
        return std::nullopt;
      }
      packed.remove_prefix(taken);
      all.append(piece, 0, made);
    } while (status != 0);
  }
  LZ4F_freeDecompressionContext(context);
  return all;
}

std::optional<std::string> unpack_by_library(std::string_view packed) {
  const auto leading = test::as_bytes(packed.substr(0, kMagicBytes));
  if (recognise_foreign(leading)) return std::nullopt;
  switch (recognise_magic(leading)) {
    case CompressionFormat::kGzip:
    case CompressionFormat::kBgzf:
      return unpack_gzip(packed);
    case CompressionFormat::kXz:
      return unpack_xz(packed);
    case CompressionFormat::kLz4:
      return unpack_lz4(packed);
    case CompressionFormat::kBzip2:
      // The magic is text, and so may be all that follows it.
      if (is_ascii_text(test::as_bytes(packed.substr(0, kArchiveMagicBytes)))) break;
      return unpack_bzip2(packed);
    case CompressionFormat::kZstd:
      return unpack_zstd(packed);
    case CompressionFormat::kNone:
      break;
  }
  return std::string(packed);
}

void check(std::string_view packed) {
  test::MemoryFileSystem files;
  files.contents("input") = packed;
  const Unpacked by_much = unpack(files, 1 << 13);
  const Unpacked by_few = unpack(files, 509);
  if (by_much.bytes.size() < kMostBytes && by_few.bytes.size() < kMostBytes) {
    fuzz::require(by_much.complete == by_few.complete, "whether an input can be unpacked depends on it alone");
  }
  if (!by_much.complete || !by_few.complete) return;
  fuzz::require(by_much.bytes == by_few.bytes, "what comes out does not depend on the sizes of reads");
  const std::optional<std::string> expected = unpack_by_library(packed);
  fuzz::require(expected.has_value(), "what the library calls damaged is refused");
  fuzz::require(by_much.bytes == *expected, "what comes out is what the library unpacks");
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::check({reinterpret_cast<const char*>(data), size});
  return 0;
}

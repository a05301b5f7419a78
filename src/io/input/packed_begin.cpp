#include "io/input/packed_begin.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include <lzma.h>
#include <zstd.h>
#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/letter_case.hpp"
#include "io/input/input.hpp"
#include "io/input/packed_input.hpp"

namespace sortie {
namespace {

/// What an encrypted Parquet file begins with and ends in.
constexpr std::string_view kEncryptedTable = "PARE";

constexpr std::string_view kTableSuffixes[] = {".parquet", ".arrow", ".feather"};

/// What names of packed files end in that hold an archive or a table.
constexpr std::string_view kPackedArchives[] = {".tgz", ".taz",  ".txz", ".tbz", ".tbz2",
                                                ".tz2", ".tzst", ".bam", ".bcf"};

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Random bytes do not give so many: an error comes before.
constexpr std::size_t kSureBytes = 4096;
/// Data that is cut short is told from records if it is not shorter than this.
constexpr std::size_t kLeastPackedBytes = 256;

/// How a trial went.
struct Trial {
  bool failed = false;
  bool in_member = false;    ///< the last member has not ended
  std::size_t made = 0;      ///< bytes that were unpacked
  std::size_t last_end = 0;  ///< where the last member that has ended does so
};

Trial try_members(MemberUnpacker& unpacker, std::span<const std::byte> begin) {
  Trial trial;
  std::vector<std::byte> target(kSureBytes);
  std::span<const std::byte> left = begin;
  try {
    while (trial.made < kSureBytes) {
      if (!trial.in_member) {
        if (!unpacker.begins_member(left.first(std::min(left.size(), MemberUnpacker::kMagicBytes)))) break;
        unpacker.begin();
        trial.in_member = true;
      }
      const MemberUnpacker::Step step = unpacker.unpack(left, target);
      left = left.subspan(step.taken);
      trial.made += step.made;
      trial.in_member = !step.at_end;
      if (step.at_end) trial.last_end = begin.size() - left.size();
      if (left.empty()) break;
    }
  } catch (const Error&) {
    trial.failed = true;
  }
  return trial;
}

/// Whether a frame of zstd begins with bits that no writer sets, though readers pass over them.
bool has_unused_bit(std::span<const std::byte> begin) {
  constexpr std::size_t kDescriptor = 4;
  constexpr std::byte kUnused{0x10};
  return begin.size() > kDescriptor && load_as<std::uint32_t>(begin.data()) == ZSTD_MAGICNUMBER &&
         (begin[kDescriptor] & kUnused) != std::byte{0};
}

/// Whether it has a header and blocks up to its end, whatever memory it takes to unpack them.
bool is_whole_frame(std::span<const std::byte> begin) {
  return ZSTD_findFrameCompressedSize(begin.data(), begin.size()) == begin.size();
}

Trial try_zstd(std::span<const std::byte> begin) {
  struct FreeContext {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  if (!context) throw std::bad_alloc();
  Trial trial;
  trial.failed = has_unused_bit(begin);
  if (trial.failed) return trial;
  std::vector<std::byte> target(kSureBytes);
  ZSTD_inBuffer in{begin.data(), begin.size(), 0};
  while (trial.made < kSureBytes) {
    ZSTD_outBuffer out{target.data(), target.size(), 0};
    const std::size_t before = in.pos;
    const std::size_t left_of_frame = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(left_of_frame)) {
      if (is_whole_frame(begin)) return {.last_end = begin.size()};
      trial.failed = true;
      break;
    }
    trial.made += out.pos;
    trial.in_member = left_of_frame != 0;
    if (!trial.in_member) trial.last_end = in.pos;
    const bool stands_still = in.pos == before && out.pos == 0;
    if (stands_still || (in.pos == in.size && out.pos < out.size)) break;
  }
  return trial;
}

/// The header of a stream has a checksum of its own.
bool begins_as_xz(std::span<const std::byte> begin) {
  lzma_stream_flags flags{};
  return begin.size() >= LZMA_STREAM_HEADER_SIZE &&
         ::lzma_stream_header_decode(&flags, reinterpret_cast<const std::uint8_t*>(begin.data())) == LZMA_OK;
}

bool is_sure(const Trial& trial, std::span<const std::byte> begin, bool is_whole) {
  if (trial.made >= kSureBytes) return true;
  if (trial.failed) return false;
  if (trial.in_member) return !is_whole || begin.size() >= kLeastPackedBytes;
  return trial.last_end == begin.size() || trial.made > 0;
}

}  // namespace

bool can_be_unpacked(CompressionFormat format, std::span<const std::byte> begin, bool is_whole) {
  const std::string no_path;
  switch (format) {
    case CompressionFormat::kGzip:
    case CompressionFormat::kBgzf:
      return is_sure(try_members(*make_gzip_unpacker(no_path), begin), begin, is_whole);
    case CompressionFormat::kBzip2:
      return is_sure(try_members(*make_bzip2_unpacker(no_path), begin), begin, is_whole);
    case CompressionFormat::kLz4:
      return is_sure(try_members(*make_lz4_unpacker(no_path), begin), begin, is_whole);
    case CompressionFormat::kZstd:
      return is_sure(try_zstd(begin), begin, is_whole);
    case CompressionFormat::kXz:
      return begins_as_xz(begin);
    case CompressionFormat::kNone:
      return false;
  }
  return false;
}

bool is_ascii_text(std::span<const std::byte> begin) {
  constexpr std::size_t kSureLength = 64;
  const std::string_view text = text_of(begin);
  const bool is_text =
      std::ranges::all_of(text, [](char c) { return (c >= ' ' && c <= '~') || (c >= '\t' && c <= '\r'); });
  return is_text && (text.size() >= kSureLength || text.ends_with('\n'));
}

bool may_be_encrypted_table(std::span<const std::byte> leading) {
  return text_of(leading).starts_with(kEncryptedTable);
}

std::optional<ForeignFormat> recognise_encrypted_table(std::span<const std::byte> leading,
                                                       std::span<const std::byte> ending, std::uint64_t bytes) {
  if (ending.size() != kTableEndBytes || !may_be_encrypted_table(leading)) return std::nullopt;
  const std::uint64_t footer_bytes = load_as<std::uint32_t>(ending.data());
  const bool fits = footer_bytes > 0 && footer_bytes + kEncryptedTable.size() + kTableEndBytes <= bytes;
  if (!fits || !text_of(ending).ends_with(kEncryptedTable)) return std::nullopt;
  return ForeignFormat{"an encrypted Parquet file", "sort what it holds when it is decrypted, with sortie-parquet"};
}

bool is_named_as_packed(std::string_view path) {
  const std::string lower = in_lower_case(path);
  return recognise_suffix(path) != CompressionFormat::kNone || !foreign_suffix(path).empty() ||
         std::ranges::any_of(kTableSuffixes, [&](std::string_view suffix) { return lower.ends_with(suffix); });
}

bool is_packed_twice_by_name(std::string_view path) {
  if (!is_named_as_packed(path)) return false;
  const std::string lower = in_lower_case(path);
  return is_named_as_packed(path.substr(0, path.rfind('.'))) ||
         std::ranges::any_of(kPackedArchives, [&](std::string_view suffix) { return lower.ends_with(suffix); });
}

}  // namespace sortie

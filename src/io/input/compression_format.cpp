#include "io/input/compression_format.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <string>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/letter_case.hpp"
#include "base/quote.hpp"

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

/// A gzip member whose first extra field is that of BGZF, as bgzip writes it: the length of the member.
bool is_bgzf(Leading leading) {
  constexpr std::byte kExtraFlag{4};
  return is_gzip(leading) && leading.size() >= 16 && (leading[3] & kExtraFlag) != std::byte{0} &&
         begins_with(leading.subspan(12), {"BC\x02\x00", 4});
}

/// The magic, then two bytes of flags, of which all are reserved but the kind of the check.
bool is_xz(Leading leading) {
  return begins_with(leading, {"\xfd"
                               "7zXZ\x00\x00",
                               7}) &&
         leading.size() >= 8 && leading[7] <= std::byte{15};
}

/// "BZh", the block size, then the magic of the first block or, if there is none, of the end.
bool is_bzip2(Leading leading) {
  if (!begins_with(leading, "BZh") || leading.size() < 10) return false;
  if (leading[3] < std::byte{'1'} || leading[3] > std::byte{'9'}) return false;
  const Leading block = leading.subspan(4);
  return begins_with(block, "\x31\x41\x59\x26\x53\x59") || begins_with(block, "\x17\x72\x45\x38\x50\x90");
}

/// What follows a skippable frame, as zstd and lz4 have them, if `leading` begins with one and holds it.
Leading behind_skippable(Leading leading) {
  constexpr std::size_t kHeaderBytes = 8;
  if (leading.size() < kHeaderBytes) return {};
  if ((load_as<std::uint32_t>(leading.data()) & 0xfffffff0) != 0x184d2a50) return {};
  const std::size_t next = kHeaderBytes + load_as<std::uint32_t>(leading.data() + 4);
  return next < leading.size() ? leading.subspan(next) : Leading();
}

/// RFC 8878: a frame, or a skippable frame (which pzstd writes first) that a frame follows.
bool is_zstd(Leading leading) {
  constexpr std::string_view kFrame = "\x28\xb5\x2f\xfd";
  return begins_with(leading, kFrame) || begins_with(behind_skippable(leading), kFrame);
}

/// Version 1 of the format of frames, with its reserved bits zero; skippable frames as for zstd.
bool is_lz4(Leading leading) {
  constexpr std::string_view kFrame = "\x04\x22\x4d\x18";
  const Leading frame = begins_with(leading, kFrame) ? leading : behind_skippable(leading);
  if (!begins_with(frame, kFrame)) return false;
  if (frame.size() < 6) return frame.size() < leading.size();  // behind a skippable frame the magic alone is seen
  return (frame[4] & std::byte{0xc2}) == std::byte{0x40} && (frame[5] & std::byte{0x8f}) == std::byte{0} &&
         frame[5] >= std::byte{0x40};
}

/// A local header of an entry, or the end of an empty archive: a version of at most 6.3, and a method that there is.
bool is_zip(Leading leading) {
  if (begins_with(leading, {"PK\x05\x06\x00\x00\x00\x00\x00\x00", 10})) return true;
  if (!begins_with(leading, "PK\x03\x04") || leading.size() < 10) return false;
  return leading[4] <= std::byte{63} && leading[5] <= std::byte{10} && leading[8] <= std::byte{99} &&
         leading[9] == std::byte{0};
}

/// A dictionary of a size that a writer makes, 2^n or 2^n + 2^(n-1) from 4 KiB on, and the size of the contents or that
/// it is not known. What is packed begins with a zero.
bool is_lzma_alone(Leading leading) {
  constexpr std::uint32_t kLeastDictionary = 4096;
  if (!begins_with(leading, {"\x5d\x00\x00", 3}) || leading.size() < 14) return false;
  const auto dictionary = load_as<std::uint32_t>(leading.data() + 1);
  const std::uint32_t behind_first_bit = dictionary & ~std::bit_floor(dictionary);
  const bool is_usual = behind_first_bit == 0 || behind_first_bit == std::bit_floor(dictionary) / 2;
  if (dictionary < kLeastDictionary || !is_usual) return false;
  const auto contents = load_as<std::uint64_t>(leading.data() + 5);
  return leading[13] == std::byte{0} && (contents == ~std::uint64_t{0} || contents < (std::uint64_t{1} << 38));
}

/// Two bytes of magic are too few: the third says how, in bits of which two are reserved, with codes of 9 to 16 bits.
bool is_compress(Leading leading) {
  if (!begins_with(leading, "\x1f\x9d") || leading.size() < 3 || (leading[2] & std::byte{0x60}) != std::byte{0})
    return false;
  const auto bits = std::to_integer<unsigned>(leading[2] & std::byte{0x1f});
  return bits >= 9 && bits <= 16;
}

/// A name, then at its position the magic of POSIX or of GNU. Text has no NUL behind it.
bool is_tar(Leading leading) {
  constexpr std::size_t kPosition = 257;
  if (leading.size() < kPosition + 8 || leading[0] == std::byte{0}) return false;
  const Leading magic = leading.subspan(kPosition);
  return begins_with(magic, {"ustar\x00", 6}) || begins_with(magic, {"ustar  \x00", 8});
}

/// A format that is unpacked, and that an output can have.
struct PackedFormat {
  CompressionFormat format;
  std::string_view magic;  ///< what its begin may be, in two bytes; more is for `is_begin_of`
  bool (*is_begin_of)(Leading);
  std::string_view name;
  std::string_view suffix;
  OutputLevels levels;
};

/// Of libdeflate, of which bgzip and samtools take 7. Alignments get 1.4% more bytes than at 6, in six sevenths of the
/// processor time of the whole sort (tools/bench/RESULTS.md).
constexpr int kUsualBgzfLevel = 5;

/// BGZF comes before gzip, which it is, too.
constexpr PackedFormat kPackedFormats[] = {
    {CompressionFormat::kBgzf, "\x1f\x8b", is_bgzf, "packed by gzip", ".bgz", {kUsualBgzfLevel, 9}},
    {CompressionFormat::kGzip, "\x1f\x8b", is_gzip, "packed by gzip", ".gz", {6, 9}},
    {CompressionFormat::kZstd, "\x28\xb5", is_zstd, "packed by zstd", ".zst", {3, 19}},
    {CompressionFormat::kBzip2, "BZ", is_bzip2, "packed by bzip2", ".bz2", {9, 9}},
    {CompressionFormat::kXz, "\xfd\x37", is_xz, "packed by xz", ".xz", {6, 9}},
    {CompressionFormat::kLz4, "\x04\x22", is_lz4, "packed by lz4", ".lz4", {1, 12}},
};

const PackedFormat* entry_of(CompressionFormat format) {
  const auto* const found = std::ranges::find(kPackedFormats, format, &PackedFormat::format);
  return found == std::end(kPackedFormats) ? nullptr : found;
}

constexpr std::string_view kUnpackIt = "unpack it with its own program first";

/// One that is told by `magic`, and by `is_begin_of` if there is one. A magic at another position than the begin is
/// empty.
struct ForeignMagic {
  std::string_view magic;
  ForeignFormat format;
  bool (*is_begin_of)(Leading) = nullptr;
};
constexpr ForeignMagic kForeignFormats[] = {
    {"PK", {"a zip archive", kUnpackIt}, is_zip},
    {"", {"a tar archive", "say --format=tar to sort its samples, or unpack it first"}, is_tar},
    {"\x1f\x9d", {"packed by compress", kUnpackIt}, is_compress},
    {{"\x5d\x00\x00", 3}, {"lzma in its old format", kUnpackIt}, is_lzma_alone},
    {{"PAR1\x15", 5}, {"a Parquet file", "sort it with sortie-parquet"}},
    {{"ARROW1\x00\x00", 8}, {"an Arrow file", "sort its table in Python, with sort_table()"}},
    {"7z\xbc\xaf\x27\x1c", {"a 7z archive", kUnpackIt}},
    {"Rar!\x1a\x07", {"a rar archive", kUnpackIt}},
    {{"LZIP\x01", 5}, {"packed by lzip", kUnpackIt}},
    {{"\x89LZO\x00\r\n\x1a\n", 9}, {"packed by lzop", kUnpackIt}},
    {{"\xff\x06\x00\x00sNaPpY", 10}, {"packed by snappy", kUnpackIt}},
    {"\x02\x21\x4c\x18", {"lz4 in its old format", kUnpackIt}},
};

constexpr std::string_view kForeignSuffixes[] = {
    ".zip", ".7z", ".rar",  ".z",    ".lz",    ".lzma", ".lzo", ".lzop", ".snappy", ".tar",  ".bam", ".cram", ".bcf",
    ".br",  ".sz", ".gzip", ".zstd", ".bzip2", ".tgz",  ".taz", ".txz",  ".tbz",    ".tbz2", ".tz2", ".tzst"};

/// Those that files of a format are written by.
constexpr std::string_view kFormatSuffixes[] = {".bam", ".bcf", ".cram", ".tar"};

/// What names of files end in, in front of .gz, that tabix and bcftools read only as BGZF.
constexpr std::string_view kBgzfSuffixes[] = {".vcf.gz", ".bed.gz", ".gff.gz", ".gff3.gz",
                                              ".gtf.gz", ".sam.gz", ".bgz"};

}  // namespace

CompressionFormat recognise_magic(std::span<const std::byte> leading) {
  const auto* const found =
      std::ranges::find_if(kPackedFormats, [&](const PackedFormat& each) { return each.is_begin_of(leading); });
  return found == std::end(kPackedFormats) ? CompressionFormat::kNone : found->format;
}

std::optional<ForeignFormat> recognise_foreign(std::span<const std::byte> leading) {
  const auto* const found = std::ranges::find_if(kForeignFormats, [&](const ForeignMagic& each) {
    return begins_with(leading, each.magic) && (each.is_begin_of == nullptr || each.is_begin_of(leading));
  });
  return found == std::end(kForeignFormats) ? std::nullopt : std::optional(found->format);
}

std::optional<std::string_view> name_of_genomes(std::span<const std::byte> leading) {
  if (begins_with(leading, {"BAM\x01", 4})) return "a BAM file";
  if (begins_with(leading, {"BCF\x02", 4})) return "a BCF file";
  return std::nullopt;
}

std::optional<std::string_view> name_of_packed(std::span<const std::byte> leading) {
  if (const std::optional<ForeignFormat> foreign = recognise_foreign(leading)) return foreign->name;
  if (const auto genomes = name_of_genomes(leading)) return genomes;
  const PackedFormat* const packed = entry_of(recognise_magic(leading));
  return packed == nullptr ? std::nullopt : std::optional(packed->name);
}

bool may_have_magic(std::span<const std::byte> leading) {
  const auto may_be = [&](const auto& each) {
    return !each.magic.empty() && begins_with(leading, each.magic.substr(0, std::min<std::size_t>(2, leading.size())));
  };
  if (std::ranges::any_of(kPackedFormats, may_be) || std::ranges::any_of(kForeignFormats, may_be)) return true;
  // zstd and lz4 may begin with a skippable frame.
  if (leading.empty() || (leading[0] & std::byte{0xf0}) != std::byte{0x50}) return leading.empty();
  return leading.size() < 2 || leading[1] == std::byte{0x2a};
}

CompressionFormat recognise_suffix(std::string_view path) {
  const std::string lower = in_lower_case(path);
  const auto ends_lower = [&](std::string_view suffix) { return lower.ends_with(suffix); };
  if (std::ranges::any_of(kBgzfSuffixes, ends_lower)) return CompressionFormat::kBgzf;
  const auto* const found =
      std::ranges::find_if(kPackedFormats, [&](const PackedFormat& each) { return lower.ends_with(each.suffix); });
  return found == std::end(kPackedFormats) ? CompressionFormat::kNone : found->format;
}

std::string packed_suffixes() {
  std::string suffixes;
  for (const PackedFormat& each : kPackedFormats) {
    if (each.format == CompressionFormat::kBgzf) continue;
    const bool is_last = &each == std::end(kPackedFormats) - 1;
    suffixes.append(suffixes.empty() ? "" : is_last ? " or " : ", ").append(each.suffix);
  }
  return suffixes;
}

std::string_view foreign_suffix(std::string_view path) {
  const std::string lower = in_lower_case(path);
  const auto* const found = std::ranges::find_if(kForeignSuffixes, [&](std::string_view suffix) {
    return lower.size() > suffix.size() && lower.ends_with(suffix);
  });
  return found == std::end(kForeignSuffixes) ? std::string_view() : path.substr(path.size() - found->size());
}

void refuse_packed_report(const std::string& path) {
  if (recognise_suffix(path) == CompressionFormat::kNone && foreign_suffix(path).empty()) return;
  throw Error("the report " + quote_word(path) +
              ": reports are not packed; choose a name without the suffix of a packed format");
}

CompressionFormat format_of_output(const std::string& path) {
  if (const CompressionFormat format = recognise_suffix(path); format != CompressionFormat::kNone) return format;
  const std::string foreign(foreign_suffix(path));
  if (foreign.empty()) return CompressionFormat::kNone;
  const bool is_of_format = std::ranges::find(kFormatSuffixes, in_lower_case(foreign)) != std::end(kFormatSuffixes);
  throw Error("the output " + quote_word(path) + ": " + foreign + " cannot be written" +
              (is_of_format ? " of lines; say the format of the inputs if they are others, or" : ";") +
              " choose a name that ends in " + packed_suffixes() + ", or in none of these");
}

OutputLevels output_levels(CompressionFormat format) {
  const PackedFormat* const packed = entry_of(format);
  return packed == nullptr ? OutputLevels{0, 0} : packed->levels;
}

int settled_level(CompressionFormat format, int asked) { return asked == 0 ? output_levels(format).usual : asked; }

bool begins_packed(std::span<const std::byte> leading) {
  return recognise_magic(leading) != CompressionFormat::kNone || recognise_foreign(leading);
}

void throw_other_part(const std::string& path, std::span<const std::byte> leading) {
  if (begins_packed(leading)) {
    throw Error("input " + quote_path(path) +
                ": behind its first packed part follows one of another format; unpack both, and sort what they hold");
  }
  throw Error("input " + quote_path(path) +
              ": behind its packed data follow bytes that are not packed; unpack it, and sort both");
}

void throw_damaged(const std::string& path) {
  throw Error("cannot unpack " + quote_word(path) + ": the compressed data is damaged or cut short");
}

}  // namespace sortie

// Which compressed formats there are, and how they are recognised: inputs by their first bytes, outputs by their
// suffix. One table has what is known of each. Used by open_input() and open_output().
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sortie {

enum class CompressionFormat : std::uint8_t {
  kNone,
  kGzip,
  kBgzf,  ///< gzip in blocks of at most 64 KiB, each of which can be unpacked by itself: what bgzip and tabix know
  kZstd,
  kBzip2,
  kXz,
  kLz4,
};

/// Leading bytes that recognise_magic() looks at.
inline constexpr std::size_t kMagicBytes = 16;

/// Leading bytes that tell a tar archive.
inline constexpr std::size_t kArchiveMagicBytes = 512;

/// The format that `leading`, the first kMagicBytes of an input or all of a shorter one, belong to.
/// Looks at every fixed bit of the headers, so that data is hardly ever mistaken for compressed data.
CompressionFormat recognise_magic(std::span<const std::byte> leading);

/// What holds no records as they are: an archive, a packed format that is not unpacked, or a file of a table.
struct ForeignFormat {
  std::string_view name;    ///< "a zip archive"
  std::string_view remedy;  ///< "unpack it with its own program first"
};

/// The one that `leading` belongs to, if it does. A tar archive is told by kArchiveMagicBytes.
std::optional<ForeignFormat> recognise_foreign(std::span<const std::byte> leading);

/// "a BAM file" or "a BCF file", if bytes that were unpacked begin so. They are no archive, and sorted by their format.
std::optional<std::string_view> name_of_genomes(std::span<const std::byte> leading);

/// What `leading`, the first kArchiveMagicBytes of bytes that were unpacked, belongs to if these are packed in turn, an
/// archive, or one of these files: "a zip archive", "packed by gzip".
std::optional<std::string_view> name_of_packed(std::span<const std::byte> leading);

/// Whether an input that begins with `leading`, one or two bytes, may be compressed. If not, there is no need to wait
/// for the rest of its magic.
bool may_have_magic(std::span<const std::byte> leading);

/// Recognises .gz, .zst, .bz2, .xz and .lz4, and as BGZF .bgz and the .gz of files for tabix, as .vcf.gz: in any case
/// of their letters.
CompressionFormat recognise_suffix(std::string_view path);

/// What recognise_suffix() knows, for messages: ".gz, .zst, .bz2, .xz or .lz4".
std::string packed_suffixes();

/// The suffix of `path` if it is that of a packed format or archive that cannot be written, as ".zip", in any case of
/// its letters; else empty.
std::string_view foreign_suffix(std::string_view path);

/// How an output of this name is packed. Throws Error if it has a foreign suffix.
CompressionFormat format_of_output(const std::string& path);

/// Throws Error if `path`, which is written as text, has the suffix of any packed format or archive.
void refuse_packed_report(const std::string& path);

/// How hard a format can be made to pack, from 1 to `most`.
struct OutputLevels {
  int usual;
  int most;
};
OutputLevels output_levels(CompressionFormat format);
/// The level that an output is packed at: `asked`, or the usual one if that is 0.
int settled_level(CompressionFormat format, int asked);

/// Throws the Error for what follows a packed part that is whole, and is no further part of its format. `leading`: its
/// first kMagicBytes, or all of it.
[[noreturn]] void throw_other_part(const std::string& path, std::span<const std::byte> leading);

/// Whether that is a part of another format.
bool begins_packed(std::span<const std::byte> leading);

/// Throws the Error for compressed data that cannot be unpacked.
[[noreturn]] void throw_damaged(const std::string& path);

}  // namespace sortie

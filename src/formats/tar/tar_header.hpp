// One header block of a tar archive, in the forms of POSIX (ustar), GNU tar and Version 7, and the records of a pax
// header. Reads blocks that nobody vouches for: what it returns is checked, all else is refused with file and offset.
// Called by TarWalk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sortie::formats::tar {

/// Headers, and the contents of entries, take whole blocks.
inline constexpr std::size_t kBlockBytes = 512;
/// Largest allowed contents of an entry: offsets behind it still fit 63 bits.
inline constexpr std::uint64_t kMostContentBytes = std::uint64_t{1} << 62;

constexpr std::uint64_t in_blocks(std::uint64_t bytes) { return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes; }

/// Where a message points to.
struct ArchivePlace {
  const std::string& path;
  std::uint64_t offset = 0;
};

/// Throws Error: "input PATH, offset N: WHAT".
[[noreturn]] void refuse(const ArchivePlace& place, std::string_view what);

enum class EntryKind : std::uint8_t {
  kFile,
  kNoFile,     ///< a directory, a symbolic link, a device, a pipe, or the label of a volume: it has no contents
  kLongName,   ///< contents: the name of the next entry, of GNU tar
  kLongLink,   ///< contents: the target of the next entry's link, of GNU tar
  kPax,        ///< contents: pax records for the next entry
  kGlobalPax,  ///< contents: pax records for all entries that follow
};

struct TarHeader {
  EntryKind kind = EntryKind::kFile;
  std::uint64_t content_bytes = 0;
  std::string name;
};

bool is_zero_block(std::span<const std::byte> block);

/// Whether the checksum in a block is that of the block: no other file begins like this.
bool has_checksum(std::span<const std::byte> block);

/// Throws Error for a wrong checksum, a number that is none or too large, and entries that a sort cannot move or read:
/// hard links, sparse files, parts of other volumes, and unknown types. Precondition: kBlockBytes, not all zero.
TarHeader read_header(std::span<const std::byte> block, const ArchivePlace& place);

/// What pax records say that matters here; they say it in place of the header.
struct PaxRecords {
  std::optional<std::string> path = {};
  std::optional<std::uint64_t> size = {};
};

/// Throws Error for records that are damaged, and for those of a sparse file.
PaxRecords read_pax_records(std::span<const std::byte> contents, const ArchivePlace& place);

}  // namespace sortie::formats::tar

// One record of BAM (SAM/BAM specification, section 4.2), as it lies in memory:
//
//   0      4       8    12      13    14   16       18    20     24           28        32    36  ...
//   length | refID | pos | l_name | MAPQ | bin | n_cigar | flag | l_seq | next refID | next pos | tlen |
//   name with NUL | CIGAR, 4 bytes each | sequence, a half byte each | qualities | tags
//
// All numbers are little-endian. The length counts what is behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.hpp"

namespace sortie::formats::alignments {

inline constexpr std::uint16_t kPaired = 0x1;
inline constexpr std::uint16_t kUnmapped = 0x4;
inline constexpr std::uint16_t kMateUnmapped = 0x8;
inline constexpr std::uint16_t kReverse = 0x10;
inline constexpr std::uint16_t kMateReverse = 0x20;

class AlignmentRecord {
 public:
  static constexpr std::size_t kLengthBytes = 4;
  /// With the length, up to the name.
  static constexpr std::size_t kFixedBytes = 36;

  /// Precondition: `bytes` are one whole record that fault_of() finds nothing wrong with.
  explicit AlignmentRecord(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::int32_t reference() const { return number(4); }
  std::int32_t position() const { return number(8); }
  std::uint16_t flag() const { return load_as<std::uint16_t>(bytes_.data() + 18); }
  std::int32_t mate_reference() const { return number(24); }
  std::int32_t mate_position() const { return number(28); }
  bool has(std::uint16_t flags) const { return (flag() & flags) != 0; }

  /// Without its NUL.
  std::string_view name() const {
    return {reinterpret_cast<const char*>(bytes_.data()) + kFixedBytes, name_bytes() - 1};
  }
  std::size_t cigar_count() const { return load_as<std::uint16_t>(bytes_.data() + 16); }
  /// Length and operation, in the 4 lowest bits.
  std::uint32_t cigar(std::size_t i) const { return load_as<std::uint32_t>(cigar_begin() + 4 * i); }

  const std::byte* cigar_begin() const { return bytes_.data() + kFixedBytes + name_bytes(); }
  /// The length of the read; 0 if its sequence is not stored.
  std::uint32_t bases() const { return load_as<std::uint32_t>(bytes_.data() + 20); }

  /// The position behind the last base of the reference that it covers: one behind position() if it covers none.
  std::int64_t end() const;

  std::span<const std::byte> tags() const;
  /// Where the tags begin, from the begin of the record.
  std::size_t tags_offset() const { return bytes_.size() - tags().size(); }

 private:
  std::int32_t number(std::size_t offset) const { return load_as<std::int32_t>(bytes_.data() + offset); }
  std::size_t name_bytes() const { return std::to_integer<std::size_t>(bytes_[12]); }

  std::span<const std::byte> bytes_;
};

/// What is wrong with the lengths and numbers of a whole record; empty if nothing is. `references`: how many there are.
std::string fault_of(std::span<const std::byte> record, std::size_t references);

/// A tag of a record, "NM".
struct Tag {
  char type = '\0';                  ///< 'i', 'Z', ...
  std::span<const std::byte> value;  ///< of a text with its NUL; of an array with type and count
  std::span<const std::byte> whole;  ///< with name and type

  std::string_view text() const { return {reinterpret_cast<const char*>(value.data()), value.size() - 1}; }
};

/// The first tag of this name, "RG". Throws Error for tags that do not end where the record does.
std::optional<Tag> find_tag(const AlignmentRecord& record, std::string_view name);

}  // namespace sortie::formats::alignments

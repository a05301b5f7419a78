// What a record is and how two records are ordered. Callers fill in a Format, or have it parsed from
// the same words that the command line takes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/text_order.hpp>

namespace sortie {

enum class FieldKind : std::uint8_t { kBytes, kUnsigned, kSigned, kFloat };
enum class ByteOrder : std::uint8_t { kLittle, kBig };

/// One part of the order of a fixed-length record.
///
/// Integers order by value. Floats follow IEEE 754 totalOrder:
/// -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN. Bytes order as unsigned bytes.
struct Field {
  FieldKind kind = FieldKind::kBytes;
  ByteOrder byte_order = ByteOrder::kLittle;
  std::uint64_t offset = 0;  ///< bytes from the start of the record
  std::uint64_t length = 0;  ///< bytes; 1, 2, 4 or 8 for integers, 2, 4 or 8 for floats
  bool descending = false;

  friend bool operator==(const Field&, const Field&) = default;
};

enum class RecordKind : std::uint8_t {
  kLines,  ///< variable length, each ended by `delimiter`; ordered by `text`, or by the bytes of the whole line
  kFixed,  ///< `record_bytes` each; the key is `fields` in turn, or the whole record if there are none
  kArray,  ///< bare numbers: one field that fills the record
  /// Length-prefixed, of variable length: the length of the key and that of the payload, each a little-endian
  /// std::uint32_t, then the key, then the payload, of any bytes. Ordered by the bytes of the key as memcmp() orders
  /// them, a shorter key before those that it begins; equal keys keep their input order.
  kPrefixed,
};

struct Format {
  RecordKind kind = RecordKind::kLines;
  char delimiter = '\n';           ///< kLines only; '\0' for -z
  std::uint64_t record_bytes = 0;  ///< kFixed and kArray
  std::vector<Field> fields;       ///< kFixed: any number up to kMaxFields; kArray: exactly one
  bool descending = false;         ///< reverses the whole order; equal keys keep their input order
  TextOrder text;                  ///< kLines only; without keys and locale, lines are ordered by their bytes
  /// Records of any kind come in random order, every order being equally likely. TextOrder::random_seed, that of any
  /// kind, decides which, beside the sizes of the records and inputs in front of each. Nothing else orders then: no
  /// keys, fields (but that of kArray), locale or direction.
  bool shuffle = false;

  friend bool operator==(const Format&, const Format&) = default;
};

/// More fields than this are refused.
inline constexpr std::size_t kMaxFields = 32;

/// Parses `lines`, `fixed:BYTES`, `prefixed`, `gensort`, `u32`, `i32`, `u64`, `i64`, `f32` or `f64`.
/// Throws Error that names the word and lists what is known.
Format parse_format(std::string_view text);

/// Parses `TYPE@OFFSET[:LENGTH][:desc]`, TYPE one of bytes, u8..u64, i8..i64, f16..f64, the numbers
/// with an optional `le` (default) or `be`. Throws Error.
Field parse_field(std::string_view text);

/// The word that parse_format() understands ("fixed:100").
std::string to_string(const Format& format);

/// The words that parse_field() understands ("u32be@4:desc").
std::string to_string(const Field& field);

/// The seed that a text stands for: another one for each text.
std::array<std::byte, 16> seed_of_text(std::string_view text);

/// Throws Error if a field leaves the record, a length does not suit its type, there are more than
/// kMaxFields fields, or fields are given for a format that has none.
void validate(const Format& format);

}  // namespace sortie

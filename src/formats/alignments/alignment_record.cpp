#include "formats/alignments/alignment_record.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie::formats::alignments {
namespace {

// Whether an operation, "MIDNSHP=X", covers bases of the reference.
constexpr bool kCovers[16] = {true, false, true, true, false, false, false, true, true};

// Whether it covers bases of the read.
constexpr bool kReads[16] = {true, true, false, false, true, false, false, true, true};

/// Bytes of a value of this type; 0 for what has a length of its own or is not known.
std::size_t fixed_bytes(char type) {
  switch (type) {
    case 'A':
    case 'c':
    case 'C':
      return 1;
    case 's':
    case 'S':
      return 2;
    case 'i':
    case 'I':
    case 'f':
      return 4;
    case 'd':
      return 8;
    default:
      return 0;
  }
}

/// Bytes of the value at the front of `rest`; nothing if it does not end there.
std::optional<std::size_t> value_bytes(char type, std::span<const std::byte> rest) {
  if (type == 'Z' || type == 'H') {
    const auto end = std::ranges::find(rest, std::byte{});
    if (end == rest.end()) return std::nullopt;
    return static_cast<std::size_t>(end - rest.begin()) + 1;
  }
  std::size_t bytes = fixed_bytes(type);
  if (type == 'B') {
    if (rest.size() < 5) return std::nullopt;
    const std::uint64_t count = load_as<std::uint32_t>(rest.data() + 1);
    const std::uint64_t each = fixed_bytes(std::to_integer<char>(rest[0]));
    if (each == 0 || count > (rest.size() - 5) / each) return std::nullopt;
    bytes = static_cast<std::size_t>(5 + count * each);
  }
  if (bytes == 0 || bytes > rest.size()) return std::nullopt;
  return bytes;
}

/// A CIGAR that does not fit the sequence; empty if it does. htslib refuses such a record, too.
std::string cigar_fault(const AlignmentRecord& record, std::int64_t bases) {
  if (bases == 0 || record.cigar_count() == 0 || record.has(kUnmapped)) return "";
  std::int64_t read = 0;
  for (std::size_t i = 0; i < record.cigar_count(); ++i) {
    const std::uint32_t operation = record.cigar(i);
    if (kReads[operation & 0xf]) read += operation >> 4;
  }
  if (read == bases) return "";
  return "its CIGAR is of " + std::to_string(read) + " bases, and its sequence has " + std::to_string(bases);
}

std::string number_fault(const char* what, std::int64_t number, std::size_t references) {
  if (number >= -1 && number < static_cast<std::int64_t>(references)) return "";
  return std::string(what) + " is number " + std::to_string(number) + " of " + std::to_string(references);
}

}  // namespace

std::int64_t AlignmentRecord::end() const {
  std::int64_t covered = 0;
  if (!has(kUnmapped)) {
    for (std::size_t i = 0; i < cigar_count(); ++i) {
      const std::uint32_t operation = cigar(i);
      if (kCovers[operation & 0xf]) covered += operation >> 4;
    }
  }
  return position() + std::max<std::int64_t>(covered, 1);
}

std::span<const std::byte> AlignmentRecord::tags() const {
  const auto bases = static_cast<std::size_t>(load_as<std::uint32_t>(bytes_.data() + 20));
  return bytes_.subspan(kFixedBytes + name_bytes() + 4 * cigar_count() + (bases + 1) / 2 + bases);
}

std::string fault_of(std::span<const std::byte> record, std::size_t references) {
  if (record.size() < AlignmentRecord::kFixedBytes) {
    return "its length is " + std::to_string(record.size() - AlignmentRecord::kLengthBytes) + ", and 32 is the least";
  }
  const std::uint64_t name_bytes = std::to_integer<std::uint64_t>(record[12]);
  const std::uint64_t operations = load_as<std::uint16_t>(record.data() + 16);
  const std::int64_t bases = load_as<std::int32_t>(record.data() + 20);
  if (name_bytes == 0) return "its name has no end";
  if (bases < 0) return "its sequence would have " + std::to_string(bases) + " bases";
  const std::uint64_t needed = AlignmentRecord::kFixedBytes + name_bytes + 4 * operations +
                               static_cast<std::uint64_t>(bases + 1) / 2 + static_cast<std::uint64_t>(bases);
  if (needed > record.size()) {
    return "name, CIGAR and sequence take " + std::to_string(needed) + " bytes, and the record has " +
           std::to_string(record.size());
  }
  if (record[static_cast<std::size_t>(AlignmentRecord::kFixedBytes + name_bytes - 1)] != std::byte{}) {
    return "its name has no end";
  }
  const AlignmentRecord fields(record);
  if (fields.position() < -1) return "its position is " + std::to_string(fields.position());
  if (std::string fault = number_fault("its reference", fields.reference(), references); !fault.empty()) return fault;
  if (std::string fault = number_fault("the reference of its mate", fields.mate_reference(), references);
      !fault.empty())
    return fault;
  return cigar_fault(fields, bases);
}

std::optional<Tag> find_tag(const AlignmentRecord& record, std::string_view name) {
  std::span<const std::byte> rest = record.tags();
  while (!rest.empty()) {
    const std::optional<std::size_t> bytes =
        rest.size() < 4 ? std::nullopt : value_bytes(std::to_integer<char>(rest[2]), rest.subspan(3));
    if (!bytes) throw Error("the tags of read " + quote_word(std::string(record.name())) + " are damaged");
    const std::string_view found(reinterpret_cast<const char*>(rest.data()), 2);
    if (found == name) return Tag{std::to_integer<char>(rest[2]), rest.subspan(3, *bytes), rest.first(3 + *bytes)};
    rest = rest.subspan(3 + *bytes);
  }
  return std::nullopt;
}

}  // namespace sortie::formats::alignments

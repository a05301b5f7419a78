#include "formats/tar/tar_header.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"
#include "base/whole_number.hpp"

namespace sortie::formats::tar {
namespace {

/// A field of the header: POSIX.1-1988, "ustar Interchange Format".
struct HeaderField {
  std::size_t offset;
  std::size_t bytes;
};
constexpr HeaderField kName{0, 100};
constexpr HeaderField kSize{124, 12};
constexpr HeaderField kChecksum{148, 8};
constexpr std::size_t kTypeOffset = 156;
constexpr HeaderField kMagic{257, 6};
constexpr HeaderField kPrefix{345, 155};

constexpr std::string_view kSparseAdvice =
    "a sparse file, whose contents are not in one stretch; pack it again without --sparse";

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view raw_field(std::span<const std::byte> block, const HeaderField& field) {
  return text_of(block.subspan(field.offset, field.bytes));
}

/// Up to the first zero byte.
std::string_view text_field(std::span<const std::byte> block, const HeaderField& field) {
  const std::string_view raw = raw_field(block, field);
  return raw.substr(0, raw.find('\0'));
}

/// Digits of base 8, with spaces in front, and a space or a zero byte behind. No digits are 0, as in all programs.
/// Precondition: no more than fit 64 bits. Every header of an archive has several: a loop takes a third of the time of
/// std::from_chars().
std::optional<std::uint64_t> octal_number(std::string_view raw) {
  const char* at = raw.data();
  const char* const end = at + raw.size();
  while (at != end && *at == ' ') ++at;
  std::uint64_t number = 0;
  for (; at != end && *at != ' ' && *at != '\0'; ++at) {
    if (*at < '0' || *at > '7') return std::nullopt;
    number = number << 3 | static_cast<std::uint64_t>(*at - '0');
  }
  return number;
}

/// The sum of all bytes. Sums of 16 bits, four in a word, cannot overflow: 64 words add at most 64 * 510 to each.
std::uint32_t sum_of_bytes(std::span<const std::byte, kBlockBytes> block) {
  constexpr std::uint64_t kEvenBytes = 0x00FF00FF00FF00FF;
  std::uint64_t sums = 0;
  for (std::size_t i = 0; i < block.size(); i += sizeof(std::uint64_t)) {
    const auto word = load_as<std::uint64_t>(block.data() + i);
    sums += (word & kEvenBytes) + (word >> 8 & kEvenBytes);
  }
  std::uint32_t sum = 0;
  for (; sums != 0; sums >>= 16) sum += static_cast<std::uint32_t>(sums & 0xFFFF);
  return sum;
}

/// GNU tar's form of numbers that do not fit digits: the highest bit is set, and the rest is the number, big-endian.
/// Nothing for one that is negative or too large.
std::optional<std::uint64_t> binary_number(std::string_view raw) {
  std::uint64_t number = static_cast<unsigned char>(raw[0]) & 0x7FU;
  for (const char byte : raw.substr(1)) {
    if (number >> 56 != 0) return std::nullopt;
    number = number << 8 | static_cast<unsigned char>(byte);
  }
  return number;
}

std::optional<std::uint64_t> number_field(std::span<const std::byte> block, const HeaderField& field) {
  const std::string_view raw = raw_field(block, field);
  return (static_cast<unsigned char>(raw[0]) & 0x80U) != 0 ? binary_number(raw) : octal_number(raw);
}

std::uint64_t content_bytes(std::span<const std::byte> block, const ArchivePlace& place) {
  const std::optional<std::uint64_t> bytes = number_field(block, kSize);
  if (!bytes || *bytes > kMostContentBytes) refuse(place, "the size of the entry is impossible; the file is damaged");
  return *bytes;
}

EntryKind kind_of_type(char type, const ArchivePlace& place) {
  switch (type) {
    case '\0':
    case '0':
    case '7':
      return EntryKind::kFile;
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case 'V':
      return EntryKind::kNoFile;
    case 'L':
      return EntryKind::kLongName;
    case 'K':
      return EntryKind::kLongLink;
    case 'x':
      return EntryKind::kPax;
    case 'g':
      return EntryKind::kGlobalPax;
    case '1':
      refuse(place, "a hard link, which must stay behind the file that it names; pack again with --hard-dereference");
    case 'S':
      refuse(place, kSparseAdvice);
    case 'M':
      refuse(place, "the rest of a file of another volume; join the volumes first");
    default:
      refuse(place, "the entry is of an unknown type, " + quote_word({&type, 1}) + "; pack the files again");
  }
}

/// The name of an entry whose name no other header tells.
std::string name_of(std::span<const std::byte> block) {
  std::string name(text_field(block, kName));
  // GNU tar has times where ustar has the front of a long name.
  if (raw_field(block, kMagic) != std::string_view("ustar\0", 6)) return name;
  const std::string_view prefix = text_field(block, kPrefix);
  if (prefix.empty()) return name;
  return std::string(prefix) + '/' + name;
}

/// One record of a pax header, "LENGTH KEY=VALUE\n", where LENGTH counts all of it.
struct PaxRecord {
  std::string_view key;
  std::string_view value;
};

/// Takes the first record off `text`; nothing if it is damaged.
std::optional<PaxRecord> take_record(std::string_view& text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const std::optional<std::size_t> length = whole_number<std::size_t>(text.substr(0, space));
  if (!length || *length < space + 2 || *length > text.size() || text[*length - 1] != '\n') return std::nullopt;
  const std::string_view said = text.substr(space + 1, *length - space - 2);
  const std::size_t equals = said.find('=');
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  text.remove_prefix(*length);
  return PaxRecord{said.substr(0, equals), said.substr(equals + 1)};
}

std::uint64_t pax_size(std::string_view value, const ArchivePlace& place) {
  const std::optional<std::uint64_t> size = whole_number<std::uint64_t>(value);
  if (!size || *size > kMostContentBytes) {
    refuse(place, "the pax header has an impossible size, " + quote_word(value) + "; the file is damaged");
  }
  return *size;
}

}  // namespace

void refuse(const ArchivePlace& place, std::string_view what) {
  throw Error("input " + quote_path(place.path) + ", offset " + std::to_string(place.offset) + ": " +
              std::string(what));
}

bool is_zero_block(std::span<const std::byte> block) {
  return std::ranges::all_of(block, [](std::byte byte) { return byte == std::byte{}; });
}

bool has_checksum(std::span<const std::byte> block) {
  if (block.size() < kBlockBytes) return false;
  const std::string_view raw = raw_field(block, kChecksum);
  const std::optional<std::uint64_t> said = octal_number(raw);
  if (!said || raw.find_first_not_of(std::string_view(" \0", 2)) == std::string_view::npos) return false;
  // The field itself counts as spaces. Some old programs take bytes as signed.
  const std::span<const std::byte, kBlockBytes> whole = block.first<kBlockBytes>();
  std::uint32_t sum = sum_of_bytes(whole);
  for (const char byte : raw) sum += ' ' - static_cast<unsigned char>(byte);
  if (*said == sum) return true;
  const auto is_negative = [](std::byte byte) { return (byte & std::byte{0x80}) != std::byte{}; };
  const auto negatives =
      std::ranges::count_if(whole, is_negative) - std::ranges::count_if(std::as_bytes(std::span(raw)), is_negative);
  return static_cast<std::int64_t>(*said) == std::int64_t{sum} - 256 * std::int64_t{negatives};
}

TarHeader read_header(std::span<const std::byte> block, const ArchivePlace& place) {
  if (!has_checksum(block)) {
    refuse(place, "the checksum of the header is wrong; the file is damaged, or no tar archive");
  }
  TarHeader header;
  header.name = name_of(block);
  header.kind = kind_of_type(static_cast<char>(block[kTypeOffset]), place);
  header.content_bytes = content_bytes(block, place);
  // Version 7 knows no directories but by their names.
  const bool is_old_directory = block[kTypeOffset] == std::byte{} && header.name.ends_with('/');
  if (is_old_directory) header.kind = EntryKind::kNoFile;
  if (header.kind == EntryKind::kNoFile && header.content_bytes != 0) {
    refuse(place, "an entry that is no file has contents, and programs disagree where it ends; pack the files again");
  }
  return header;
}

PaxRecords read_pax_records(std::span<const std::byte> contents, const ArchivePlace& place) {
  PaxRecords records;
  std::string_view text = text_of(contents);
  while (!text.empty()) {
    const std::optional<PaxRecord> record = take_record(text);
    if (!record) refuse(place, "the pax header is damaged");
    if (record->key == "path") records.path = std::string(record->value);
    if (record->key == "size") records.size = pax_size(record->value, place);
    if (record->key.starts_with("GNU.sparse.")) refuse(place, kSparseAdvice);
  }
  return records;
}

}  // namespace sortie::formats::tar

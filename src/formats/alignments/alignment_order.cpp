#include "formats/alignments/alignment_order.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "formats/alignments/byte_appends.hpp"
#include "formats/alignments/tag_key.hpp"
#include "formats/alignments/template_ends.hpp"

namespace sortie::formats::alignments {
namespace {

/// Positions count from -1, and the strand is the lowest bit.
constexpr unsigned kPositionBits = 33;
constexpr std::uint16_t kReadsOfPair = 0xc0;

void append_big_endian(std::uint64_t value, unsigned bytes, std::vector<std::byte>& key) {
  for (unsigned i = bytes; i-- > 0;) key.push_back(static_cast<std::byte>(value >> (8 * i)));
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

void append_read_of_pair(const AlignmentRecord& record, std::vector<std::byte>& key) {
  key.push_back(static_cast<std::byte>(0x40 | ((record.flag() & kReadsOfPair) >> 6)));
}

/// A molecule without what tells its two strands, "/A" at its end.
std::string_view without_strand(std::string_view molecule) {
  const bool has_strand = molecule.size() >= 2 && molecule[molecule.size() - 2] == '/';
  return has_strand ? molecule.substr(0, molecule.size() - 2) : molecule;
}

void append_end(const TemplateEnd& end, std::vector<std::byte>& key) {
  append_big_endian(static_cast<std::uint64_t>(end.position) ^ (std::uint64_t{1} << 63), 8, key);
}

void append_reference(const TemplateEnd& end, std::vector<std::byte>& key) {
  append_big_endian(static_cast<std::uint32_t>(end.reference) ^ 0x80000000U, 4, key);
}

}  // namespace

std::string AlignmentOrder::words() const {
  switch (kind) {
    case OrderKind::kCoordinate:
      return "by coordinate";
    case OrderKind::kName:
      return "by name, numbers in it by their values";
    case OrderKind::kAsciiName:
      return "by name, by bytes";
    case OrderKind::kTagThenCoordinate:
      return "by tag " + tag + ", then by coordinate";
    case OrderKind::kTagThenName:
      return "by tag " + tag + ", then by name";
    case OrderKind::kTemplate:
      return "by template coordinate";
    case OrderKind::kShuffled:
      return "shuffled";
  }
  return {};
}

SortOrderTags AlignmentOrder::header_tags() const {
  switch (kind) {
    case OrderKind::kCoordinate:
      return {"coordinate", "", ""};
    case OrderKind::kName:
    case OrderKind::kAsciiName:
      return {"queryname", "", ""};
    case OrderKind::kTemplate:
      return {"unsorted", "query", "unsorted:template-coordinate"};
    case OrderKind::kShuffled:
      return {"unsorted", "", ""};
    default:
      return {"unknown", "", ""};
  }
}

AlignmentOrder parse_order(std::string_view word) {
  if (word == "coordinate") return {};
  if (word == "name") return {OrderKind::kName, ""};
  if (word == "ascii-name") return {OrderKind::kAsciiName, ""};
  if (word == "template") return {OrderKind::kTemplate, ""};
  constexpr std::string_view kTag = "tag:";
  if (word.starts_with(kTag)) {
    const std::string_view tag = word.substr(kTag.size(), 2);
    const std::string_view rest = word.substr(std::min(word.size(), kTag.size() + 2));
    if (tag.size() == 2 && rest.empty()) return {OrderKind::kTagThenCoordinate, std::string(tag)};
    if (tag.size() == 2 && rest == ",name") return {OrderKind::kTagThenName, std::string(tag)};
  }
  throw Error("unknown order " + quote_word(std::string(word)) +
              " for --by: known are coordinate, name, ascii-name, template, tag:XX and tag:XX,name");
}

// A run of digits becomes '0', how many there are behind leading zeros, these, and the complement of how many zeros
// there are. Other bytes order before or behind '0' as they do before or behind any digit.
void append_natural_name(std::string_view name, std::vector<std::byte>& key) {
  for (std::size_t i = 0; i < name.size();) {
    if (!is_digit(name[i])) {
      key.push_back(static_cast<std::byte>(name[i++]));
      continue;
    }
    std::size_t end = i;
    while (end < name.size() && is_digit(name[end])) ++end;
    std::size_t first = i;
    while (first < end && name[first] == '0') ++first;
    key.push_back(std::byte{'0'});
    // A name has 254 bytes at most.
    key.push_back(static_cast<std::byte>(end - first));
    for (std::size_t digit = first; digit < end; ++digit) key.push_back(static_cast<std::byte>(name[digit]));
    key.push_back(static_cast<std::byte>(255 - (first - i)));
    i = end;
  }
  key.push_back(std::byte{});
}

KeyMaker::KeyMaker(AlignmentOrder order, const BamHeader& header)
    : order_(std::move(order)),
      references_(header.references.size()),
      coordinate_bytes_((static_cast<unsigned>(std::bit_width(references_)) + kPositionBits + 7) / 8) {
  for (const std::string& line : header.text.lines_of("RG")) {
    const auto library = tag_of(line, "LB");
    if (library) libraries_.emplace(tag_of(line, "ID").value_or(""), *library);
  }
}

void KeyMaker::append(const AlignmentRecord& record, std::vector<std::byte>& key) const {
  switch (order_.kind) {
    case OrderKind::kCoordinate:
      return append_coordinate(record, key);
    case OrderKind::kTagThenCoordinate:
      append_tag_key(record, order_.tag, key);
      return append_coordinate(record, key);
    case OrderKind::kTagThenName:
      append_tag_key(record, order_.tag, key);
      [[fallthrough]];
    case OrderKind::kName:
      append_natural_name(record.name(), key);
      return append_read_of_pair(record, key);
    case OrderKind::kAsciiName:
      append_text_and_nul(record.name(), key);
      return append_read_of_pair(record, key);
    case OrderKind::kTemplate:
      return append_template(record, key);
    case OrderKind::kShuffled:
      return;
  }
}

// As few bytes as hold all references: most keys are the first word of a sort's entry then.
void KeyMaker::append_coordinate(const AlignmentRecord& record, std::vector<std::byte>& key) const {
  const std::int32_t reference = record.reference();
  const std::uint64_t number = reference < 0 ? references_ : static_cast<std::uint64_t>(reference);
  const std::uint64_t position = static_cast<std::uint64_t>(std::int64_t{record.position()} + 1);
  append_big_endian(number << kPositionBits | position << 1 | (record.has(kReverse) ? 1 : 0), coordinate_bytes_, key);
}

std::string KeyMaker::library_of(const AlignmentRecord& record) const {
  const auto group = find_tag(record, "RG");
  if (!group || group->type != 'Z') return "";
  const auto found = libraries_.find(group->text());
  return found == libraries_.end() ? "" : found->second;
}

void KeyMaker::append_template(const AlignmentRecord& record, std::vector<std::byte>& key) const {
  const TemplateEnds ends = template_ends(record);
  append_reference(ends.lower, key);
  append_reference(ends.upper, key);
  append_end(ends.lower, key);
  append_end(ends.upper, key);
  key.push_back(std::byte{ends.lower.is_reverse ? std::uint8_t{'0'} : std::uint8_t{'1'}});
  key.push_back(std::byte{ends.upper.is_reverse ? std::uint8_t{'0'} : std::uint8_t{'1'}});
  append_text_and_nul(library_of(record), key);
  const auto molecule = find_tag(record, "MI");
  if (molecule && molecule->type != 'Z' && molecule->type != 'H') {
    throw Error("the tag MI of read " + quote_word(std::string(record.name())) + " is no text");
  }
  append_text_and_nul(molecule ? without_strand(molecule->text()) : std::string_view(), key);
  append_text_and_nul(record.name(), key);
  key.push_back(std::byte{ends.is_upper ? std::uint8_t{'1'} : std::uint8_t{'0'}});
}

}  // namespace sortie::formats::alignments

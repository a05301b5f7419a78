#include "formats/alignments/template_ends.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"

namespace sortie::formats::alignments {
namespace {

constexpr std::uint32_t kSoftClip = 4;
constexpr std::uint32_t kHardClip = 5;

bool is_clip(std::uint32_t operation) { return (operation & 0xf) == kSoftClip || (operation & 0xf) == kHardClip; }

/// The operations of a record, as they lie in it.
struct Cigar {
  const std::byte* begin;
  std::size_t count;

  std::uint32_t operator[](std::size_t i) const { return load_as<std::uint32_t>(begin + i * sizeof(std::uint32_t)); }
};

// One of more than 65535 operations is in the tag CG. In its place stands a clip of all bases.
Cigar cigar_of(const AlignmentRecord& record) {
  const Cigar written{record.cigar_begin(), record.cigar_count()};
  if (written.count == 0 || written[0] != (record.bases() << 4 | kSoftClip)) return written;
  const std::optional<Tag> tag = find_tag(record, "CG");
  constexpr std::size_t kArrayHead = 5;
  if (!tag || tag->type != 'B' || static_cast<char>(tag->value[0]) != 'I') return written;
  return {tag->value.data() + kArrayHead, (tag->value.size() - kArrayHead) / sizeof(std::uint32_t)};
}

std::int64_t unclipped_begin(const AlignmentRecord& record) {
  const Cigar cigar = cigar_of(record);
  std::int64_t clipped = 0;
  for (std::size_t i = 0; i < cigar.count && is_clip(cigar[i]); ++i) clipped += cigar[i] >> 4;
  return record.position() - clipped + 1;
}

std::int64_t unclipped_end(const AlignmentRecord& record) {
  const Cigar cigar = cigar_of(record);
  std::int64_t clipped = 0;
  for (std::size_t i = cigar.count; i > 0 && is_clip(cigar[i - 1]); --i) clipped += cigar[i - 1] >> 4;
  return record.end() + clipped;
}

/// Takes the next operation off the front of a written CIGAR: "10S" is {10, 'S'}, and a letter alone stands for 1.
std::pair<std::int64_t, char> take_operation(std::string_view& cigar) {
  std::int64_t length = 0;
  std::size_t digits = 0;
  for (; digits < cigar.size() && cigar[digits] >= '0' && cigar[digits] <= '9'; ++digits) {
    // No read is longer; a damaged number stays a number.
    if (length < (std::int64_t{1} << 40)) length = length * 10 + (cigar[digits] - '0');
  }
  const char operation = digits < cigar.size() ? cigar[digits] : '\0';
  cigar.remove_prefix(std::min(cigar.size(), digits + 1));
  return {digits == 0 ? 1 : length, operation};
}

std::int64_t mate_begin(const AlignmentRecord& record, std::string_view cigar) {
  std::int64_t clipped = 0;
  while (!cigar.empty() && cigar.front() != '*') {
    const auto [length, operation] = take_operation(cigar);
    if (operation != 'S' && operation != 'H') break;
    clipped += length;
  }
  return record.mate_position() - clipped + 1;
}

std::int64_t mate_end(const AlignmentRecord& record, std::string_view cigar) {
  std::int64_t covered = 0;
  bool has_begun = false;
  while (!cigar.empty() && cigar.front() != '*') {
    const auto [length, operation] = take_operation(cigar);
    const bool covers = std::string_view("MDN=X").find(operation) != std::string_view::npos;
    has_begun |= covers;
    if (covers || (has_begun && (operation == 'S' || operation == 'H'))) covered += length;
  }
  return record.mate_position() + covered;
}

[[noreturn]] void refuse_mate(const AlignmentRecord& record) {
  throw Error(
      "read " + quote_word(std::string(record.name())) +
      " has no text in tag MC, the CIGAR of its mate, which the order by template needs: run samtools fixmate -m "
      "first");
}

bool is_lower(const TemplateEnd& own, const TemplateEnd& mate) {
  const auto place = [](const TemplateEnd& end) { return std::tie(end.reference, end.position); };
  return place(own) < place(mate) || (place(own) == place(mate) && !own.is_reverse);
}

}  // namespace

TemplateEnds template_ends(const AlignmentRecord& record) {
  TemplateEnds ends;
  TemplateEnd& own = ends.lower;
  TemplateEnd& mate = ends.upper;
  if (!record.has(kUnmapped)) {
    own.reference = record.reference();
    own.is_reverse = record.has(kReverse);
    own.position = own.is_reverse ? unclipped_end(record) : unclipped_begin(record);
  }
  if (record.has(kPaired) && !record.has(kMateUnmapped)) {
    const auto cigar = find_tag(record, "MC");
    if (!cigar || (cigar->type != 'Z' && cigar->type != 'H')) refuse_mate(record);
    mate.reference = record.mate_reference();
    mate.is_reverse = record.has(kMateReverse);
    mate.position = mate.is_reverse ? mate_end(record, cigar->text()) : mate_begin(record, cigar->text());
  }
  ends.is_upper = !is_lower(own, mate);
  if (ends.is_upper) std::swap(own, mate);
  return ends;
}

}  // namespace sortie::formats::alignments

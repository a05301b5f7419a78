#include "pipeline/input/order_sample.hpp"

#include <algorithm>
#include <utility>

#include "record/csv/quoted_records.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// One in so many bytes is sampled.
constexpr std::size_t kSampleStride = 128;
constexpr std::size_t kMostPositions = 256;

/// Neighbours are compared, so that even a small input in random order does not pass.
constexpr std::size_t kLeastPositions = 4;
/// A position holds at least so many records if their length is fixed, unless it would be too large.
constexpr std::uint64_t kLeastRecords = 4;
constexpr std::uint64_t kMostPositionBytes = 1 << 20;

/// Whole records of CSV in `bytes`, which may begin and end within one.
std::span<const std::byte> whole_quoted_records_in(std::span<const std::byte> bytes, CsvSyntax syntax,
                                                   bool inside_quotes) {
  std::size_t begin = 0;
  std::size_t end = 0;
  for_each_quoted_end(bytes, syntax, inside_quotes, [&](std::size_t record_end) {
    if (begin == 0) begin = record_end;
    end = record_end;
    return true;
  });
  return bytes.subspan(begin, end - begin);
}

}  // namespace

std::size_t sample_positions(std::uint64_t input_bytes, std::size_t least) {
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(input_bytes / (kSampleStride * kSampledBytes), least, kMostPositions));
}

std::span<const std::byte> whole_lines_in(const Layout& layout, std::span<const std::byte> position, bool is_first) {
  position = position.first(whole_records(layout, position));
  if (is_first || position.empty()) return position;
  return position.subspan(boundary_at_or_after(layout, position, 1));  // the first line may have begun in front of it
}

std::vector<std::byte> sample_all_over(std::uint64_t input_bytes, LinesAt lines_at) {
  const std::size_t positions = sample_positions(input_bytes);
  std::vector<std::byte> lines;
  const auto add = [&](std::uint64_t offset, std::size_t bytes) {
    const std::span<const std::byte> whole = lines_at(offset, bytes);
    lines.insert(lines.end(), whole.begin(), whole.end());
  };
  if (input_bytes <= positions * kSampledBytes) {
    if (input_bytes > 0) add(0, static_cast<std::size_t>(input_bytes));
  } else {
    for (std::size_t i = 0; i < positions; ++i) add((input_bytes - kSampledBytes) * i / (positions - 1), kSampledBytes);
  }
  return lines;
}

EncodedLines encoded_sample(const RecordCodec& codec, std::span<const std::byte> lines) {
  EncodedLines encoded;
  for_each_record(layout_of(codec.input_format()), lines, [&](const std::byte* line, std::uint64_t stored) {
    codec.encode({line, static_cast<std::size_t>(stored)}, static_cast<std::uint64_t>(line - lines.data()), encoded);
  });
  return encoded;
}

// Lines are compared that are as far apart as the positions, so that their own neighbours may come in any order. An
// input in random order passes once in 32! times. All lines at the end are looked at: that one is late there is found
// only when all others have passed.
bool is_nearly_in_order(const RecordOrder& order, std::span<const std::byte> sample, std::size_t positions) {
  std::vector<Record> lines;
  for_each_record(order.layout(), sample, [&](const std::byte* line, std::uint64_t stored) {
    lines.emplace_back(line, static_cast<std::size_t>(stored));
  });
  const std::size_t step = lines.size() / positions;
  if (step == 0) return false;
  const auto are_in_order = [&](const Record& a, const Record& b) { return order.compare(a, b) <= 0; };
  const std::size_t end_begin = (positions - 1) * step;
  for (std::size_t at = step; at < end_begin; at += step) {
    if (!are_in_order(lines[at - step], lines[at])) return false;
  }
  const Record& before = lines[end_begin - step];
  return std::all_of(lines.begin() + static_cast<std::ptrdiff_t>(end_begin), lines.end(),
                     [&](const Record& line) { return are_in_order(before, line); });
}

// Records of fixed length are a multiple of that.
std::size_t SortedSample::position_bytes() const {
  const std::uint64_t record_bytes = std::max<std::uint64_t>(1, layout_.record_bytes);
  const std::uint64_t records = std::max(kLeastRecords, (kSampledBytes + record_bytes - 1) / record_bytes);
  return static_cast<std::size_t>(std::min(records, kMostPositionBytes / record_bytes) * record_bytes);
}

bool SortedSample::is_in_order(Input& input) const {
  const std::uint64_t input_bytes = input.size().value_or(0);
  const std::size_t positions = sample_positions(input_bytes, kLeastPositions);
  const std::uint64_t last_offset = input_bytes - std::min<std::uint64_t>(input_bytes, position_bytes());
  std::optional<SortedScan> scan(std::in_place, codec_, SortedScan::Options{.has_open_ranks = true});
  std::uint64_t records = 0;
  for (std::size_t i = 0; i < positions; ++i) {
    const std::optional<std::uint64_t> more = follow(read_position(input, last_offset * i / (positions - 1)), scan);
    if (!more) return false;
    records += *more;
  }
  return records >= positions;
}

// Returns how many records `position` has; nothing if they do not follow those before. Whether a position of CSV begins
// within quotes is unknown: what is in order is right.
std::optional<std::uint64_t> SortedSample::follow(const Position& position, std::optional<SortedScan>& scan) const {
  const bool is_unsure = layout_.quoted() && position.offset > 0;
  std::optional<std::uint64_t> count;
  for (const bool inside_quotes : {false, true}) {
    const std::vector<std::byte> records = sorted_form(position, inside_quotes);
    SortedScan longer = *scan;
    if (records.empty()) {
      count = 0;
    } else if (!longer.find_disorder(records)) {
      scan.emplace(std::move(longer));
      return count_records(codec_.order().layout(), records);
    }
    if (!is_unsure) break;
  }
  return count;
}

SortedSample::Position SortedSample::read_position(Input& input, std::uint64_t offset) const {
  if (!layout_.delimited()) offset -= offset % layout_.record_bytes;
  Position position{std::vector<std::byte>(position_bytes()), offset};
  position.bytes.resize(input.peek(offset, position.bytes));
  position.ends_input = offset + position.bytes.size() == input.size();
  const auto delimiter = static_cast<std::byte>(layout_.delimiter);
  const bool lacks_end = position.ends_input && layout_.delimited() && !position.bytes.empty();
  if (lacks_end && position.bytes.back() != delimiter) position.bytes.push_back(delimiter);
  return position;
}

std::span<const std::byte> SortedSample::whole_records_in(const Position& position, bool inside_quotes) const {
  const bool is_first = position.offset == 0;
  if (layout_.quoted() && !is_first) return whole_quoted_records_in(position.bytes, layout_.syntax, inside_quotes);
  std::span<const std::byte> bytes = position.bytes;
  if (!layout_.started() || !position.ends_input) bytes = bytes.first(whole_records(layout_, bytes));
  if (is_first || bytes.empty() || !layout_.delimited()) return bytes;
  return bytes.subspan(boundary_at_or_after(layout_, bytes, 1));
}

// The records of a place as they are sorted.
std::vector<std::byte> SortedSample::sorted_form(const Position& position, bool inside_quotes) const {
  const std::span<const std::byte> records = whole_records_in(position, inside_quotes);
  EncodedLines encoded;
  for_each_record(layout_, records, [&](const std::byte* record, std::uint64_t stored) {
    codec_.encode({record, static_cast<std::size_t>(stored)},
                  position.offset + static_cast<std::uint64_t>(record - position.bytes.data()), encoded);
  });
  return {encoded.bytes().begin(), encoded.bytes().end()};
}

}  // namespace sortie

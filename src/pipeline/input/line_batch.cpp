#include "pipeline/input/line_batch.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "base/parallel.hpp"
#include "entries/part_maker.hpp"
#include "record/record_scan.hpp"

namespace sortie {

namespace {

/// Lines of a range fit a core's cache with their encoded form.
constexpr std::size_t kRangeBytes = 256 << 10;
/// Slack, because the lines of one range grow more than those of another.
constexpr double kRoomToSpare = 1.1;
/// A table has the more lines for each of its groups the more lines it takes; what it holds stays in a core's cache.
constexpr std::size_t kCombinedRangeBytes = 1 << 20;
/// More encoded lines than this share of the lines are not worth their look-ups. So many ranges later it may be
/// otherwise.
constexpr double kMostLeft = 0.75;
constexpr int kRangesToSkip = 15;
/// A later batch may have many more groups than this one, and must have room, too.
constexpr std::size_t kLeastExpansion = 2;

}  // namespace

// Of the first record of each piece, from the beginning of the first piece: in bytes, or in records.
std::vector<std::uint64_t> LineBatch::offsets_of(std::span<const std::span<const std::byte>> pieces,
                                                 bool by_number) const {
  std::vector<std::uint64_t> offsets(pieces.size());
  if (!by_number) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      offsets[i] = static_cast<std::uint64_t>(pieces[i].data() - pieces[0].data());
    }
    return offsets;
  }
  parallel_for(0, pieces.size(), [&](std::size_t i) { offsets[i] = count_records(line_layout_, pieces[i]); });
  std::exclusive_scan(offsets.begin(), offsets.end(), offsets.begin(), std::uint64_t{0});
  return offsets;
}

RecordTotals LineBatch::encode(std::span<const std::byte> lines, std::uint64_t first_position, bool is_last,
                               bool by_number) {
  const std::size_t range_bytes = batches_ == Batches::kCombined ? kCombinedRangeBytes : kRangeBytes;
  const auto pieces = split_records(line_layout_, lines, lines.size() / range_bytes + 1);
  const std::size_t count = held_ + pieces.size();
  if (ranges_.size() < count) ranges_.resize(count);
  const std::vector<std::uint64_t> offsets = offsets_of(pieces, by_number);
  const RecordTotals totals = parallel_reduce(
      pieces.size(), RecordTotals{},
      [&](std::size_t i, const RecordTotals& sum) {
        return sum + encode_range(ranges_[held_ + i], pieces[i], first_position + offsets[i], by_number);
      },
      std::plus<>());
  std::size_t bytes = combines() ? kLeastExpansion * lines.size() : 0;
  std::size_t encoded_bytes = 0;
  guesses_.clear();
  for (const Range& range : std::span(ranges_).subspan(held_, pieces.size())) {
    encoded_bytes += range.size.bytes;
    if (unreadable_.line == nullptr) unreadable_ = range.encoded.unreadable();
    if (!range.encoded.guesses().empty()) guesses_.add(range.encoded.guesses());
  }
  bytes = std::max(bytes, encoded_bytes);
  if (bytes > 0) expansion_ = static_cast<double>(bytes) / static_cast<double>(lines.size());
  stretches_ = arrange(count, is_last);
  next_ = 0;
  return totals;
}

// Encodes the lines of a range into `out`, which it clears, by encode(line, position), and returns their totals.
template <class Encode>
RecordTotals LineBatch::encode_lines(std::span<const std::byte> lines, std::uint64_t first_position, bool by_number,
                                     EncodedLines& out, const Encode& encode) const {
  const auto expected_bytes = static_cast<std::size_t>(static_cast<double>(lines.size()) * expansion_ * kRoomToSpare);
  // Gives back the memory that a long line took.
  if (out.size() > 4 * std::max(expected_bytes, kRangeBytes)) out = EncodedLines();
  out.clear();
  out.room(expected_bytes);
  RecordTotals totals;
  totals.bytes = lines.size();
  for_each_record(line_layout_, lines, [&](const std::byte* line, std::uint64_t stored) {
    const Record record(line, static_cast<std::size_t>(stored));
    encode(record, first_position + (by_number ? totals.records : static_cast<std::uint64_t>(line - lines.data())));
    ++totals.records;
    if (checksum_) totals.checksum += hash_record(record);
  });
  return totals;
}

RecordTotals LineBatch::encode_range(Range& range, std::span<const std::byte> lines, std::uint64_t first_position,
                                     bool by_number) const {
  if (combines() && range.ranges_to_skip-- <= 0) return combine_range(range, lines, first_position);
  EncodedLines& out = range.encoded;
  RecordTotals totals;
  if (batches_ == Batches::kInOrder) {
    range.lines.clear();
    totals = encode_lines(lines, first_position, by_number, out, [&](Record line, std::uint64_t position) {
      const std::size_t begin = out.size();
      codec_.encode(line, position, out);
      range.lines.push_back({make_location(begin, out.size() - begin), 0});
    });
    range.body = range.lines;
    order_range(range);
  } else {
    totals = encode_lines(lines, first_position, by_number, out,
                          [&](Record line, std::uint64_t position) { codec_.encode(line, position, out); });
  }
  range.size = {out.size(), totals.records, totals.bytes};
  return totals;
}

RecordTotals LineBatch::combine_range(Range& range, std::span<const std::byte> lines,
                                      std::uint64_t first_position) const {
  if (batches_ == Batches::kNeighbours) {
    if (!range.neighbours) range.neighbours = std::make_unique<NeighbourGroups>(codec_);
    return combine_in(*range.neighbours, range, lines, first_position);
  }
  if (!range.groups) range.groups = std::make_unique<GroupTable>(codec_);
  return combine_in(*range.groups, range, lines, first_position);
}

template <class Groups>
RecordTotals LineBatch::combine_in(Groups& groups, Range& range, std::span<const std::byte> lines,
                                   std::uint64_t first_position) const {
  const RecordTotals totals =
      encode_lines(lines, first_position, false, range.encoded,
                   [&](Record line, std::uint64_t position) { groups.add(line, position, range.encoded); });
  const std::uint64_t left = groups.empty_into(range.encoded);
  const bool pays = static_cast<double>(left) <= kMostLeft * static_cast<double>(totals.records);
  range.ranges_to_skip = pays ? 0 : kRangesToSkip;
  range.size = {range.encoded.size(), left, totals.bytes};
  return totals;
}

std::vector<LineBatch::Stretch> LineBatch::arrange(std::size_t count, bool) {
  std::vector<Stretch> stretches;
  for (const Range& range : std::span(ranges_).first(count)) {
    if (range.size.records > 0) stretches.push_back({range.encoded.bytes(), {}, range.size});
  }
  return stretches;
}

std::uint64_t LineBatch::waiting_line_bytes() const {
  std::uint64_t bytes = held_ > 0 ? ranges_[0].size.line_bytes : 0;
  for (std::size_t i = next_; i < stretches_.size(); ++i) bytes += stretches_[i].size.line_bytes;
  return bytes;
}

std::uint64_t LineBatch::held_bytes() const {
  std::uint64_t bytes = 0;
  for (const Range& range : ranges_) bytes += range.encoded.held_bytes();
  return bytes;
}

void LineBatch::give_back() {
  if (!empty() || held_ > 0) return;
  ranges_.clear();
  stretches_.clear();
  next_ = 0;
}

LineBatch::Size LineBatch::size_of(std::span<const std::byte> bytes, std::span<const Entry> lines) const {
  const ChunkRecords records(codec_.order(), bytes);
  Size size;
  for (const Entry& line : lines) size = size + Size{records[line].size(), 1, line_bytes(records[line])};
  return size;
}

LineBatch::Size LineBatch::take(std::span<std::byte> target, std::uint64_t max_records) {
  struct Task {
    Stretch source;
    std::span<std::byte> target;
  };
  std::vector<Task> tasks;
  Size taken;
  while (!empty()) {
    Stretch& stretch = stretches_[next_];
    const Size part = fitting(stretch, target.size() - taken.bytes, max_records - taken.records);
    if (part.records == 0) break;
    tasks.push_back({take_front(stretch, part), target.subspan(taken.bytes, part.bytes)});
    taken = taken + part;
    if (stretch.size.records > 0) break;
    ++next_;
  }
  parallel_for(0, tasks.size(), [&](std::size_t i) {
    const Stretch& source = tasks[i].source;
    if (source.is_listed()) return gather(ChunkRecords(codec_.order(), source.bytes), source.lines, tasks[i].target);
    std::memcpy(tasks[i].target.data(), source.bytes.data(), source.bytes.size());
  });
  return taken;
}

LineBatch::Stretch LineBatch::take_front(Stretch& stretch, const Size& part) {
  Stretch front = stretch;
  front.size = part;
  if (stretch.is_listed()) {
    front.lines = stretch.lines.first(static_cast<std::size_t>(part.records));
    stretch.lines = stretch.lines.subspan(front.lines.size());
  } else {
    front.bytes = stretch.bytes.first(part.bytes);
    stretch.bytes = stretch.bytes.subspan(part.bytes);
  }
  stretch.size = stretch.size - part;
  return front;
}

// Most stretches fit as a whole and need not be counted again.
LineBatch::Size LineBatch::fitting(const Stretch& stretch, std::size_t room, std::uint64_t max_records) const {
  if (stretch.size.bytes <= room && stretch.size.records <= max_records) return stretch.size;
  Size part;
  const auto add = [&](Record line) {
    if (part.bytes + line.size() > room || part.records == max_records) return false;
    part = part + Size{line.size(), 1, line_bytes(line)};
    return true;
  };
  if (stretch.is_listed()) {
    const ChunkRecords records(codec_.order(), stretch.bytes);
    for (const Entry& line : stretch.lines) {
      if (!add(records[line])) break;
    }
  } else {
    leading_bytes(codec_.order().layout(), stretch.bytes, add);
  }
  return part;
}

}  // namespace sortie

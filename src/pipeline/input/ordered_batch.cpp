#include "pipeline/input/ordered_batch.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "base/parallel.hpp"
#include "entries/part_maker.hpp"
#include "entries/refine_ties.hpp"

namespace sortie {
namespace {

/// Seams are merged by one thread: no more than this share of a range may lie in one.
constexpr std::size_t kSeamShare = 4;
constexpr std::size_t kSmallSeam = 256;

}  // namespace

std::uint64_t OrderedBatch::waiting_line_bytes() const {
  std::uint64_t bytes = held_ == 0 ? 0 : ranges_[0].body.line_bytes;
  for (std::size_t i = next_; i < stretches_.size(); ++i) bytes += stretches_[i].size.line_bytes;
  return bytes;
}

RecordTotals OrderedBatch::decorate(std::span<const std::byte> lines, std::uint64_t first_place, bool is_last) {
  const auto pieces = cut(lines);
  const std::size_t count = held_ + pieces.size();
  if (ranges_.size() < count) ranges_.resize(count);
  const RecordTotals totals = parallel_reduce(
      pieces.size(), RecordTotals{},
      [&](std::size_t i, const RecordTotals& sum) {
        const auto offset = static_cast<std::uint64_t>(pieces[i].data() - lines.data());
        return sum + decorate_range(ranges_[held_ + i], pieces[i], first_place + offset);
      },
      std::plus<>());
  std::size_t bytes = 0;
  begin_findings();
  for (std::size_t i = held_; i < count; ++i) {
    bytes += ranges_[i].body.bytes;
    take_findings(ranges_[i].decorated);
  }
  measure(bytes, lines.size());
  list_stretches(join_ranges(std::span(ranges_).first(count), is_last), is_last ? count : count - 1);
  held_ = is_last ? 0 : 1;
  if (held_ > 0 && count > 1) std::swap(ranges_[0], ranges_[count - 1]);
  return totals;
}

RecordTotals OrderedBatch::decorate_range(Range& range, std::span<const std::byte> lines,
                                          std::uint64_t first_place) const {
  range.lines.clear();
  const RecordTotals totals =
      decorate_lines(lines, first_place, range.decorated, [&](Record line, std::uint64_t place) {
        const std::size_t begin = range.decorated.size();
        codec().decorate(line, place, range.decorated);
        range.lines.push_back({make_location(begin, range.decorated.size() - begin), 0});
      });
  range.body = {range.decorated.size(), totals.records, totals.bytes};
  range.begin = 0;
  range.end = range.lines.size();
  // No line can be left in a file that somebody changes.
  if (sorts_ranges_ && !range.lines.empty()) sort_lines(ChunkRecords(order_, range.decorated.bytes()), range.lines);
  return totals;
}

// Returns where the seam behind each range ends in `seam_lines_`.
std::vector<std::size_t> OrderedBatch::join_ranges(std::span<Range> ranges, bool is_last) {
  seam_bytes_.clear();
  seam_lines_.clear();
  std::vector<std::size_t> seam_ends;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const bool is_final = is_last && i + 2 == ranges.size();
    if (i + 1 < ranges.size()) sorts_ranges_ = sorts_ranges_ && join(ranges[i], ranges[i + 1], is_final);
    seam_ends.push_back(seam_lines_.size());
  }
  return seam_ends;
}

// Merges what is greater than the first line of `next` with what is less than the last line of `range`. Returns false,
// and moves nothing, if that is too much. Lines must be left in both, so that the seams beside this one are in order,
// but in a final `next` there need not be any. Does nothing if one has no lines to begin with.
bool OrderedBatch::join(Range& range, Range& next, bool is_final) {
  const ChunkRecords records(order_, range.decorated.bytes());
  const ChunkRecords next_records(order_, next.decorated.bytes());
  const std::span<const Entry> lines = range.waiting();
  const std::span<const Entry> next_lines = next.waiting();
  if (lines.empty() || next_lines.empty()) return true;
  const Record last = records[lines.back()];
  const Record first = next_records[next_lines.front()];
  if (order_.compare(last, first) <= 0) return true;
  const auto tail =
      std::ranges::partition_point(lines, [&](const Entry& line) { return order_.compare(records[line], first) <= 0; });
  const auto head = std::ranges::partition_point(
      next_lines, [&](const Entry& line) { return order_.compare(next_records[line], last) < 0; });
  const auto tail_lines = static_cast<std::size_t>(lines.end() - tail);
  const auto head_lines = static_cast<std::size_t>(head - next_lines.begin());
  if (tail_lines == lines.size() || (head_lines == next_lines.size() && !is_final)) return false;
  if (tail_lines + head_lines > std::max(kSmallSeam, lines.size() / kSeamShare)) return false;
  auto at = tail;
  for (auto next_at = next_lines.begin(); at < lines.end() || next_at < head;) {
    const bool is_next =
        at == lines.end() || (next_at < head && order_.compare(next_records[*next_at], records[*at]) < 0);
    is_next ? move_to_seam(next, next_records[*next_at++]) : move_to_seam(range, records[*at++]);
  }
  range.end -= tail_lines;
  next.begin += head_lines;
  return true;
}

void OrderedBatch::move_to_seam(Range& from, Record line) {
  seam_lines_.push_back({make_location(seam_bytes_.size(), line.size()), 0});
  std::byte* const target = seam_bytes_.room(line.size());
  std::memcpy(target, line.data(), line.size());
  seam_bytes_.extend_to(target + line.size());
  const Size moved{line.size(), 1, line_bytes(line)};
  from.body = from.body - moved;
}

// Lists the first `count` ranges, each with the seam behind it.
void OrderedBatch::list_stretches(std::span<const std::size_t> seam_ends, std::size_t count) {
  stretches_.clear();
  next_ = 0;
  std::size_t seam_begin = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Range& range = ranges_[i];
    if (range.body.records > 0) stretches_.push_back({range.decorated.bytes(), range.waiting(), range.body});
    const auto seam = std::span<const Entry>(seam_lines_).subspan(seam_begin, seam_ends[i] - seam_begin);
    seam_begin = seam_ends[i];
    if (!seam.empty()) stretches_.push_back({seam_bytes_.bytes(), seam, size_of(seam_bytes_.bytes(), seam)});
  }
}

LineBatch::Size OrderedBatch::size_of(std::span<const std::byte> bytes, std::span<const Entry> lines) const {
  const ChunkRecords records(order_, bytes);
  Size size;
  for (const Entry& line : lines) size = size + Size{records[line].size(), 1, line_bytes(records[line])};
  return size;
}

LineBatch::Size OrderedBatch::take(std::span<std::byte> target, std::uint64_t max_records) {
  struct Task {
    std::span<const std::byte> bytes;
    std::span<const Entry> lines;
    std::span<std::byte> target;
  };
  std::vector<Task> tasks;
  Size taken;
  while (!empty()) {
    Stretch& stretch = stretches_[next_];
    const Size part = fitting(stretch, target.size() - taken.bytes, max_records - taken.records);
    if (part.records == 0) break;
    const auto lines = static_cast<std::size_t>(part.records);
    tasks.push_back({stretch.bytes, stretch.lines.first(lines), target.subspan(taken.bytes, part.bytes)});
    stretch.lines = stretch.lines.subspan(lines);
    stretch.size = stretch.size - part;
    taken = taken + part;
    if (!stretch.lines.empty()) break;
    ++next_;
  }
  parallel_for(0, tasks.size(),
               [&](std::size_t i) { gather(ChunkRecords(order_, tasks[i].bytes), tasks[i].lines, tasks[i].target); });
  return taken;
}

// Most stretches fit as a whole and need not be counted again.
LineBatch::Size OrderedBatch::fitting(const Stretch& stretch, std::size_t room, std::uint64_t max_records) const {
  if (stretch.size.bytes <= room && stretch.size.records <= max_records) return stretch.size;
  const ChunkRecords records(order_, stretch.bytes);
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (; count < stretch.lines.size() && count < max_records; ++count) {
    const std::size_t line = records[stretch.lines[count]].size();
    if (bytes + line > room) break;
    bytes += line;
  }
  return size_of(stretch.bytes, stretch.lines.first(count));
}

}  // namespace sortie

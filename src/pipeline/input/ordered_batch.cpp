#include "pipeline/input/ordered_batch.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/parallel.hpp"
#include "entries/refine_ties.hpp"

namespace sortie {
namespace {

/// Seams are merged by one thread: no more than this share of a range may lie in one.
constexpr std::size_t kSeamShare = 4;
constexpr std::size_t kSmallSeam = 256;

}  // namespace

void OrderedBatch::order_range(Range& range) const {
  // No line can be left in a file that somebody changes.
  if (sorts_ranges_ && !range.lines.empty()) sort_lines(ChunkRecords(order_, range.encoded.bytes()), range.lines);
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
  const ChunkRecords records(order_, range.encoded.bytes());
  const ChunkRecords next_records(order_, next.encoded.bytes());
  const std::span<const Entry> lines = range.body;
  const std::span<const Entry> next_lines = next.body;
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
  range.body = lines.first(lines.size() - tail_lines);
  next.body = next_lines.subspan(head_lines);
  return true;
}

void OrderedBatch::move_to_seam(Range& from, Record line) {
  seam_lines_.push_back({make_location(seam_bytes_.size(), line.size()), 0});
  std::byte* const target = seam_bytes_.room(line.size());
  std::memcpy(target, line.data(), line.size());
  seam_bytes_.extend_to(target + line.size());
  const Size moved{line.size(), 1, line_bytes(line)};
  from.size = from.size - moved;
}

// The ranges, each with the seam behind it. The last one waits for the next batch.
std::vector<LineBatch::Stretch> OrderedBatch::arrange(std::size_t count, bool is_last) {
  const std::vector<std::size_t> seam_ends = join_ranges(std::span(ranges_).first(count), is_last);
  held_ = is_last ? 0 : 1;
  std::vector<Stretch> stretches;
  std::size_t seam_begin = 0;
  for (std::size_t i = 0; i < count - held_; ++i) {
    const Range& range = ranges_[i];
    if (range.size.records > 0) stretches.push_back({range.encoded.bytes(), range.body, range.size});
    const auto seam = std::span<const Entry>(seam_lines_).subspan(seam_begin, seam_ends[i] - seam_begin);
    seam_begin = seam_ends[i];
    if (!seam.empty()) stretches.push_back({seam_bytes_.bytes(), seam, size_of(seam_bytes_.bytes(), seam)});
  }
  if (held_ > 0 && count > 1) std::swap(ranges_[0], ranges_[count - 1]);
  return stretches;
}

}  // namespace sortie

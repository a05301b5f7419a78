#include "pipeline/input/decorated_batch.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/parallel.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// A table has the more lines for each of its groups the more lines it takes; what it holds stays in a core's cache.
constexpr std::size_t kCombinedRangeBytes = 1 << 20;
/// More decorated lines than this share of the lines are not worth their look-ups. So many ranges later it may be
/// otherwise.
constexpr double kMostLeft = 0.75;
constexpr int kRangesToSkip = 15;
/// A later batch may have many more groups than this one, and must have room, too.
constexpr double kLeastExpansion = 2;

struct CopyTask {
  std::byte* target;
  const std::byte* source;
  std::size_t bytes;
};

}  // namespace

RecordTotals DecoratedBatch::decorate(std::span<const std::byte> lines, std::uint64_t first_place, bool) {
  const auto pieces = combines_groups_ ? cut(lines, kCombinedRangeBytes) : cut(lines);
  range_count_ = pieces.size();
  next_ = 0;
  if (ranges_.size() < range_count_) ranges_.resize(range_count_);
  const RecordTotals totals = parallel_reduce(
      range_count_, RecordTotals{},
      [&](std::size_t i, const RecordTotals& sum) {
        const auto offset = static_cast<std::uint64_t>(pieces[i].data() - lines.data());
        return sum + decorate_range(ranges_[i], pieces[i], first_place + offset);
      },
      std::plus<>());
  std::size_t bytes = 0;
  begin_findings();
  for (std::size_t i = 0; i < range_count_; ++i) {
    bytes += ranges_[i].waiting.bytes;
    take_findings(ranges_[i].decorated);
  }
  if (combines_groups_)
    bytes = std::max(bytes, static_cast<std::size_t>(kLeastExpansion * static_cast<double>(lines.size())));
  measure(bytes, lines.size());
  return totals;
}

RecordTotals DecoratedBatch::decorate_range(Range& range, std::span<const std::byte> lines,
                                            std::uint64_t first_place) const {
  range.begin = 0;
  const bool combines = combines_groups_ && range.ranges_to_skip-- <= 0;
  if (!combines) {
    const RecordTotals totals =
        decorate_lines(lines, first_place, range.decorated,
                       [&](Record line, std::uint64_t place) { codec().decorate(line, place, range.decorated); });
    range.waiting = {range.decorated.size(), totals.records, totals.bytes};
    return totals;
  }
  if (!range.groups) range.groups = std::make_unique<GroupTable>(codec());
  const RecordTotals totals =
      decorate_lines(lines, first_place, range.decorated,
                     [&](Record line, std::uint64_t place) { range.groups->add(line, place, range.decorated); });
  const std::uint64_t left = range.groups->empty_into(range.decorated);
  const bool pays = static_cast<double>(left) <= kMostLeft * static_cast<double>(totals.records);
  range.ranges_to_skip = pays ? 0 : kRangesToSkip;
  range.waiting = {range.decorated.size(), left, totals.bytes};
  return totals;
}

std::uint64_t DecoratedBatch::waiting_line_bytes() const {
  std::uint64_t bytes = 0;
  for (std::size_t i = next_; i < range_count_; ++i) bytes += ranges_[i].waiting.line_bytes;
  return bytes;
}

std::uint64_t DecoratedBatch::held_bytes() const {
  std::uint64_t bytes = 0;
  for (const Range& range : ranges_) bytes += range.decorated.held_bytes();
  return bytes;
}

void DecoratedBatch::give_back() {
  ranges_.clear();
  range_count_ = 0;
  next_ = 0;
}

DecoratedBatch::Size DecoratedBatch::take(std::span<std::byte> target, std::uint64_t max_records) {
  Size taken;
  std::vector<CopyTask> tasks;
  while (!empty()) {
    Range& range = ranges_[next_];
    const Size part = fitting(range, target.size() - taken.bytes, max_records - taken.records);
    if (part.records == 0) break;
    tasks.push_back({target.data() + taken.bytes, range.decorated.bytes().data() + range.begin, part.bytes});
    range.begin += part.bytes;
    range.waiting.bytes -= part.bytes;
    range.waiting.records -= part.records;
    range.waiting.line_bytes -= part.line_bytes;
    taken.bytes += part.bytes;
    taken.records += part.records;
    taken.line_bytes += part.line_bytes;
    if (range.waiting.records > 0) break;
    ++next_;
  }
  parallel_for(0, tasks.size(), [&](std::size_t i) { std::memcpy(tasks[i].target, tasks[i].source, tasks[i].bytes); });
  return taken;
}

// Most ranges fit as a whole and need not be counted again.
DecoratedBatch::Size DecoratedBatch::fitting(const Range& range, std::size_t room, std::uint64_t max_records) const {
  if (range.waiting.bytes <= room && range.waiting.records <= max_records) return range.waiting;
  const auto waiting = range.decorated.bytes().subspan(range.begin);
  const std::size_t whole = whole_records(layout(), waiting.first(std::min(room, waiting.size())));
  Size part;
  part.bytes = first_records(layout(), waiting.first(whole), max_records);
  for_each_record(layout(), waiting.first(part.bytes), [&](const std::byte* line, std::uint64_t stored) {
    ++part.records;
    part.line_bytes += line_bytes({line, static_cast<std::size_t>(stored)});
  });
  return part;
}

}  // namespace sortie

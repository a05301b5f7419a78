#include "pipeline/input/decorated_batch.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/parallel.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

struct CopyTask {
  std::byte* target;
  const std::byte* source;
  std::size_t bytes;
};

}  // namespace

RecordTotals DecoratedBatch::decorate(std::span<const std::byte> lines, std::uint64_t first_place, bool) {
  const auto pieces = cut(lines);
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
  for (std::size_t i = 0; i < range_count_; ++i) {
    bytes += ranges_[i].waiting.bytes;
    look_for_unreadable(ranges_[i].decorated);
  }
  measure(bytes, lines.size());
  return totals;
}

RecordTotals DecoratedBatch::decorate_range(Range& range, std::span<const std::byte> lines,
                                            std::uint64_t first_place) const {
  range.begin = 0;
  const RecordTotals totals = decorate_lines(lines, first_place, range.decorated, [](std::size_t) {});
  range.waiting = {range.decorated.size(), totals.records, totals.bytes};
  return totals;
}

std::uint64_t DecoratedBatch::waiting_line_bytes() const {
  std::uint64_t bytes = 0;
  for (std::size_t i = next_; i < range_count_; ++i) bytes += ranges_[i].waiting.line_bytes;
  return bytes;
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

#include "pipeline/scan/repeat_filter.hpp"

#include <vector>

#include "base/parallel.hpp"

namespace sortie {

std::span<std::byte> RepeatFilter::apply(std::span<std::byte> part) {
  const std::vector<SortedRange> ranges = scan_.cut(part);
  std::vector<std::span<std::byte>> kept(ranges.size());
  std::vector<RecordTotals> dropped(ranges.size());
  parallel_for(0, ranges.size(), [&](std::size_t i) {
    const Filtered filtered = filter(ranges[i], part);
    kept[i] = filtered.kept;
    dropped[i] = filtered.dropped;
  });
  for (const RecordTotals& totals : dropped) dropped_ += totals;
  return close_gaps(part, kept);
}

}  // namespace sortie

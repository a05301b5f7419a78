#include "pipeline/records/repeat_search.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>

#include "record/record_scan.hpp"

namespace sortie {

std::optional<std::size_t> find_repeated_key(const LineDecorator& decorator, const Layout& layout,
                                             std::span<const std::byte> lines) {
  constexpr std::size_t kRangeBytes = 256 << 10;
  const auto ranges = split_records(layout, lines, lines.size() / kRangeBytes + 1);
  const auto first_in = [&](std::span<const std::byte> range) {
    const auto begin = static_cast<std::size_t>(range.data() - lines.data());
    Record last = begin == 0 ? Record() : last_record(layout, lines.first(begin));
    std::size_t found = lines.size();
    for_each_record(layout, range, [&](const std::byte* data, std::uint64_t stored) {
      const Record line(data, static_cast<std::size_t>(stored));
      if (found == lines.size() && !last.empty() && decorator.equal_keys(last, line)) {
        found = static_cast<std::size_t>(data - lines.data());
      }
      last = line;
    });
    return found;
  };
  const std::size_t found = tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, ranges.size()), lines.size(),
      [&](const auto& part, std::size_t best) {
        for (std::size_t i = part.begin(); i < part.end(); ++i) best = std::min(best, first_in(ranges[i]));
        return best;
      },
      [](std::size_t a, std::size_t b) { return std::min(a, b); });
  return found == lines.size() ? std::nullopt : std::optional(found);
}

}  // namespace sortie

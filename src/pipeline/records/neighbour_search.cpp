#include "pipeline/records/neighbour_search.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// Offset of the first line for which is_found(line before, line) is true. Parallel.
template <class IsFound>
std::optional<std::size_t> find_line(const Layout& layout, std::span<const std::byte> lines, const IsFound& is_found) {
  constexpr std::size_t kRangeBytes = 256 << 10;
  const auto ranges = split_records(layout, lines, lines.size() / kRangeBytes + 1);
  const auto first_in = [&](std::span<const std::byte> range) {
    const auto begin = static_cast<std::size_t>(range.data() - lines.data());
    Record before = begin == 0 ? Record() : last_record(layout, lines.first(begin));
    std::size_t found = lines.size();
    for_each_record(layout, range, [&](const std::byte* data, std::uint64_t stored) {
      const Record line(data, static_cast<std::size_t>(stored));
      if (found == lines.size() && !before.empty() && is_found(before, line)) {
        found = static_cast<std::size_t>(data - lines.data());
      }
      before = line;
    });
    return found;
  };
  const std::size_t found = parallel_reduce(
      ranges.size(), lines.size(), [&](std::size_t i, std::size_t best) { return std::min(best, first_in(ranges[i])); },
      [](std::size_t a, std::size_t b) { return std::min(a, b); });
  return found == lines.size() ? std::nullopt : std::optional(found);
}

}  // namespace

std::optional<std::size_t> find_repeated_key(const LineDecorator& decorator, const Layout& layout,
                                             std::span<const std::byte> lines) {
  return find_line(layout, lines, [&](Record before, Record line) { return decorator.equal_keys(before, line); });
}

std::optional<std::size_t> find_key_disorder(const LineDecorator& decorator, const Layout& layout,
                                             std::span<const std::byte> lines, bool unique) {
  const int most = unique ? -1 : 0;
  return find_line(layout, lines, [&](Record before, Record line) {
    const int order = decorator.compare_keys(before, line);
    return (order > 0) - (order < 0) > most;
  });
}

}  // namespace sortie

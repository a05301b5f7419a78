#include "record/order_check.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>

#include "record/range_check.hpp"

namespace sortie {
namespace {

constexpr std::size_t kCheckedBytes = 1 << 20;

}  // namespace

std::optional<std::size_t> find_disorder(const RecordOrder& order, std::span<const std::byte> bytes, bool unique) {
  const auto ranges = split_records(order.layout(), bytes, bytes.size() / kCheckedBytes + 1);
  const RangeCheck check(order, bytes, unique);
  const std::size_t found = tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, ranges.size()), RangeCheck::kInOrder,
      [&](const auto& part, std::size_t best) {
        for (std::size_t i = part.begin(); i < part.end(); ++i) best = std::min(best, check.first_disorder(ranges[i]));
        return best;
      },
      [](std::size_t a, std::size_t b) { return std::min(a, b); });
  return found == RangeCheck::kInOrder ? std::nullopt : std::optional(found);
}

}  // namespace sortie

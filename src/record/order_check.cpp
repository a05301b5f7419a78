#include "record/order_check.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "record/range_check.hpp"

namespace sortie {
namespace {

constexpr std::size_t kCheckedBytes = 1 << 20;

}  // namespace

std::optional<std::size_t> find_disorder(const RecordOrder& order, std::span<const std::byte> bytes, bool unique) {
  const auto ranges = split_records(order.layout(), bytes, bytes.size() / kCheckedBytes + 1);
  const RangeCheck check(order, bytes, unique);
  const std::size_t found = parallel_reduce(
      ranges.size(), RangeCheck::kInOrder,
      [&](std::size_t i, std::size_t best) { return std::min(best, check.first_disorder(ranges[i])); },
      [](std::size_t a, std::size_t b) { return std::min(a, b); });
  return found == RangeCheck::kInOrder ? std::nullopt : std::optional(found);
}

}  // namespace sortie

#include "record/examination.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "record/range_check.hpp"

namespace sortie {
namespace {

// Numbers are walked over twice, so a range of them must stay in a core's cache.
constexpr std::size_t kRangeBytes = 256 << 10;

struct Findings {
  RecordTotals totals;
  std::size_t disorder = RangeCheck::kInOrder;
};

Findings join(Findings a, const Findings& b) {
  a.totals += b.totals;
  a.disorder = std::min(a.disorder, b.disorder);
  return a;
}

Findings examine_range(const Format& format, const RangeCheck& check, std::span<const std::byte> range) {
  if (check.takes_numbers() || format.kind == RecordKind::kArray) {
    return {range_totals(format, range, true), check.first_disorder(range)};
  }
  Findings findings;
  findings.totals.bytes = range.size();
  findings.disorder = check.first_disorder(range, [&](Record record) {
    ++findings.totals.records;
    findings.totals.checksum += hash_record(record);
  });
  return findings;
}

}  // namespace

Examination examine_records(const Format& format, const RecordOrder& order, std::span<const std::byte> bytes,
                            bool unique) {
  const auto ranges = split_records(order.layout(), bytes, bytes.size() / kRangeBytes + 1);
  const RangeCheck check(order, bytes, unique);
  const Findings found = parallel_reduce(
      ranges.size(), Findings{},
      [&](std::size_t i, const Findings& sum) { return join(sum, examine_range(format, check, ranges[i])); }, join);
  return {found.totals, found.disorder == RangeCheck::kInOrder ? std::nullopt : std::optional(found.disorder)};
}

}  // namespace sortie

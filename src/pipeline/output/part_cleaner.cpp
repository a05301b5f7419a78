#include "pipeline/output/part_cleaner.hpp"

#include <cstring>

#include "base/checksum.hpp"
#include "base/parallel.hpp"
#include "pipeline/output/output_fault.hpp"
#include "record/range_check.hpp"

namespace sortie {
namespace {

constexpr std::size_t kRangeBytes = 256 << 10;

}  // namespace

// Cleans one range, line by line. A line is moved after the next one has been compared with it, to a place in front of
// that one: lines that are still to be looked at stay unchanged.
class PartCleaner::RangeTask {
 public:
  RangeTask(const PartCleaner& cleaner, Range& range)
      : cleaner_(cleaner), range_(range), target_(range.bytes.data()), is_duplicate_(range.begins_with_duplicate) {}

  void take(Record line) {
    if (!last_.empty()) {
      const bool repeats = cleaner_.options_.unique && cleaner_.equal_keys_(last_, line);
      move_last();
      is_duplicate_ = repeats;
    }
    last_ = line;
  }

  void move_last() {
    const auto offset = static_cast<std::size_t>(last_.data() - range_.bytes.data());
    const Record line = cleaner_.decorator_.restore(range_.bytes.subspan(offset, last_.size()));
    RecordTotals& totals = is_duplicate_ ? range_.dropped : range_.kept;
    ++totals.records;
    totals.bytes += line.size();
    if (cleaner_.options_.verify) totals.checksum += hash_record(line);
    if (is_duplicate_) return;
    std::memmove(target_, line.data(), line.size());
    target_ += line.size();
  }

 private:
  const PartCleaner& cleaner_;
  Range& range_;
  std::byte* target_;
  Record last_;
  bool is_duplicate_;  // whether last_ is a duplicate
};

PartCleaner::PartCleaner(const LineDecorator& decorator, const RecordOrder& order, Options options)
    : decorator_(decorator),
      order_(order),
      equal_keys_(order, &decorator),
      options_(options),
      seam_(order, false, &decorator) {}

std::span<std::byte> PartCleaner::clean(std::span<std::byte> part, bool checks_order) {
  std::vector<Range> ranges = cut(part);
  parallel_for(0, ranges.size(), [&](std::size_t i) { clean_range(ranges[i]); });
  std::byte* target = part.data();
  for (const Range& range : ranges) {
    if (checks_order && !range.in_order) throw_output_fault("the sorted lines are not in order");
    const auto bytes = static_cast<std::size_t>(range.kept.bytes);
    if (target != range.bytes.data()) std::memmove(target, range.bytes.data(), bytes);
    target += bytes;
    kept_ += range.kept;
    dropped_ += range.dropped;
  }
  return part.first(static_cast<std::size_t>(target - part.data()));
}

// Compares ranges with one another while all lines still have their keys.
std::vector<PartCleaner::Range> PartCleaner::cut(std::span<std::byte> part) {
  std::vector<Range> ranges;
  for (const auto bytes : split_records(order_.layout(), part, part.size() / kRangeBytes + 1)) {
    Range range;
    range.bytes = part.subspan(static_cast<std::size_t>(bytes.data() - part.data()), bytes.size());
    range.in_order = !options_.verify || seam_.may_follow(bytes);
    range.begins_with_duplicate = options_.unique && seam_.repeats_key(bytes);
    seam_.pass(bytes);
    ranges.push_back(range);
  }
  return ranges;
}

void PartCleaner::clean_range(Range& range) const {
  RangeTask task(*this, range);
  if (options_.verify) {
    const RangeCheck check(order_, range.bytes, false);
    const std::size_t disorder = check.first_disorder(range.bytes, [&](Record line) { task.take(line); });
    range.in_order = range.in_order && disorder == RangeCheck::kInOrder;
  } else {
    for_each_record(order_.layout(), range.bytes, [&](const std::byte* line, std::uint64_t stored) {
      task.take({line, static_cast<std::size_t>(stored)});
    });
  }
  task.move_last();
}

}  // namespace sortie

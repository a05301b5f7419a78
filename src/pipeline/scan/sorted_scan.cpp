#include "pipeline/scan/sorted_scan.hpp"

#include <algorithm>
#include <cstring>

#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "base/release_memory.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

// Numbers are walked over twice, so a range of them must stay in a core's cache.
constexpr std::size_t kScannedBytes = 256 << 10;
/// Fewer ranges are joined before another thread would wake up.
constexpr std::size_t kLeastJoined = 256;
/// The memory of a longer last record is given back.
constexpr std::size_t kUsualLastBytes = 64 << 10;

}  // namespace

std::vector<SortedRange> SortedScan::cut(std::span<const std::byte> part) {
  return join(split_records(layout(), part, part.size() / kScannedBytes + 1));
}

std::vector<SortedRange> SortedScan::join(std::span<const std::span<const std::byte>> pieces) {
  std::vector<SortedRange> ranges(pieces.size());
  if (pieces.empty()) return ranges;
  parallel_for_ranges(0, pieces.size(), kLeastJoined, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Record before = i == 0 ? Record(last_) : last_record(layout(), pieces[i - 1]);
      const Record first = first_record(layout(), pieces[i]);
      ranges[i] = {pieces[i], !options_.verify || before.empty() || may_follow(before, first),
                   !before.empty() && is_repeat(before, first)};
    }
  });
  const Record last = last_record(layout(), pieces.back());
  if (last_.capacity() > std::max(kUsualLastBytes, 2 * last.size())) release_memory(last_);
  last_.assign(last.begin(), last.end());
  return ranges;
}

bool SortedScan::repeats_key(std::span<const std::byte> records) const {
  return !last_.empty() && codec_.equal_keys(last_, first_record(layout(), records));
}

std::optional<std::size_t> SortedScan::find_disorder(std::span<const std::byte> part) {
  const std::vector<SortedRange> ranges = cut(part);
  const std::size_t found = parallel_reduce(
      ranges.size(), kInOrder,
      [&](std::size_t i, std::size_t first) {
        const std::size_t offset = first_disorder(ranges[i]);
        if (offset == kInOrder) return first;
        return std::min(first, static_cast<std::size_t>(ranges[i].bytes.data() - part.data()) + offset);
      },
      [](std::size_t a, std::size_t b) { return std::min(a, b); });
  return found == kInOrder ? std::nullopt : std::optional(found);
}

std::size_t SortedScan::first_disorder(const SortedRange& range) const {
  if (!range.follows_in_order) return 0;
  if (numbers_) {
    return find_number_disorder(order_.by_bytes(), range.bytes, options_.is_strict).value_or(kInOrder);
  }
  // The bytes behind the keys of encoded lines differ even if keys are equal.
  if (order_.is_by_bytes() && !(options_.is_strict && codec_.makes_keys())) return walk(range.bytes, [](Record) {});
  std::size_t found = kInOrder;
  Record before;
  for_each_record(layout(), range.bytes, [&](const std::byte* data, std::uint64_t stored) {
    const Record record(data, static_cast<std::size_t>(stored));
    if (found == kInOrder && !before.empty() && !may_follow(before, record)) {
      found = static_cast<std::size_t>(data - range.bytes.data());
    }
    before = record;
  });
  return found;
}

bool SortedScan::may_follow(Record before, Record record) const {
  const int order = order_.compare(before, record);
  if (order > 0 || !options_.is_strict) return order <= 0;
  return codec_.makes_keys() && order_.is_by_bytes() ? !codec_.equal_keys(before, record) : order < 0;
}

std::span<std::byte> close_gaps(std::span<std::byte> part, std::span<const std::span<std::byte>> kept) {
  std::byte* target = part.data();
  for (const std::span<std::byte> stretch : kept) {
    if (target != stretch.data()) std::memmove(target, stretch.data(), stretch.size());
    target += stretch.size();
  }
  return part.first(static_cast<std::size_t>(target - part.data()));
}

std::string finding_of(const Disorder& disorder) {
  return "input '" + escape_unprintable(disorder.input) + "' is not sorted: record " + std::to_string(disorder.record) +
         " at offset " + std::to_string(disorder.offset) + " is out of order";
}

void OrderScan::begin_input(const std::string& path, std::uint64_t records_before, std::uint64_t bytes_before) {
  path_ = path;
  records_before_ = records_before;
  bytes_before_ = bytes_before;
}

std::optional<Disorder> OrderScan::next(std::span<const std::byte> records, std::uint64_t input_bytes) {
  if (records.empty()) return std::nullopt;
  if (const auto offset = scan_.find_disorder(records)) return describe(records, *offset);
  records_before_ += codec_.original_count_of_all(records);
  bytes_before_ += input_bytes;
  return std::nullopt;
}

Disorder OrderScan::describe(std::span<const std::byte> records, std::size_t offset) const {
  Disorder disorder;
  disorder.input = path_;
  disorder.record = records_before_ + codec_.original_count_of_all(records.first(offset)) + 1;
  disorder.offset = bytes_before_ + codec_.original_bytes_of_all(records.first(offset));
  if (scan_.layout().delimited()) {
    std::vector<std::byte> scratch;
    const Record line = codec_.original(first_record(scan_.layout(), records.subspan(offset)), scratch);
    const bool has_delimiter = codec_.input_format().kind == RecordKind::kLines;
    disorder.text.assign(reinterpret_cast<const char*>(line.data()), line.size() - (has_delimiter ? 1 : 0));
  }
  return disorder;
}

}  // namespace sortie

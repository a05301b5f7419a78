#include "engine/gpu/merge/range_split.hpp"

#include <cstring>

#include "base/size.hpp"
#include "record/sorted_search.hpp"

namespace sortie::gpu {
namespace {

using Bytes = std::span<const std::byte>;

/// Begin of the record that `position` lies in. Precondition: position < bytes.size().
std::size_t record_start(const Layout& layout, Bytes bytes, std::size_t position) {
  if (!layout.delimited()) return static_cast<std::size_t>(round_down(position, layout.record_bytes));
  const void* delimiter = ::memrchr(bytes.data(), layout.delimiter, position);
  if (delimiter == nullptr) return 0;
  return static_cast<std::size_t>(static_cast<const std::byte*>(delimiter) - bytes.data()) + 1;
}

Record record_at(const Layout& layout, Bytes bytes, std::size_t start) {
  return bytes.subspan(
      start, static_cast<std::size_t>(stored_length(layout, bytes.data() + start, bytes.data() + bytes.size())));
}

/// Start of the middle record, or of the one behind it if that is the first; 0 if there is only one.
std::size_t middle_record(const Layout& layout, Bytes bytes) {
  if (bytes.empty()) return 0;
  const std::size_t start = record_start(layout, bytes, bytes.size() / 2);
  if (start > 0) return start;
  const std::size_t second = record_at(layout, bytes, 0).size();
  return second < bytes.size() ? second : 0;
}

}  // namespace

std::optional<RangeSplit> split_ranges(const RecordOrder& order, std::span<const Bytes> ranges) {
  std::size_t pivot_range = ranges.size();
  std::size_t pivot_start = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (pivot_range < ranges.size() && ranges[i].size() <= ranges[pivot_range].size()) continue;
    if (const std::size_t middle = middle_record(order.layout(), ranges[i]); middle > 0) {
      pivot_range = i;
      pivot_start = middle;
    }
  }
  if (pivot_range == ranges.size()) return std::nullopt;
  const Record pivot = record_at(order.layout(), ranges[pivot_range], pivot_start);
  RangeSplit split;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::size_t cut = i == pivot_range ? pivot_start : cut_for_merge(order, ranges[i], i, pivot, pivot_range);
    split.low.push_back(ranges[i].first(cut));
    split.high.push_back(ranges[i].subspan(cut));
  }
  return split;
}

}  // namespace sortie::gpu

#include "pipeline/merge/heads_merge.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace sortie {
namespace {

// The rest of one range.
struct Head {
  Record record;
  std::span<const std::byte> rest;  // begins with the record
  std::size_t range = 0;
};

void find_record(const Layout& layout, Head& head) {
  const std::uint64_t stored = stored_length(layout, head.rest.data(), head.rest.data() + head.rest.size());
  head.record = head.rest.first(static_cast<std::size_t>(stored));
}

}  // namespace

std::unique_ptr<MergedWindow> merge_heads(const ExactOrder& order, std::span<const std::span<const std::byte>> ranges,
                                          HostWindows& windows) {
  std::vector<Head> heads;
  std::uint64_t bytes = 0;
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    bytes += ranges[r].size();
    if (ranges[r].empty()) continue;
    heads.push_back({{}, ranges[r], r});
    find_record(order.layout(), heads.back());
  }
  std::unique_ptr<HostWindow> window = windows.begin(bytes);
  const auto comes_later = [&](const Head& a, const Head& b) {
    const int comparison = order.compare(a.record, b.record);
    return comparison != 0 ? comparison > 0 : a.range > b.range;
  };
  std::ranges::make_heap(heads, comes_later);
  std::byte* target = window->bytes().data();
  while (!heads.empty()) {
    std::ranges::pop_heap(heads, comes_later);
    Head& next = heads.back();
    std::memcpy(target, next.record.data(), next.record.size());
    target += next.record.size();
    next.rest = next.rest.subspan(next.record.size());
    if (next.rest.empty()) {
      heads.pop_back();
      continue;
    }
    find_record(order.layout(), next);
    std::ranges::push_heap(heads, comes_later);
  }
  return window;
}

}  // namespace sortie

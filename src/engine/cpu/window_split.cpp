#include "engine/cpu/window_split.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "entries/key_sample.hpp"
#include "record/sorted_search.hpp"

namespace sortie {
namespace {

constexpr std::size_t kSamplesPerSubWindow = 8;

struct Sample {
  Record record;
  std::size_t range = 0;
  std::size_t offset = 0;
};

std::vector<Sample> take_samples(const RecordOrder& order, std::span<const RunRange> ranges, std::size_t stride) {
  std::vector<Sample> samples;
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    for (const Record record : sample_records(order.layout(), ranges[r], stride / 2, stride)) {
      samples.push_back({record, r, static_cast<std::size_t>(record.data() - ranges[r].data())});
    }
  }
  return samples;
}

std::vector<std::size_t> cut_at(const RecordOrder& order, std::span<const RunRange> ranges, const Sample& bound) {
  std::vector<std::size_t> cut(ranges.size());
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    cut[r] = r == bound.range ? bound.offset : cut_for_merge(order, ranges[r], r, bound.record, bound.range);
  }
  return cut;
}

}  // namespace

std::vector<std::vector<std::size_t>> split_window(const RecordOrder& order, std::span<const RunRange> ranges,
                                                   std::size_t wanted) {
  std::size_t total_bytes = 0;
  for (const RunRange range : ranges) total_bytes += range.size();
  const std::size_t stride = std::max<std::size_t>(1, total_bytes / (wanted * kSamplesPerSubWindow));
  std::vector<Sample> samples;
  if (wanted > 1) samples = take_samples(order, ranges, stride);
  std::sort(samples.begin(), samples.end(), [&](const Sample& a, const Sample& b) {
    const int comparison = order.compare(a.record, b.record);
    if (comparison != 0) return comparison < 0;
    return a.range != b.range ? a.range < b.range : a.offset < b.offset;
  });

  const std::size_t bounds = std::min(wanted - 1, samples.size());
  std::vector<std::vector<std::size_t>> cuts(bounds + 2, std::vector<std::size_t>(ranges.size(), 0));
  parallel_for(0, bounds, [&](std::size_t i) {
    cuts[i + 1] = cut_at(order, ranges, samples[(i + 1) * samples.size() / (bounds + 1)]);
  });
  for (std::size_t r = 0; r < ranges.size(); ++r) cuts.back()[r] = ranges[r].size();
  return cuts;
}

}  // namespace sortie

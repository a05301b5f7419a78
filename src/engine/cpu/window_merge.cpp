#include "engine/cpu/window_merge.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/thread_team.hpp"
#include "entries/loser_tree.hpp"
#include "entries/part_maker.hpp"
#include "entries/splitters.hpp"
#include "entries/vector_sort.hpp"
#include "record/record_order.hpp"
#include "record/word_reader.hpp"

namespace sortie {
namespace {

// Enough sub-windows that threads finish together, none too small to be worth its searches.
constexpr std::size_t kSubWindowsPerThread = 4;
constexpr std::size_t kLeastSubWindowBytes = 256 << 10;
constexpr std::size_t kNumberSubWindowBytes = 256 << 10;
// How far ahead a range is prefetched: the hardware cannot follow many ranges by itself (lines of 100 bytes,
// nanoseconds each: 27 to 25 with 14 ranges, 50 to 34 with 48; AMD EPYC).
constexpr std::size_t kPrefetchBytes = 512;
constexpr std::size_t kCacheLineBytes = 64;
// Merged records are shown in stretches of this length, which a core's cache holds.
constexpr std::ptrdiff_t kShownBytes = 512 << 10;

// The records of one range, for the loser tree.
class RecordSource {
 public:
  RecordSource(const RecordOrder& order, RunRange range)
      : order_(&order), read_word_(order, range, 0), at_(range.data()), end_(range.data() + range.size()) {
    load();
  }

  bool exhausted() const { return at_ == end_; }
  std::uint64_t word() const { return word_; }
  Record record() const { return {at_, stored_bytes_}; }
  const std::byte* range_end() const { return end_; }
  int compare_tail(const RecordSource& other) const { return order_->compare(record(), other.record(), 1); }

  void advance() {
    at_ += stored_bytes_;
    __builtin_prefetch(at_ + kPrefetchBytes);
    __builtin_prefetch(at_ + kPrefetchBytes + kCacheLineBytes);
    load();
  }

 private:
  void load() {
    if (at_ == end_) return;
    const std::uint64_t stored = stored_length(order_->layout(), at_, end_);
    word_ = read_word_(at_, key_length(order_->layout(), stored));
    stored_bytes_ = static_cast<std::size_t>(stored);
  }

  const RecordOrder* order_;
  WordReader read_word_;
  const std::byte* at_;
  const std::byte* end_;
  std::uint64_t word_ = 0;
  std::size_t stored_bytes_ = 0;
};

template <class Show>
void merge_records(const RecordOrder& order, std::span<const RunRange> ranges, std::span<std::byte> output,
                   const Show& show) {
  std::vector<RecordSource> sources;
  for (const RunRange range : ranges) {
    if (!range.empty()) sources.emplace_back(order, range);
  }
  if (sources.empty()) return;
  if (sources.size() == 1) {
    const std::byte* const records = sources[0].record().data();
    std::copy(records, sources[0].range_end(), output.begin());
    show(output);
    return;
  }
  LoserTree<RecordSource> tree(std::move(sources));
  std::byte* target = output.data();
  const std::byte* const target_end = target + output.size();
  const std::byte* shown_end = target;
  while (!tree.top().exhausted()) {
    const Record record = tree.top().record();
    copy_record(record, tree.top().range_end(), target, target_end);
    target += record.size();
    tree.advance();
    if (target - shown_end < kShownBytes && target != target_end) continue;
    show(std::span(shown_end, target));
    shown_end = target;
  }
}

// Runs merge_one(ranges, output) for every sub-window in parallel.
template <class MergeOne>
void merge_sub_windows(const RecordOrder& order, std::span<const RunRange> ranges, std::span<std::byte> output,
                       std::size_t wanted, const MergeOne& merge_one) {
  const std::vector<std::vector<std::size_t>> cuts = split_window(order, ranges, wanted);
  parallel_for(0, cuts.size() - 1, [&](std::size_t w) {
    std::vector<RunRange> parts(ranges.size());
    std::size_t begin = 0;
    std::size_t bytes = 0;
    for (std::size_t r = 0; r < ranges.size(); ++r) {
      parts[r] = ranges[r].subspan(cuts[w][r], cuts[w + 1][r] - cuts[w][r]);
      begin += cuts[w][r];
      bytes += parts[r].size();
    }
    merge_one(std::span<const RunRange>(parts), output.subspan(begin, bytes));
  });
}

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

void RecordWindowMerger::merge_into(std::span<const std::span<const std::byte>> ranges, std::span<std::byte> output,
                                    Show show) {
  const std::size_t threads = parallel_threads();
  const std::size_t wanted =
      std::clamp<std::size_t>(output.size() / kLeastSubWindowBytes, 1, threads * kSubWindowsPerThread);
  merge_sub_windows(order_, ranges, output, wanted, [&](std::span<const RunRange> parts, std::span<std::byte> part) {
    merge_records(order_, parts, part, show);
  });
}

template <class Code>
void NumberWindowMerger<Code>::merge_into(std::span<const std::span<const std::byte>> ranges,
                                          std::span<std::byte> output, Show show) {
  const std::size_t wanted = output.size() / kNumberSubWindowBytes + 1;
  merge_sub_windows(order_, ranges, output, wanted, [&](std::span<const RunRange> parts, std::span<std::byte> part) {
    auto* const codes = reinterpret_cast<Code*>(part.data());
    std::size_t count = 0;
    for (const RunRange range : parts) {
      for (std::size_t at = 0; at < range.size(); at += sizeof(Code)) {
        codes[count++] = codec_.encode(load_as<Code>(range.data() + at));
      }
    }
    vector_sort(std::span<Code>(codes, count));
    for (std::size_t i = 0; i < count; ++i) codes[i] = codec_.decode(codes[i]);
    if (count > 0) show(part);
  });
}

template class NumberWindowMerger<std::uint32_t>;
template class NumberWindowMerger<std::uint64_t>;

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

// What finishers that put records or states with equal keys together, or give each a form, have in common. The ranges
// of a slice are grouped in parallel, then put together in their order; the group that is open at the end waits for the
// next slice.
//
//   slice   | a a a b c c | c c c c c c | c d d e e e |   group_range() of each, in parallel
//             a..   b c..   ..c..         ..c d e..       add_range() of one after the other
//                                                         show_open_group() when another begins
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "pipeline/output/finisher.hpp"
#include "pipeline/output/part_writer.hpp"
#include "pipeline/scan/sorted_scan.hpp"
#include "record/record_scan.hpp"

namespace sortie {

/// Where long records made the text of a range longer, its memory is given back.
inline constexpr std::size_t kUsualRangeText = 2 << 20;

/// `Range` holds the groups of a range, and `bool in_order`. A finisher keeps them for later slices, with their memory.
template <class Range>
class RangeGrouping : public Finisher {
 public:
  void accept(std::span<std::byte> part) final {
    for_each_slice(scan_.layout(), std::span<const std::byte>(part), slice_bytes_of(part),
                   [this](std::span<const std::byte> slice) { add(slice); });
    setting_.tally.is_full = groups_left_ == 0;
  }

  void finish() final { show_open_group(); }

 protected:
  /// `stage`: what the observer is told that this does.
  RangeGrouping(OutputSetting& setting, const char* stage, bool finds_repeats)
      : setting_(setting),
        scan_(setting.codec, {.verify = setting.options.verify, .finds_repeats = finds_repeats}),
        groups_left_(setting.options.record_limit()),
        writer_(setting.output, setting.observer),
        stage_(stage) {}

  virtual Range new_range() const = 0;
  /// Several threads call it at once, each for a range of its own, which may hold groups of an earlier slice.
  virtual void group_range(const SortedRange& records, Range& range) const = 0;
  virtual void add_range(const SortedRange& records, Range& range) = 0;
  /// Does nothing if there is none.
  virtual void show_open_group() = 0;

  OutputSetting& setting_;
  SortedScan scan_;
  std::uint64_t groups_left_;  // how many more may be shown
  PartWriter writer_;

 private:
  void add(std::span<const std::byte> slice) {
    const auto span = setting_.observer.span(stage_, slice.size());
    const std::vector<SortedRange> records = scan_.cut(slice);
    while (ranges_.size() < records.size()) ranges_.push_back(new_range());
    parallel_for(0, records.size(), [&](std::size_t i) { group_range(records[i], ranges_[i]); });
    for (std::size_t i = 0; i < records.size(); ++i) {
      setting_.expect_order(ranges_[i].in_order);
      add_range(records[i], ranges_[i]);
    }
  }

  const char* stage_;
  std::vector<Range> ranges_;  // ranges of the current slice
};

}  // namespace sortie

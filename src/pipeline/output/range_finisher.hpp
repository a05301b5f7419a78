// The loop that all finishers share. A part is worked on slice by slice, the ranges of a slice in parallel. Finishers
// differ in what they make of a range, and of all ranges of a slice.
//
//   slice   | range | range | range |    work() on each range, in parallel
//                                        take() of all: written while the next slice is worked on
#pragma once

#include <cstddef>
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

/// What is made of a range.
struct FinishedRange {
  SortedRange records;
  bool in_order = true;
};

/// `Range` is a FinishedRange. It is kept for later slices, with its memory.
template <class Range>
class RangeFinisher : public Finisher {
 public:
  void accept(std::span<std::byte> part) final {
    const std::size_t bytes = slice_bytes(part);
    is_only_slice_ = part.size() <= bytes;
    if (take_early(part)) return;
    const auto take_all = [&] {
      for_each_slice(scan_.layout(), part, bytes, [this](std::span<std::byte> slice) { finish_slice(slice); });
    };
    writes_from_parts_ ? writer_.wait_after(take_all) : take_all();
  }

  void finish() override {}

 protected:
  /// `stage`: what the observer is told that this does. `writes_from_parts`: what is written lies in the parts, so that
  /// accept() waits for it.
  RangeFinisher(OutputContext& context, const char* stage, const SortedScan::Options& scan, bool writes_from_parts)
      : context_(context),
        scan_(context.codec, scan),
        writer_(context.output, context.observer),
        stage_(stage),
        writes_from_parts_(writes_from_parts) {}

  virtual std::size_t slice_bytes(std::span<const std::byte> part) const { return slice_bytes_of(part); }
  /// Returns what is left of the slice.
  virtual std::span<std::byte> begin(std::span<std::byte> slice) { return slice; }
  virtual std::vector<SortedRange> cut(std::span<const std::byte> slice) { return scan_.cut(slice); }
  virtual Range new_range() const = 0;
  /// Several threads call it at once, each for a range of its own, which may hold what was made of an earlier slice.
  virtual void work(std::span<std::byte> slice, Range& range) const = 0;
  /// Takes the ranges of a slice, which are in order.
  virtual void take(std::span<std::byte> slice, std::span<Range> ranges) = 0;

  /// Takes a part whose records have been looked at. Returns false if they have not all been.
  virtual bool take_early([[maybe_unused]] std::span<const std::byte> part) { return false; }

  /// Writes what lies in a slice, beside the next slice if there is one.
  void write_slice(std::span<const std::byte> bytes) {
    if (!bytes.empty()) is_only_slice_ ? writer_.write(bytes) : writer_.begin(bytes);
  }

  OutputContext& context_;
  SortedScan scan_;
  PartWriter writer_;

 private:
  void finish_slice(std::span<std::byte> slice) {
    slice = begin(slice);
    if (!slice.empty()) take(slice, worked_on(slice));
  }

  std::span<Range> worked_on(std::span<std::byte> slice) {
    const auto span = context_.observer.span(stage_, slice.size());
    const std::vector<SortedRange> records = cut(slice);
    while (ranges_.size() < records.size()) ranges_.push_back(new_range());
    parallel_for(0, records.size(), [&](std::size_t i) {
      ranges_[i].records = records[i];
      work(slice, ranges_[i]);
    });
    const std::span<Range> ranges = std::span(ranges_).first(records.size());
    for (const Range& range : ranges) context_.expect_order(range.in_order);
    return ranges;
  }

  const char* stage_;
  bool writes_from_parts_;
  bool is_only_slice_ = false;
  std::vector<Range> ranges_;  // of the current slice, and spare ones
};

}  // namespace sortie

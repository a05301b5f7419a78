// Decorated lines are written as they were before. Their keys are needed for the check and cut off before the lines are
// written, so a part is worked on slice by slice, each in its own memory and in one pass over it: the order is checked,
// duplicates are dropped, lines are counted and checksummed, keys are cut off.
//
//   part    | slice: write            |
//           | ... | slice: cut keys off (all threads) |
//
//   slice   | key line key line | key line key line | key line key line |   ranges, in parallel, each in its place;
//           | line line |       | line line |       | line line |       |   then the gaps are closed
//           | line line | line line | line line |

#include <cstring>

#include "base/parallel.hpp"
#include "pipeline/output/finisher.hpp"
#include "pipeline/output/part_writer.hpp"
#include "pipeline/scan/key_comparison.hpp"
#include "pipeline/scan/sorted_scan.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

class StripFinisher : public Finisher {
 public:
  explicit StripFinisher(OutputSetting& setting)
      : setting_(setting),
        codec_(setting.codec),
        limit_(codec_.input_format(), setting.options.record_limit(), setting.options.verify),
        scan_(codec_, {.verify = setting.options.verify, .finds_repeats = setting.options.unique}),
        writer_(setting.output, setting.observer) {}

  void accept(std::span<std::byte> part) override {
    if (part.size() <= slice_bytes_of(part)) {
      const std::span<const std::byte> lines = strip(part);
      if (!lines.empty()) writer_.write(lines);
      return;
    }
    writer_.wait_after([&] {
      for_each_slice(scan_.layout(), part, slice_bytes_of(part), [this](std::span<std::byte> slice) {
        const std::span<const std::byte> lines = strip(slice);
        if (!lines.empty()) writer_.begin(lines);
      });
    });
  }

  void finish() override {}

 private:
  struct Stripped {
    RecordTotals kept;
    RecordTotals dropped;
    std::vector<std::uint64_t> lengths;  // of the lines kept, if the output is limited
    bool in_order = true;
  };

  // Moves the lines that the output shows to the beginning of `slice` and returns them.
  std::span<std::byte> strip(std::span<std::byte> slice) {
    if (slice.empty()) return slice;
    const auto span = setting_.observer.span("cut keys off", slice.size());
    const std::vector<SortedRange> ranges = scan_.cut(slice);
    std::vector<Stripped> stripped(ranges.size());
    parallel_for(0, ranges.size(), [&](std::size_t i) { stripped[i] = strip_range(ranges[i], slice); });
    std::vector<std::span<std::byte>> kept;
    std::vector<std::uint64_t> lengths;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      setting_.expect_order(stripped[i].in_order, "lines");
      kept.push_back(in_part(slice, ranges[i]).first(static_cast<std::size_t>(stripped[i].kept.bytes)));
      lengths.insert(lengths.end(), stripped[i].lengths.begin(), stripped[i].lengths.end());
      kept_ += stripped[i].kept;
      dropped_ += stripped[i].dropped;
    }
    const std::span<std::byte> shown = limit_.apply(close_gaps(slice, kept), lengths);
    setting_.tally.written = kept_ - limit_.dropped();
    setting_.tally.dropped = dropped_ + limit_.dropped();
    setting_.tally.is_full = limit_.is_full();
    return shown;
  }

  Stripped strip_range(const SortedRange& range, std::span<std::byte> slice) const {
    Stripped stripped;
    std::byte* target = in_part(slice, range).data();
    stripped.in_order = scan_.visit_in_place(range, slice, [&](std::span<std::byte> decorated, bool repeats) {
      const Record line = codec_.restore(decorated);
      const RecordTotals totals = totals_of_one(line, setting_.options.verify);
      if (repeats) {
        stripped.dropped += totals;
        return;
      }
      stripped.kept += totals;
      if (limit_.is_limited()) stripped.lengths.push_back(line.size());
      std::memmove(target, line.data(), line.size());
      target += line.size();
    });
    return stripped;
  }

  OutputSetting& setting_;
  const RecordCodec& codec_;
  RecordLimit limit_;
  SortedScan scan_;
  RecordTotals kept_;
  RecordTotals dropped_;
  PartWriter writer_;
};

}  // namespace

std::unique_ptr<Finisher> make_strip_finisher(OutputSetting& setting) {
  return std::make_unique<StripFinisher>(setting);
}

}  // namespace sortie

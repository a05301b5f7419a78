// Encoded lines are written as they were before. Their keys are needed for the check and cut off before the lines are
// written, so a part is worked on slice by slice, each in its own memory and in one pass over it: the order is checked,
// duplicates are dropped, lines are counted and checksummed, keys are cut off.
//
//   part    | slice: write            |
//           | ... | slice: cut keys off (all threads) |
//
//   slice   | key line key line | key line key line | key line key line |   ranges, in parallel, each in its place;
//           | line line |       | line line |       | line line |       |   then the gaps are closed: in the output's
//           | line line | line line | line line |                           own memory, in parallel, if it has some

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "pipeline/output/range_finisher.hpp"
#include "pipeline/scan/key_comparison.hpp"

namespace sortie {
namespace {

struct StrippedRange : FinishedRange {
  RecordTotals kept;
  RecordTotals dropped;
  std::vector<std::uint64_t> lengths;  // of the lines kept, if the output is limited
};

class StripFinisher : public RangeFinisher<StrippedRange> {
 public:
  explicit StripFinisher(OutputContext& context)
      : RangeFinisher(context, "cut keys off",
                      {.verify = context.options.verify, .finds_repeats = context.options.unique}, true),
        limit_(context.codec.input_format(), context.options.record_limit(), context.options.verify),
        position_(context.options.header.size()) {}

 private:
  StrippedRange new_range() const override { return {}; }

  // Moves the lines that the output shows to the beginning of the range.
  void work(std::span<std::byte> slice, StrippedRange& range) const override {
    range.kept = range.dropped = {};
    range.lengths.clear();
    std::byte* target = in_part(slice, range.records).data();
    range.in_order = scan_.visit_in_place(range.records, slice, [&](std::span<std::byte> encoded, bool repeats) {
      const Record line = context_.codec.restore(encoded);
      const RecordTotals totals = totals_of_one(line, context_.options.verify);
      if (repeats) {
        range.dropped += totals;
        return;
      }
      range.kept += totals;
      if (limit_.is_limited()) range.lengths.push_back(line.size());
      std::memmove(target, line.data(), line.size());
      target += line.size();
    });
  }

  void take(std::span<std::byte> slice, std::span<StrippedRange> ranges) override {
    std::vector<std::span<std::byte>> lines;
    std::vector<std::uint64_t> lengths;
    for (const StrippedRange& range : ranges) {
      lines.push_back(in_part(slice, range.records).first(static_cast<std::size_t>(range.kept.bytes)));
      lengths.insert(lengths.end(), range.lengths.begin(), range.lengths.end());
      kept_ += range.kept;
      dropped_ += range.dropped;
    }
    const std::span<std::byte> placed = limit_.is_limited() ? std::span<std::byte>() : place(lines);
    const std::span<std::byte> shown = placed.empty() ? limit_.apply(close_gaps(slice, lines), lengths) : placed;
    context_.tally.written = kept_ - limit_.dropped();
    context_.tally.dropped = dropped_ + limit_.dropped();
    context_.tally.is_full = limit_.is_full();
    position_ += shown.size();
    if (placed.empty()) return write_slice(shown);
    writer_.wait();
    writer_.write(placed);
  }

  // Copies the lines to where they belong in the output, one behind the other; empty if it has no memory for them.
  std::span<std::byte> place(std::span<const std::span<std::byte>> lines) const {
    std::vector<std::size_t> begins(lines.size());
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) begins[i] = std::exchange(bytes, bytes + lines[i].size());
    const std::span<std::byte> room = context_.output.early_room(position_, bytes, false);
    if (room.empty()) return room;
    parallel_for(0, lines.size(), [&](std::size_t i) {
      if (!lines[i].empty()) std::memcpy(room.data() + begins[i], lines[i].data(), lines[i].size());
    });
    return room.first(bytes);
  }

  RecordLimit limit_;
  std::uint64_t position_;  // in the output
  RecordTotals kept_;
  RecordTotals dropped_;
};

}  // namespace

std::unique_ptr<Finisher> make_strip_finisher(OutputContext& context) {
  return std::make_unique<StripFinisher>(context);
}

}  // namespace sortie

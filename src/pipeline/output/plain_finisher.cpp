// Records are written as they are. They are checked meanwhile:
//
//   part ── drop duplicates, cut off ──┬── check (all threads)          ──┬── next part
//                                      └── write (thread of its own)    ──┘
//
// If an engine shows records while it makes their part, and none is to be dropped, both are done then. What is left is
// to look how one range follows another, and to write what the output could not take yet.

#include "pipeline/output/early_ranges.hpp"
#include "pipeline/output/range_finisher.hpp"
#include "pipeline/scan/repeat_filter.hpp"

namespace sortie {
namespace {

struct CheckedRange : FinishedRange {
  RecordTotals totals;
};

class PlainFinisher : public RangeFinisher<CheckedRange> {
 public:
  explicit PlainFinisher(OutputContext& context)
      : RangeFinisher(context, "check output", {.verify = context.options.verify, .is_strict = context.options.unique},
                      true),
        filter_(context.codec, context.options.verify),
        limit_(context.codec.sorted_format(), context.options.record_limit(), context.options.verify) {}

  bool looks() const override { return !context_.options.unique && !limit_.is_limited(); }

  void look(std::span<const std::byte> records, std::uint64_t position) override {
    const auto pieces = split_records(scan_.layout(), records, records.size() / kLookedBytes + 1);
    parallel_for(0, pieces.size(), [&](std::size_t i) {
      const auto offset = static_cast<std::uint64_t>(pieces[i].data() - records.data());
      early_.add(looked_at(pieces[i], position == kInTurn ? kInTurn : position + offset));
    });
  }

 private:
  /// More is looked at piece by piece, each of which stays in a core's cache, and by several threads.
  static constexpr std::size_t kLookedBytes = 1 << 20;

  CheckedRange new_range() const override { return {}; }
  std::size_t slice_bytes(std::span<const std::byte> part) const override { return part.size(); }

  // Moves the records that the output shows to the beginning of `part`, and begins to write them.
  std::span<std::byte> begin(std::span<std::byte> part) override {
    if (context_.options.unique) {
      const auto span = context_.observer.span("drop duplicates", part.size());
      part = filter_.apply(part);
    }
    part = limit_.apply(part);
    context_.tally.dropped = filter_.dropped() + limit_.dropped();
    context_.tally.is_full = limit_.is_full();
    if (is_shared(part)) writer_.begin(part);
    return part;
  }

  void work(std::span<std::byte>, CheckedRange& range) const override { check(range); }

  void check(CheckedRange& range) const {
    const SortedRange& records = range.records;
    const Format& format = context_.codec.sorted_format();
    const bool verify = context_.options.verify;
    if (!verify || scan_.takes_numbers()) {
      range.totals = range_totals(format, records.bytes, verify);
      range.in_order = !verify || scan_.first_disorder(records) == SortedScan::kInOrder;
      return;
    }
    range.totals = {};
    range.totals.bytes = records.bytes.size();
    range.in_order = scan_.visit(records, [&](Record record) {
      ++range.totals.records;
      range.totals.checksum += hash_record(record);
    });
  }

  void take(std::span<std::byte> part, std::span<CheckedRange> ranges) override {
    for (const CheckedRange& range : ranges) context_.tally.written += range.totals;
    if (!is_shared(part)) writer_.write(part);
  }

  EarlyRange looked_at(std::span<const std::byte> records, std::uint64_t position) {
    CheckedRange range;
    range.records = {.bytes = records};
    {
      const auto span = context_.observer.span("check output", records.size());
      check(range);
    }
    if (position == kInTurn || !context_.output.takes_early()) return {records, range.totals, range.in_order};
    auto span = context_.observer.span("write");
    const bool is_written = context_.output.write_early(position, records);
    if (is_written) span.set_bytes(records.size());
    return {records, range.totals, range.in_order, is_written};
  }

  bool take_early(std::span<const std::byte> part) override {
    const std::vector<EarlyRange> early = early_.take(part);
    std::vector<std::span<const std::byte>> pieces;
    pieces.reserve(early.size());
    for (const EarlyRange& range : early) pieces.push_back(range.records);
    const std::vector<SortedRange> ranges = scan_.join(pieces);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      context_.expect_order(ranges[i].follows_in_order && early[i].in_order);
      context_.tally.written += early[i].totals;
    }
    write_rest(early);
    return !early.empty();
  }

  // Writes what has not been written yet.
  void write_rest(std::span<const EarlyRange> early) {
    for (std::size_t i = 0; i < early.size();) {
      std::span<const std::byte> stretch = early[i].records;
      const bool is_written = early[i].is_written;
      while (++i < early.size() && early[i].is_written == is_written) {
        stretch = {stretch.data(), stretch.size() + early[i].records.size()};
      }
      is_written ? context_.output.pass_over(stretch.size()) : writer_.write(stretch);
    }
  }

  static bool is_shared(std::span<const std::byte> part) { return part.size() >= PartWriter::kLeastSharedBytes; }

  UniqueFilter filter_;
  RecordLimit limit_;
  EarlyRanges early_;
};

}  // namespace

std::unique_ptr<Finisher> make_plain_finisher(OutputContext& context) {
  return std::make_unique<PlainFinisher>(context);
}

}  // namespace sortie

// Records are written as they are. They are checked meanwhile:
//
//   part ── drop duplicates, cut off ──┬── check (all threads)          ──┬── next part
//                                      └── write (thread of its own)    ──┘

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

 private:
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

  void work(std::span<std::byte>, CheckedRange& range) const override {
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

  static bool is_shared(std::span<const std::byte> part) { return part.size() >= PartWriter::kLeastSharedBytes; }

  UniqueFilter filter_;
  RecordLimit limit_;
};

}  // namespace

std::unique_ptr<Finisher> make_plain_finisher(OutputContext& context) {
  return std::make_unique<PlainFinisher>(context);
}

}  // namespace sortie

// Records are written as they are. They are checked meanwhile:
//
//   part ── drop duplicates, cut off ──┬── check (all threads)          ──┬── next part
//                                      └── write (thread of its own)    ──┘

#include "base/parallel.hpp"
#include "pipeline/output/finisher.hpp"
#include "pipeline/output/part_writer.hpp"
#include "pipeline/scan/sorted_scan.hpp"
#include "pipeline/scan/unique_filter.hpp"

namespace sortie {
namespace {

struct Examination {
  RecordTotals totals;
  bool in_order = true;
};

class PlainFinisher : public Finisher {
 public:
  explicit PlainFinisher(OutputSetting& setting)
      : setting_(setting),
        filter_(setting.codec, setting.options.verify),
        limit_(setting.codec.sorted_format(), setting.options.record_limit(), setting.options.verify),
        scan_(setting.codec, {.is_strict = setting.options.unique}),
        writer_(setting.output, setting.observer) {}

  void accept(std::span<std::byte> part) override {
    part = select(part);
    if (part.empty()) return;
    if (part.size() < PartWriter::kLeastSharedBytes) {
      setting_.tally.written += check(part);
      writer_.write(part);
      return;
    }
    writer_.wait_after([&] {
      writer_.begin(part);
      setting_.tally.written += check(part);
    });
  }

  void finish() override {}

 private:
  // Moves the records that the output shows to the beginning of `part` and returns them.
  std::span<std::byte> select(std::span<std::byte> part) {
    if (setting_.options.unique) {
      const auto span = setting_.observer.span("drop duplicates", part.size());
      part = filter_.apply(part);
    }
    part = limit_.apply(part);
    setting_.tally.dropped = filter_.dropped() + limit_.dropped();
    setting_.tally.is_full = limit_.is_full();
    return part;
  }

  RecordTotals check(std::span<const std::byte> part) {
    const auto span = setting_.observer.span("check output", part.size());
    if (!setting_.options.verify) return totals_of(setting_.codec.sorted_format(), part, false);
    const Examination found = examine(part);
    setting_.expect_order(found.in_order);
    return found.totals;
  }

  Examination examine(std::span<const std::byte> part) {
    const std::vector<SortedRange> ranges = scan_.cut(part);
    const auto join = [](Examination a, const Examination& b) {
      a.totals += b.totals;
      a.in_order = a.in_order && b.in_order;
      return a;
    };
    return parallel_reduce(
        ranges.size(), Examination{},
        [&](std::size_t i, const Examination& sum) { return join(sum, examine_range(ranges[i])); }, join);
  }

  Examination examine_range(const SortedRange& range) const {
    if (scan_.takes_numbers()) {
      const RecordTotals totals = range_totals(setting_.codec.sorted_format(), range.bytes, true);
      return {totals, scan_.first_disorder(range) == SortedScan::kInOrder};
    }
    RecordTotals totals;
    totals.bytes = range.bytes.size();
    const bool in_order = scan_.visit(range, [&](Record record) {
      ++totals.records;
      totals.checksum += hash_record(record);
    });
    return {totals, in_order};
  }

  OutputSetting& setting_;
  UniqueFilter filter_;
  RecordLimit limit_;
  SortedScan scan_;
  PartWriter writer_;
};

}  // namespace

std::unique_ptr<Finisher> make_plain_finisher(OutputSetting& setting) {
  return std::make_unique<PlainFinisher>(setting);
}

}  // namespace sortie

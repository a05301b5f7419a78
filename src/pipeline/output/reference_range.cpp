#include "pipeline/output/reference_range.hpp"

#include <algorithm>
#include <cstdint>

#include "entries/refine_ties.hpp"
#include "pipeline/records/as_read.hpp"
#include "record/range_check.hpp"

namespace sortie {

// Reads one range, reference by reference.
class ReferenceRangeReader::Task {
 public:
  Task(const ReferenceRangeReader& reader, ReferenceRange& range)
      : reader_(reader),
        range_(range),
        finds_groups_(reader.options_.unique || (reader.orders_groups_ && !range.is_open)) {}

  void take(Record decorated) {
    const Record line = reader_.decorator_.undecorate(decorated);
    if (finds_groups_) {
      const bool repeats = before_.empty() ? range_.begins_with_duplicate : reader_.equal_keys_(before_, decorated);
      before_ = decorated;
      if (repeats && reader_.options_.unique) {
        range_.dropped += totals_of_one(line, reader_.options_.verify);
        return;
      }
      if (!repeats) {
        order_group();
        group_begin_ = range_.lines.size();
      }
    }
    const auto offset = static_cast<std::uint64_t>(line.data() - reader_.records_.bytes().data());
    range_.lines.push_back({make_location(offset, line.size()), 0});
  }

  void order_group() {
    if (reader_.options_.unique || !finds_groups_ || range_.lines.size() - group_begin_ < 2) return;
    const bool in_order = reader_.order_group(std::span(range_.lines).subspan(group_begin_));
    range_.in_order = range_.in_order && in_order;
  }

 private:
  const ReferenceRangeReader& reader_;
  ReferenceRange& range_;
  bool finds_groups_;
  Record before_;
  std::size_t group_begin_ = 0;  // index of the first line with the keys of the last one
};

void ReferenceRangeReader::read(ReferenceRange& range) const {
  range.lines.clear();
  range.pieces.clear();
  range.dropped = {};
  Task task(*this, range);
  if (options_.verify) {
    const RangeCheck check(order_, range.references, false);
    const std::size_t disorder = check.first_disorder(range.references, [&](Record record) { task.take(record); });
    range.in_order = range.in_order && disorder == RangeCheck::kInOrder;
  } else {
    for_each_record(order_.layout(), range.references, [&](const std::byte* record, std::uint64_t stored) {
      task.take({record, static_cast<std::size_t>(stored)});
    });
  }
  task.order_group();
  if (!range.is_open) cut_into_pieces(records_, range.lines, range.pieces);
}

bool ReferenceRangeReader::order_group(std::span<Entry> group) const {
  refine_group(records_, group, kBeforeFirstWord);
  if (!options_.verify) return true;
  return std::ranges::is_sorted(
      group, [this](const Entry& a, const Entry& b) { return records_.order().compare(records_[a], records_[b]) < 0; });
}

}  // namespace sortie

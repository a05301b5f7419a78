#include "pipeline/output/key_groups.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/parallel.hpp"
#include "pipeline/output/output_fault.hpp"
#include "pipeline/records/as_read.hpp"
#include "record/range_check.hpp"

namespace sortie {
namespace {

constexpr std::size_t kGroupRangeBytes = 256 << 10;
/// Least width of a count, without the blank that follows it.
constexpr std::size_t kCountWidth = 7;

void append(std::vector<std::byte>& text, std::span<const std::byte> bytes) {
  text.insert(text.end(), bytes.begin(), bytes.end());
}

void append_count(std::vector<std::byte>& text, std::uint64_t count) {
  char digits[24];
  const auto length = static_cast<std::size_t>(std::to_chars(digits, digits + sizeof(digits), count).ptr - digits);
  text.insert(text.end(), kCountWidth - std::min(kCountWidth, length), std::byte(' '));
  append(text, std::as_bytes(std::span(digits, length)));
  text.push_back(std::byte(' '));
}

}  // namespace

// Groups the records of one range, one by one. A group is closed when the next one begins.
class KeyGroups::RangeTask {
 public:
  RangeTask(const KeyGroups& groups, Range& range, std::uint64_t most_groups)
      : groups_(groups),
        range_(range),
        most_groups_(most_groups),
        group_(range.begins_within_group ? &range.first : nullptr) {}

  void take(Record record) {
    const RecordTotals totals = totals_of_one(as_read(groups_.decorator_, record, scratch_), groups_.options_.verify);
    range_.all += totals;
    if (!is_in_group(record)) begin_group();
    if (group_->count == 0 || groups_.options_.show_last) {
      group_->shown = record;
      group_->totals = totals;
    }
    ++group_->count;
    before_ = record;
  }

 private:
  // cut() has compared the first record of a range with the one before it.
  bool is_in_group(Record record) const {
    return before_.empty() ? group_ != nullptr : groups_.equal_keys_(before_, record);
  }

  void begin_group() {
    if (group_ == &range_.last) close_group();
    group_ = &range_.last;
    range_.last = {};
  }

  void close_group() {
    if (range_.kept.records == most_groups_) return;
    if (groups_.options_.show_count) append_count(range_.text, group_->count);
    append(range_.text, as_read(groups_.decorator_, group_->shown, scratch_));
    range_.kept += group_->totals;
  }

  const KeyGroups& groups_;
  Range& range_;
  std::uint64_t most_groups_;
  Group* group_;  // the group of the record before
  Record before_;
  std::vector<std::byte> scratch_;  // for one record
};

KeyGroups::KeyGroups(const RecordOrder& order, const LineDecorator* decorator, const Options& options)
    : order_(order),
      decorator_(decorator),
      equal_keys_(order, decorator),
      options_(options),
      seam_(order, false, decorator),
      groups_left_(options.most_groups) {}

void KeyGroups::add(std::span<const std::byte> part, const Consumer& show, bool checks_order) {
  cut(part);
  parallel_for(0, range_count_, [&](std::size_t i) { group_range(ranges_[i], groups_left_); });
  for (std::size_t i = 0; i < range_count_; ++i) {
    if (checks_order && !ranges_[i].in_order) throw_output_fault("the sorted records are not in order");
    add_range(ranges_[i], show);
  }
}

void KeyGroups::cut(std::span<const std::byte> part) {
  const auto pieces = split_records(order_.layout(), part, part.size() / kGroupRangeBytes + 1);
  range_count_ = pieces.size();
  if (ranges_.size() < range_count_) ranges_.resize(range_count_);
  for (std::size_t i = 0; i < range_count_; ++i) {
    Range& range = ranges_[i];
    range.bytes = pieces[i];
    range.in_order = !options_.verify || seam_.may_follow(pieces[i]);
    range.begins_within_group = seam_.repeats_key(pieces[i]);
    seam_.pass(pieces[i]);
  }
}

void KeyGroups::group_range(Range& range, std::uint64_t most_groups) const {
  range.first = {};
  range.last = {};
  range.text.clear();
  range.kept = {};
  range.all = {};
  RangeTask task(*this, range, most_groups);
  if (options_.verify) {
    const RangeCheck check(order_, range.bytes, false);
    const std::size_t disorder = check.first_disorder(range.bytes, [&](Record record) { task.take(record); });
    range.in_order = range.in_order && disorder == RangeCheck::kInOrder;
  } else {
    for_each_record(order_.layout(), range.bytes, [&](const std::byte* data, std::uint64_t stored) {
      task.take({data, static_cast<std::size_t>(stored)});
    });
  }
}

void KeyGroups::add_range(Range& range, const Consumer& show) {
  all_ += range.all;
  if (range.first.count > 0) extend_open_group(range.first);
  if (range.last.count == 0) return;
  show_open_group(show);
  if (range.kept.records > groups_left_) group_range(range, groups_left_);
  if (!range.text.empty()) show(range.text);
  kept_ += range.kept;
  groups_left_ -= range.kept.records;
  open_ = {};
  extend_open_group(range.last);
}

void KeyGroups::extend_open_group(const Group& group) {
  if (open_.count == 0 || options_.show_last) {
    std::vector<std::byte> scratch;
    const Record shown = as_read(decorator_, group.shown, scratch);
    open_shown_.assign(shown.begin(), shown.end());
    open_.totals = group.totals;
  }
  open_.count += group.count;
}

void KeyGroups::show_open_group(const Consumer& show) {
  if (open_.count == 0 || groups_left_ == 0) return;
  --groups_left_;
  kept_ += open_.totals;
  if (options_.show_count) {
    std::vector<std::byte> text;
    append_count(text, open_.count);
    show(text);
  }
  show(open_shown_);
}

}  // namespace sortie

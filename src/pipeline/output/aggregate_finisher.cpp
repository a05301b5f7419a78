// Groups are shown: states of neighbours with equal keys are put together, and each group becomes a record of text.

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/output/range_grouping.hpp"
#include "record/aggregate/group_state.hpp"

namespace sortie {
namespace {

/// The groups of one range.
struct AggregatedRange {
  explicit AggregatedRange(const GroupShape& shape) : first(shape), last(shape) {}

  GroupState first;                  // the rest of the group in which the range begins
  std::string text;                  // the groups between `first` and `last`, as shown
  std::vector<std::size_t> lengths;  // of what is shown of each of these, if the output is limited
  std::uint64_t groups = 0;          // how many these are
  RecordTotals records;              // of which they are made
  GroupState last;                   // may go on in the next range
  bool in_order = true;
};

class AggregateFinisher : public RangeGrouping<AggregatedRange> {
 public:
  explicit AggregateFinisher(OutputSetting& setting)
      : RangeGrouping(setting, "combine groups", true),
        decorator_(*setting.decorator),
        text_(*setting.options.group_text),
        open_(*decorator_.group_shape()) {}

 private:
  class RangeTask;

  AggregatedRange new_range() const override { return AggregatedRange(*decorator_.group_shape()); }
  void group_range(const SortedRange& records, AggregatedRange& range) const override;
  void add_range(const SortedRange& records, AggregatedRange& range) override;
  void show_open_group() override;
  void extend_open_group(const GroupState& group);
  void show(std::string_view text, std::uint64_t groups);

  const LineDecorator& decorator_;
  const GroupText& text_;
  GroupState open_;
  StateWriter state_;  // scratch
};

// Puts the states of one range together, one by one. A group is closed when the next one begins.
class AggregateFinisher::RangeTask {
 public:
  RangeTask(const AggregateFinisher& finisher, AggregatedRange& range)
      : decorator_(finisher.decorator_),
        text_(finisher.text_),
        is_limited_(finisher.setting_.options.most_records != 0),
        range_(range) {}

  void take(Record record, bool repeats) {
    if (!repeats) begin_group();
    group_->add(decorator_.group_state(record, scratch_));
  }

 private:
  void begin_group() {
    if (group_ == &range_.last) close_group();
    group_ = &range_.last;
  }

  void close_group() {
    const std::size_t begin = range_.text.size();
    text_.append(*group_, range_.text);
    if (is_limited_) range_.lengths.push_back(range_.text.size() - begin);
    ++range_.groups;
    range_.records += {group_->size().records, group_->size().bytes, {}};
    group_->clear();
  }

  const LineDecorator& decorator_;
  const GroupText& text_;
  bool is_limited_;
  AggregatedRange& range_;
  GroupState* group_ = &range_.first;  // the group of the state before
  std::vector<std::byte> scratch_;
};

void AggregateFinisher::group_range(const SortedRange& records, AggregatedRange& range) const {
  range.first.clear();
  range.last.clear();
  range.text.clear();
  range.lengths.clear();
  range.groups = 0;
  range.records = {};
  RangeTask task(*this, range);
  range.in_order = scan_.visit_repeats(records, [&](Record record, bool repeats) { task.take(record, repeats); });
}

void AggregateFinisher::add_range(const SortedRange& /*records*/, AggregatedRange& range) {
  if (!range.first.empty()) extend_open_group(range.first);
  if (range.last.empty()) return;
  show_open_group();
  setting_.tally.grouped += range.records;
  const std::uint64_t shown = std::min(range.groups, groups_left_);
  std::string_view text = range.text;
  if (shown < range.groups) {
    const auto cut = range.lengths.begin() + static_cast<std::ptrdiff_t>(shown);
    text = text.substr(0, std::accumulate(range.lengths.begin(), cut, std::size_t{0}));
  }
  show(text, shown);
  extend_open_group(range.last);
}

void AggregateFinisher::extend_open_group(const GroupState& group) {
  state_.clear();
  group.write(state_);
  open_.add({state_.bytes().data(), state_.bytes().size()});
}

void AggregateFinisher::show_open_group() {
  if (open_.empty()) return;
  setting_.tally.grouped += {open_.size().records, open_.size().bytes, {}};
  if (groups_left_ > 0) {
    std::string text;
    text_.append(open_, text);
    show(text, 1);
  }
  open_.clear();
}

void AggregateFinisher::show(std::string_view text, std::uint64_t groups) {
  if (groups == 0) return;
  groups_left_ -= groups;
  setting_.tally.written += {groups, text.size(), {}};
  writer_.write(std::as_bytes(std::span(text)));
}

}  // namespace

std::unique_ptr<Finisher> make_aggregate_finisher(OutputSetting& setting) {
  return std::make_unique<AggregateFinisher>(setting);
}

}  // namespace sortie

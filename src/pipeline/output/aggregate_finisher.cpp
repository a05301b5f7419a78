// Groups are shown: states of neighbours with equal keys are put together, and each group becomes a record of text.

#include <algorithm>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "base/release_memory.hpp"
#include "base/size.hpp"
#include "pipeline/output/range_finisher.hpp"
#include "record/aggregate/group_state.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie {
namespace {

/// The groups of a range may be so many times longer than their states: a sum has up to a thousand digits. Those of a
/// range that has more are shown one by one.
constexpr std::size_t kMostExpansion = 4;
constexpr std::size_t kLeastMostText = 1 << 20;

/// The record of a group that parts take lies in memory twice. It may be so long, a share of what a sort may take with
/// records as long as its texts: GroupText has each as often as it is asked for.
constexpr std::size_t kLeastMostFramed = 16 << 20;
constexpr std::size_t kFramedParts = 16;
constexpr std::size_t kFramedTexts = 8;

/// Groups as they are written: in frames if parts take them, else as text.
struct ShownGroups {
  struct Size {
    std::size_t written = 0;
    std::uint64_t shown = 0;  // without frames
  };

  std::string text;
  std::uint64_t count = 0;
  Size size;
  std::vector<Size> sizes;  // up to the end of each, if the output is limited
};

/// The groups of one range.
struct AggregatedRange : FinishedRange {
  explicit AggregatedRange(const GroupShape& shape) : first(shape), last(shape) {}

  GroupState first;          // the rest of the group in which the range begins
  ShownGroups between;       // those between `first` and `last`
  RecordTotals grouped;      // of which they are made
  GroupState last;           // may go on in the next range
  bool is_too_long = false;  // its groups have not been shown
};

class AggregateFinisher : public RangeFinisher<AggregatedRange> {
 public:
  explicit AggregateFinisher(OutputContext& context)
      : RangeFinisher(context, "combine groups", {.verify = context.options.verify, .finds_repeats = true}, false),
        codec_(context.codec),
        text_(*context.options.group_text),
        open_(*codec_.group_shape()),
        groups_left_(context.options.record_limit()),
        is_framed_(context.options.form == RecordForm::kFramed) {}

  void finish() override { show_open_group(); }

 private:
  class RangeTask;

  AggregatedRange new_range() const override { return AggregatedRange(*codec_.group_shape()); }
  void work(std::span<std::byte> slice, AggregatedRange& range) const override;
  void take(std::span<std::byte> slice, std::span<AggregatedRange> ranges) override;
  void add(AggregatedRange& range);
  void show_open_group();
  void extend_open_group(GroupState& group);
  void add_one_by_one(const SortedRange& records);
  void refuse_too_long(const GroupState& group) const;
  void show_in_pieces(const GroupState& group);
  void append(const GroupState& group, ShownGroups& groups) const;
  void show(const ShownGroups& groups);

  const RecordCodec& codec_;
  const GroupText& text_;
  GroupState open_;
  std::uint64_t groups_left_;  // how many more may be shown
  StateWriter state_;          // scratch
  bool is_framed_;
};

// Puts the states of one range together, one by one. A group is closed when the next one begins.
class AggregateFinisher::RangeTask {
 public:
  RangeTask(const AggregateFinisher& finisher, AggregatedRange& range, std::size_t range_bytes)
      : finisher_(finisher),
        codec_(finisher.codec_),
        range_(range),
        most_text_(std::max(kLeastMostText, kMostExpansion * range_bytes)) {}

  void take(Record record, bool repeats) {
    if (range_.is_too_long) return;
    if (!repeats) begin_group();
    group_->add(codec_.group_state(record, scratch_));
  }

 private:
  void begin_group() {
    if (group_ == &range_.last) close_group();
    group_ = &range_.last;
  }

  void close_group() {
    range_.is_too_long = range_.between.text.size() + group_->text_bytes() > most_text_;
    if (!range_.is_too_long) finisher_.append(*group_, range_.between);
    range_.grouped += {group_->size().records, group_->size().bytes, {}};
    group_->clear();
    range_.is_too_long = range_.is_too_long || range_.between.text.size() > most_text_;
  }

  const AggregateFinisher& finisher_;
  const RecordCodec& codec_;
  AggregatedRange& range_;
  GroupState* group_ = &range_.first;  // the group of the state before
  std::size_t most_text_;
  std::vector<std::byte> scratch_;
};

void AggregateFinisher::work(std::span<std::byte>, AggregatedRange& range) const {
  range.first.clear();
  range.last.clear();
  range.between.text.clear();
  range.between.sizes.clear();
  range.between.count = 0;
  range.between.size = {};
  range.grouped = {};
  range.is_too_long = false;
  RangeTask task(*this, range, range.records.bytes.size());
  range.in_order = scan_.visit_repeats(range.records, [&](Record record, bool repeats) { task.take(record, repeats); });
}

void AggregateFinisher::take(std::span<std::byte>, std::span<AggregatedRange> ranges) {
  for (AggregatedRange& range : ranges) add(range);
  context_.tally.is_full = groups_left_ == 0;
}

void AggregateFinisher::add(AggregatedRange& range) {
  if (range.is_too_long) return add_one_by_one(range.records);
  if (!range.first.empty()) extend_open_group(range.first);
  if (range.last.empty()) return;
  show_open_group();
  context_.tally.grouped += range.grouped;
  show(range.between);
  if (range.between.text.capacity() > kUsualRangeText) release_memory(range.between.text);
  extend_open_group(range.last);
}

// Takes what is in `group`.
void AggregateFinisher::extend_open_group(GroupState& group) {
  if (open_.empty()) {
    std::swap(open_, group);
  } else {
    group.write(state_);
    open_.add(state_.bytes());
    state_.clear();
  }
  group.clear();
}

void AggregateFinisher::add_one_by_one(const SortedRange& records) {
  std::vector<std::byte> scratch;
  scan_.visit_repeats(records, [&](Record record, bool repeats) {
    if (!repeats) show_open_group();
    open_.add(codec_.group_state(record, scratch));
  });
}

void AggregateFinisher::show_open_group() {
  if (open_.empty()) return;
  context_.tally.grouped += {open_.size().records, open_.size().bytes, {}};
  if (groups_left_ > 0) {
    if (is_framed_) refuse_too_long(open_);
    if (!is_framed_ && open_.text_bytes() > kLeastMostText) {
      show_in_pieces(open_);
    } else {
      ShownGroups group;
      append(open_, group);
      show(group);
    }
  }
  open_.clear();
}

void AggregateFinisher::refuse_too_long(const GroupState& group) const {
  const std::size_t most = std::max(
      {kLeastMostFramed, kFramedParts * context_.options.part_bytes, kFramedTexts * group.longest_text_bytes()});
  if (group.text_bytes() <= most) return;
  throw Error("the record of a group has " + format_size(group.text_bytes()) +
                  " of text, which is too long for an output in parts: ask for fewer aggregates, write one output, or "
                  "raise the memory budget",
              Remedy::kMoreMemory);
}

void AggregateFinisher::show_in_pieces(const GroupState& group) {
  std::string text;
  std::uint64_t shown = 0;
  const auto write = [&] {
    writer_.write(std::as_bytes(std::span(text)));
    shown += text.size();
    text.clear();
  };
  text_.append(group, text, [&] {
    if (text.size() > kLeastMostText) write();
  });
  write();
  --groups_left_;
  context_.tally.written += {1, shown, {}};
}

void AggregateFinisher::append(const GroupState& group, ShownGroups& groups) const {
  std::string& text = groups.text;
  const std::size_t frame = text.size();
  if (group.text_bytes() > kLeastMostText) text.reserve(frame + group.text_bytes() + kLeastMostText);
  if (is_framed_) text.append(PrefixedHeader::kBytes, '\0').append(group.key_texts());
  const std::size_t begin = text.size();
  text_.append(group, text);
  const std::size_t shown = text.size() - begin;
  if (is_framed_) {
    PrefixedHeader::of(group.key_texts().size(), shown).store(reinterpret_cast<std::byte*>(text.data() + frame));
  }
  ++groups.count;
  groups.size.written = text.size();
  groups.size.shown += shown;
  if (context_.options.most_records != 0) groups.sizes.push_back(groups.size);
}

void AggregateFinisher::show(const ShownGroups& groups) {
  const std::uint64_t count = std::min(groups.count, groups_left_);
  if (count == 0) return;
  const ShownGroups::Size size = count < groups.count ? groups.sizes[static_cast<std::size_t>(count) - 1] : groups.size;
  groups_left_ -= count;
  context_.tally.written += {count, size.shown, {}};
  writer_.write(std::as_bytes(std::span(groups.text)).first(size.written));
}

}  // namespace

std::unique_ptr<Finisher> make_aggregate_finisher(OutputContext& context) {
  return std::make_unique<AggregateFinisher>(context);
}

}  // namespace sortie

// One of the sorted records is written for each group of equal keys, or for those that have several or only one, with
// its count if wanted: for --count, --keep, --dropped, --repeated and --only-once, and where inputs are sets, so that
// dropping duplicates in place is not enough. Another sort may take it with its keys or its position in front: it may
// take all records so, of which each is a group of its own then.

#include "base/release_memory.hpp"
#include "pipeline/output/range_finisher.hpp"
#include "pipeline/output/record_shape.hpp"
#include "pipeline/scan/key_comparison.hpp"

namespace sortie {
namespace {

struct KeyGroup {
  Record shown;         // still encoded, if lines are
  RecordTotals totals;  // those of the shown record, as it was read
  std::uint64_t count = 0;
  GroupInputs inputs;              // where inputs are sets
  BestOfEqual::Key best_key = {};  // of the shown record, once it has been compared
  // Where it is told which records are dropped for which:
  std::uint64_t place = 0;                  // of the shown record
  std::vector<std::uint64_t> members = {};  // places of all, if there are several

  void clear() {
    std::vector<std::uint64_t> kept = std::move(members);
    kept.clear();
    *this = {};
    members = std::move(kept);
  }
};

/// Which records of closed groups are dropped for which: groups one behind the other, each with its size and the place
/// of the record that is kept in front.
class DroppedGroups {
 public:
  void clear() { words_.clear(); }
  void add(const KeyGroup& group) {
    words_.push_back(group.members.size());
    words_.push_back(group.place);
    words_.insert(words_.end(), group.members.begin(), group.members.end());
  }
  void tell(DroppedReport& report) const {
    for (std::span<const std::uint64_t> rest = words_; !rest.empty();) {
      const auto count = static_cast<std::size_t>(rest[0]);
      report.add_group(rest.subspan(2, count), rest[1]);
      rest = rest.subspan(2 + count);
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

bool is_shown(const KeyGroup& group, const OutputOptions& options) {
  if (options.sets) return options.sets->shows(group.inputs);
  const KeyFilter filter = options.key_filter;
  return filter == KeyFilter::kAll || (group.count > 1) == (filter == KeyFilter::kRepeated);
}

/// The groups of a range.
struct GroupRange : FinishedRange {
  KeyGroup first;               // the rest of the group in which the range begins
  std::vector<std::byte> text;  // the groups between `first` and `last`, as shown
  RecordTotals kept;            // totals of the records in the text
  KeyGroup last;                // may go on in the next range
  RecordTotals all;
  DroppedGroups dropped;
};

class GroupFinisher : public RangeFinisher<GroupRange> {
 public:
  explicit GroupFinisher(OutputContext& context)
      : RangeFinisher(context, context.options.forms_all() ? "put keys in front" : "drop duplicates",
                      {.verify = context.options.verify, .finds_repeats = !context.options.forms_all()}, false),
        shape_(context.codec, context.options),
        groups_left_(context.options.record_limit()) {}

  void finish() override { show_open_group(); }

 private:
  class RangeTask;

  GroupRange new_range() const override { return {}; }
  void work(std::span<std::byte> slice, GroupRange& range) const override;
  void take(std::span<std::byte> slice, std::span<GroupRange> ranges) override;
  void add(std::span<std::byte> slice, GroupRange& range);
  void show_open_group();
  void extend_open_group(const KeyGroup& group);
  bool is_better_than_open(const KeyGroup& group);
  void count_kept(const RecordTotals& totals);

  RecordShape shape_;
  std::uint64_t groups_left_;  // how many more may be shown
  KeyGroup open_;
  std::vector<std::byte> open_shown_;  // the record that it shows, still encoded if lines are
};

// Groups the records of one range, one by one. A group is closed when the next one begins.
class GroupFinisher::RangeTask {
 public:
  RangeTask(const GroupFinisher& finisher, GroupRange& range, bool begins_within_group)
      : codec_(finisher.context_.codec),
        shape_(finisher.shape_),
        options_(finisher.context_.options),
        most_groups_(finisher.groups_left_),
        range_(range),
        group_(begins_within_group ? &range.first : nullptr) {}

  void take(Record record, bool repeats) {
    const Record original = codec_.original(record, scratch_);
    const RecordTotals totals = totals_of_one(original, options_.verify);
    range_.all += totals;
    if (options_.forms_all()) return show_at_once(record, original, totals);
    if (!repeats) begin_group();
    const bool is_kept = group_->count == 0 || options_.keep_last || is_better(original);
    if (options_.dropped != nullptr) note_place(codec_.position(record), is_kept);
    if (is_kept) {
      group_->shown = record;
      group_->totals = totals;
    }
    ++group_->count;
    if (options_.sets) group_->inputs.add(options_.sets->input_of(codec_.position(record)));
  }

 private:
  // Whether a record, as it was read, takes the place of the one that is kept so far.
  bool is_better(Record original) {
    if (options_.best == nullptr) return false;
    if (group_->best_key.empty()) {
      group_->best_key = options_.best->key_of(codec_.original(group_->shown, shown_scratch_), encoded_);
    }
    BestOfEqual::Key key = options_.best->key_of(original, encoded_);
    if (!BestOfEqual::is_better(key, group_->best_key)) return false;
    group_->best_key = std::move(key);
    return true;
  }

  void note_place(std::uint64_t place, bool is_kept) {
    if (group_->count == 1) group_->members.push_back(group_->place);
    if (group_->count > 0) group_->members.push_back(place);
    if (is_kept) group_->place = place;
  }

  void begin_group() {
    if (group_ == &range_.last) close_group();
    group_ = &range_.last;
    range_.last.clear();
  }

  void show_at_once(Record record, Record original, const RecordTotals& totals) {
    if (range_.kept.records == most_groups_) return;
    shape_.append(record, original, 1, range_.text);
    range_.kept += totals;
  }

  void close_group() {
    if (range_.kept.records == most_groups_ || !is_shown(*group_, options_)) return;
    shape_.append(group_->shown, group_->count, range_.text, scratch_);
    range_.kept += group_->totals;
    if (!group_->members.empty()) range_.dropped.add(*group_);
  }

  const RecordCodec& codec_;
  const RecordShape& shape_;
  const OutputOptions& options_;
  std::uint64_t most_groups_;
  GroupRange& range_;
  KeyGroup* group_;                 // the group of the record before
  std::vector<std::byte> scratch_;  // for one record
  std::vector<std::byte> shown_scratch_;
  EncodedLines encoded_;
};

void GroupFinisher::work(std::span<std::byte>, GroupRange& range) const {
  range.first.clear();
  range.last.clear();
  range.dropped.clear();
  range.text.clear();
  range.kept = {};
  range.all = {};
  RangeTask task(*this, range, range.records.begins_with_repeat);
  range.in_order = scan_.visit_repeats(range.records, [&](Record record, bool repeats) { task.take(record, repeats); });
}

void GroupFinisher::take(std::span<std::byte> slice, std::span<GroupRange> ranges) {
  for (GroupRange& range : ranges) add(slice, range);
  context_.tally.is_full = groups_left_ == 0;
}

// Ranges are worked on before it is known how many records those in front of them show.
void GroupFinisher::add(std::span<std::byte> slice, GroupRange& range) {
  context_.tally.dropped += range.all;
  if (range.first.count > 0) extend_open_group(range.first);
  if (range.last.count > 0) show_open_group();
  if (range.kept.records > groups_left_) work(slice, range);
  if (context_.options.dropped != nullptr) range.dropped.tell(*context_.options.dropped);
  if (!range.text.empty()) writer_.write(range.text);
  if (range.text.capacity() > kUsualRangeText) release_memory(range.text);
  count_kept(range.kept);
  groups_left_ -= range.kept.records;
  if (range.last.count == 0) return;
  open_.clear();
  extend_open_group(range.last);
}

void GroupFinisher::extend_open_group(const KeyGroup& group) {
  const bool is_kept = open_.count == 0 || context_.options.keep_last || is_better_than_open(group);
  if (DroppedReport* const report = context_.options.dropped) {
    report->add_members(group.count == 1 ? std::span(&group.place, 1) : std::span(group.members));
  }
  if (is_kept) {
    open_shown_.assign(group.shown.begin(), group.shown.end());
    open_.totals = group.totals;
    open_.best_key = group.best_key;
    open_.place = group.place;
  }
  open_.count += group.count;
  open_.inputs.append(group.inputs);
}

// Only the beginning of a group is open without a key by which its record was chosen.
bool GroupFinisher::is_better_than_open(const KeyGroup& group) {
  const BestOfEqual* const best = context_.options.best;
  if (best == nullptr) return false;
  EncodedLines encoded;
  std::vector<std::byte> scratch;
  if (open_.best_key.empty()) {
    open_.best_key = best->key_of(context_.codec.original(open_shown_, scratch), encoded);
  }
  const BestOfEqual::Key key =
      group.best_key.empty() ? best->key_of(context_.codec.original(group.shown, scratch), encoded) : group.best_key;
  return BestOfEqual::is_better(key, open_.best_key);
}

void GroupFinisher::show_open_group() {
  if (open_.count == 0 || groups_left_ == 0 || !is_shown(open_, context_.options)) return;
  --groups_left_;
  if (DroppedReport* const report = context_.options.dropped) report->close_group(open_.place);
  count_kept(open_.totals);
  std::vector<std::byte> text;
  std::vector<std::byte> scratch;
  shape_.append(open_shown_, open_.count, text, scratch);
  writer_.write(text);
}

// Counts records as written that were counted as dropped.
void GroupFinisher::count_kept(const RecordTotals& totals) {
  context_.tally.written += totals;
  context_.tally.dropped = context_.tally.dropped - totals;
}

}  // namespace

std::unique_ptr<Finisher> make_group_finisher(OutputContext& context) {
  return std::make_unique<GroupFinisher>(context);
}

}  // namespace sortie

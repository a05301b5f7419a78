#include "pipeline/scan/repeat_filter.hpp"

#include <cstring>
#include <vector>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "base/release_memory.hpp"
#include "pipeline/scan/key_comparison.hpp"
#include "record/aggregate/group_state.hpp"

namespace sortie {
namespace {

// Moves numbers that differ from the one before them to the front, without branches. Returns the bytes they take.
// Numbers with equal keys have equal bits. `begins_with_repeat`: the first number is that of the range before.
template <class Word>
std::size_t keep_changes(std::span<std::byte> numbers, bool begins_with_repeat) {
  const auto first = load_as<Word>(numbers.data());
  auto previous = begins_with_repeat ? first : static_cast<Word>(~first);
  std::size_t kept = 0;
  for (std::size_t at = 0; at < numbers.size(); at += sizeof(Word)) {
    const auto number = load_as<Word>(numbers.data() + at);
    store_as(numbers.data() + kept, number);
    kept += number != previous ? sizeof(Word) : 0;
    previous = number;
  }
  return kept;
}

/// The memory of a longer state is given back.
constexpr std::size_t kUsualLineBytes = 64 << 10;

// Takes the states of a range one by one. Nothing is written before a group is complete, and then only where it lay, or
// in front of that. Sums have more digits than their addends, so that a state may be longer than those that it would
// replace: then these stay.
//
//   range   | key state | key state | key state | other key state |
//           | key state of all three |  | other key state |
class GroupCombining {
 public:
  GroupCombining(const RecordCodec& codec, std::byte* target)
      : codec_(codec), target_(target), combined_(*codec.group_shape()) {}

  void take(std::span<std::byte> record, bool repeats) {
    if (!repeats) close_group();
    if (members_ == 0) {
      group_ = record;
      first_bytes_ = record.size();
    } else {
      if (members_ == 1) add(Record(group_));
      add(record);
      group_ = {group_.data(), group_.size() + record.size()};
    }
    ++members_;
  }

  void close_group() {
    if (members_ > 1) {
      state_.clear();
      combined_.write(state_);
      codec_.put_group_state(Record(group_).first(first_bytes_), state_, line_);
      if (line_.size() <= group_.size()) {
        dropped_ += members_ - 1;
        std::memcpy(group_.data(), line_.data(), line_.size());
        group_ = group_.first(line_.size());
      }
      combined_.clear();
      state_.clear();
      if (line_.capacity() > kUsualLineBytes) release_memory(line_);
    }
    if (!group_.empty() && target_ != group_.data()) std::memmove(target_, group_.data(), group_.size());
    target_ += group_.size();
    group_ = {};
    members_ = 0;
  }

  std::byte* target() const { return target_; }
  std::uint64_t dropped() const { return dropped_; }

 private:
  void add(Record record) { combined_.add(codec_.group_state(record, scratch_)); }

  const RecordCodec& codec_;
  std::byte* target_;
  std::span<std::byte> group_;  // the records of the open group
  std::size_t first_bytes_ = 0;
  std::uint64_t members_ = 0;
  std::uint64_t dropped_ = 0;
  GroupState combined_;  // of all members if there are several
  StateWriter state_;
  std::vector<std::byte> line_;
  std::vector<std::byte> scratch_;
};

// Combines neighbours with equal keys, in place. A range combines what lies within it alone; what is left of a group in
// several is combined in merges, and at the output.
class GroupCombiner final : public RepeatFilter {
 public:
  /// Precondition: the lines are grouped.
  explicit GroupCombiner(const RecordCodec& codec) : RepeatFilter(codec, "combine groups") {}

 private:
  Filtered filter(const SortedRange& range, std::span<std::byte> part) const override {
    const std::span<std::byte> bytes = in_part(part, range);
    GroupCombining task(codec_, bytes.data());
    scan().visit_in_place(range, part, [&](std::span<std::byte> record, bool repeats) { task.take(record, repeats); });
    task.close_group();
    Filtered filtered;
    filtered.kept = bytes.first(static_cast<std::size_t>(task.target() - bytes.data()));
    filtered.dropped.records = task.dropped();
    return filtered;
  }
};

}  // namespace

std::span<std::byte> RepeatFilter::apply(std::span<std::byte> part) {
  const std::vector<SortedRange> ranges = scan_.cut(part);
  std::vector<std::span<std::byte>> kept(ranges.size());
  std::vector<RecordTotals> dropped(ranges.size());
  parallel_for(0, ranges.size(), [&](std::size_t i) {
    const Filtered filtered = filter(ranges[i], part);
    kept[i] = filtered.kept;
    dropped[i] = filtered.dropped;
  });
  for (const RecordTotals& totals : dropped) dropped_ += totals;
  return close_gaps(part, kept);
}

RepeatFilter::Filtered UniqueFilter::filter_records(const SortedRange& range, std::span<std::byte> part) const {
  const std::span<std::byte> bytes = in_part(part, range);
  std::byte* target = bytes.data();
  RecordTotals dropped;
  scan().visit_in_place(range, part, [&](std::span<std::byte> record, bool repeats) {
    if (repeats) {
      dropped += totals_of_one(codec_.restore(record), checksum_);
      return;
    }
    if (target != record.data()) std::memmove(target, record.data(), record.size());
    target += record.size();
  });
  return {bytes.first(static_cast<std::size_t>(target - bytes.data())), dropped};
}

RepeatFilter::Filtered UniqueFilter::filter_numbers(const SortedRange& range, std::span<std::byte> part) const {
  const std::span<std::byte> bytes = in_part(part, range);
  if (!range.begins_with_repeat && !find_number_disorder(codec_.order(), bytes, true)) return {bytes, {}};
  const RecordTotals whole = range_totals(codec_.sorted_format(), bytes, checksum_);
  const std::size_t kept_bytes = scan().layout().record_bytes == 4
                                     ? keep_changes<std::uint32_t>(bytes, range.begins_with_repeat)
                                     : keep_changes<std::uint64_t>(bytes, range.begins_with_repeat);
  const std::span<std::byte> kept = bytes.first(kept_bytes);
  return {kept, whole - range_totals(codec_.sorted_format(), kept, checksum_)};
}

std::unique_ptr<RepeatFilter> make_repeat_filter(const RecordCodec& codec, Repeats repeats, bool checksum) {
  if (repeats == Repeats::kCombined) return std::make_unique<GroupCombiner>(codec);
  return repeats == Repeats::kDropped ? std::make_unique<UniqueFilter>(codec, checksum) : nullptr;
}

}  // namespace sortie

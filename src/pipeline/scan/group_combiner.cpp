#include "pipeline/scan/group_combiner.hpp"

#include <cstring>
#include <vector>

#include "base/release_memory.hpp"
#include "record/aggregate/group_state.hpp"

namespace sortie {
namespace {

/// The memory of a longer state is given back.
constexpr std::size_t kUsualLineBytes = 64 << 10;

}  // namespace

// Takes the states of a range one by one. Nothing is written before a group is complete, and then only where it lay, or
// in front of that.
class GroupCombiner::RangeTask {
 public:
  RangeTask(const RecordCodec& codec, std::byte* target)
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

RepeatFilter::Filtered GroupCombiner::filter(const SortedRange& range, std::span<std::byte> part) const {
  const std::span<std::byte> bytes = in_part(part, range);
  RangeTask task(codec_, bytes.data());
  scan().visit_in_place(range, part, [&](std::span<std::byte> record, bool repeats) { task.take(record, repeats); });
  task.close_group();
  Filtered filtered;
  filtered.kept = bytes.first(static_cast<std::size_t>(task.target() - bytes.data()));
  filtered.dropped.records = task.dropped();
  return filtered;
}

}  // namespace sortie

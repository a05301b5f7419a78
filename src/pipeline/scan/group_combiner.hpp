// Combines the states of groups on the way into runs: neighbours with equal keys become one state, in place. It stands
// where that of the first was, and the position of the first is its own.
//
//   range   | key state | key state | key state | other key state |
//           | key state of all three |  | other key state |
//
// A range combines what lies within it alone; what is left of a group in several is combined in merges, and at the
// output. Sums have more digits than their addends, so that a state may be longer than those that it would replace:
// then these stay.
#pragma once

#include "pipeline/scan/repeat_filter.hpp"

namespace sortie {

class GroupCombiner final : public RepeatFilter {
 public:
  /// Precondition: the lines are grouped. `codec` must outlive this.
  explicit GroupCombiner(const RecordCodec& codec) : RepeatFilter(codec, "combine groups") {}

 private:
  class RangeTask;

  Filtered filter(const SortedRange& range, std::span<std::byte> part) const override;
};

}  // namespace sortie

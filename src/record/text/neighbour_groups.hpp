// Neighbouring lines with equal keys become one state when they are read, where equal keys come one behind the other:
// in inputs of a merge. States come in the order of their first lines, and each holds the lines in front of the next
// state's first one. Used by the reader of encoded lines.
//
//   lines    | a | a | a | b | c | c |
//   states   | a: 3 lines | b | c: 2 lines |
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/aggregate/group_state.hpp"
#include "record/text/encoded_lines.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

class NeighbourGroups {
 public:
  /// `codec` must outlive this. Precondition: its lines are grouped, and do not collate.
  explicit NeighbourGroups(const RecordCodec& codec) : codec_(codec), state_(*codec.group_shape()) {}

  /// Adds a line to the open group. If it has another key, that group is appended to `out`, and the line opens the
  /// next.
  void add(Record line, std::uint64_t position, EncodedLines& out);

  /// Appends the open group to `out`. Returns the number of encoded lines since the last call.
  std::uint64_t empty_into(EncodedLines& out);

 private:
  void close_group(EncodedLines& out);

  const RecordCodec& codec_;
  GroupState state_;             // of the open group; empty if there is none
  std::vector<std::byte> head_;  // its key, and the position of its first line
  std::size_t key_bytes_ = 0;
  std::vector<std::byte> next_head_;
  std::uint64_t encoded_lines_ = 0;
};

}  // namespace sortie

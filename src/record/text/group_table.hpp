// Lines with equal keys that come near one another become one state when they are read, long before they are sorted:
// a table of open groups takes lines until it is emptied. Used by the reader of encoded lines.
//
//   lines    | a | b | a | c | b | a |
//   table    | a: 3 lines | b: 2 lines | c |        in the order of the first lines
//   states   | key a, position, state | key b, position, state | key c, position, state |
//
// What does not fit into the table is encoded line by line. Lines of one key go one way or the other until the table
// is emptied, so that states of one key come in the order of their lines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/aggregate/group_state.hpp"
#include "record/text/encoded_lines.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

class GroupTable {
 public:
  /// `codec` must outlive this. Precondition: its lines are grouped, and do not collate.
  explicit GroupTable(const RecordCodec& codec) : codec_(codec) {}

  /// Adds a line to its group, or appends it to `out`, encoded.
  void add(Record line, std::uint64_t position, EncodedLines& out);

  /// Appends the groups to `out` and forgets them. Returns the number of encoded lines since it was empty.
  std::uint64_t empty_into(EncodedLines& out);

 private:
  struct Group {
    explicit Group(const GroupShape& shape) : state(shape) {}

    std::vector<std::byte> head;  // key and position of the first line
    std::size_t key_bytes = 0;
    GroupState state;
  };

  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t group = 0;  // its number, from 1; 0: none
  };

  /// States of so many groups stay in a core's cache.
  static constexpr std::size_t kMostGroups = 2048;
  static constexpr std::size_t kSlots = 4 * kMostGroups;

  Slot& slot_of(Record key, std::uint32_t hash);

  const RecordCodec& codec_;
  std::array<Slot, kSlots> slots_{};
  std::vector<Group> groups_;  // they keep their memory
  std::size_t group_count_ = 0;
  std::uint64_t lines_beside_ = 0;  // that found no room
};

}  // namespace sortie

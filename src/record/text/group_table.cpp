#include "record/text/group_table.hpp"

#include <cstring>
#include <functional>
#include <string_view>
#include <utility>

namespace sortie {
namespace {

/// Longer keys would lie in memory several times more, and hardly repeat within a range.
constexpr std::size_t kLongHead = 64 << 10;

std::uint32_t hash_of(Record key) {
  return static_cast<std::uint32_t>(
      std::hash<std::string_view>{}({reinterpret_cast<const char*>(key.data()), key.size()}));
}

}  // namespace

void GroupTable::add(Record line, std::uint64_t position, EncodedLines& out) {
  const std::size_t begin = out.size();
  const std::size_t key_bytes = codec_.append_group_head(line, position, out);
  const Record head = out.bytes().subspan(begin);
  const Record key = head.first(key_bytes);
  if (head.size() > kLongHead) {
    ++lines_beside_;
    return codec_.append_line_state(line, out);
  }
  const std::uint32_t hash = hash_of(key);
  Slot& slot = slot_of(key, hash);
  if (slot.group == 0) {
    if (group_count_ == kMostGroups) {
      ++lines_beside_;
      return codec_.append_line_state(line, out);
    }
    if (groups_.size() == group_count_) groups_.emplace_back(*codec_.group_shape());
    Group& group = groups_[group_count_++];
    slot = {hash, static_cast<std::uint32_t>(group_count_)};
    group.head.assign(head.begin(), head.end());
    group.key_bytes = key_bytes;
    group.state.clear();
  }
  out.cut_to(begin);
  codec_.add_line(line, groups_[slot.group - 1].state, out);
}

// The one that has the group of the key, or the free one where it belongs. There are always free ones.
GroupTable::Slot& GroupTable::slot_of(Record key, std::uint32_t hash) {
  for (std::size_t at = hash % kSlots;; at = (at + 1) % kSlots) {
    Slot& slot = slots_[at];
    if (slot.group == 0) return slot;
    if (slot.hash != hash) continue;
    const Group& group = groups_[slot.group - 1];
    if (group.key_bytes == key.size() && std::memcmp(group.head.data(), key.data(), key.size()) == 0) return slot;
  }
}

std::uint64_t GroupTable::empty_into(EncodedLines& out) {
  for (std::size_t i = 0; i < group_count_; ++i) codec_.append_group(groups_[i].head, groups_[i].state, out);
  slots_.fill({});
  return std::exchange(group_count_, 0) + std::exchange(lines_beside_, 0);
}

}  // namespace sortie

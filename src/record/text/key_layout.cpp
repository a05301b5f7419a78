#include "record/text/key_layout.hpp"

#include <cassert>
#include <cstring>

#include "record/text/tie_rank.hpp"

namespace sortie {

void KeyLayout::add(std::byte end_mark, bool is_collated) {
  if (is_collated) collated_.push_back(keys_.size());
  keys_.push_back({end_mark, is_collated});
}

std::size_t KeyLayout::behind_mark(Record line, std::size_t at, std::size_t key) const {
  const void* const mark = std::memchr(line.data() + at, std::to_integer<int>(keys_[key].end_mark), line.size() - at);
  assert(mark != nullptr);
  return static_cast<std::size_t>(static_cast<const std::byte*>(mark) + 1 - line.data());
}

std::size_t KeyLayout::behind_key(std::size_t behind_mark, std::size_t key) const {
  return behind_mark + (keys_[key].is_collated ? kRankBytes : 0);
}

std::size_t KeyLayout::behind_keys(Record line, std::size_t count) const {
  std::size_t at = 0;
  for (std::size_t key = 0; key < count; ++key) at = behind_key(behind_mark(line, at, key), key);
  return at;
}

std::size_t KeyLayout::rank_offset(Record line, std::size_t rank) const {
  const std::size_t key = collated_[rank];
  return behind_mark(line, behind_keys(line, key), key);
}

}  // namespace sortie

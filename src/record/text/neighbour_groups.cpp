#include "record/text/neighbour_groups.hpp"

#include <cstring>
#include <utility>

namespace sortie {
namespace {

/// Longer lines would lie in memory several times more: they stay by themselves.
constexpr std::size_t kLongLineBytes = 16 << 10;

}  // namespace

void NeighbourGroups::add(Record line, std::uint64_t position, EncodedLines& out) {
  if (line.size() > kLongLineBytes) {
    close_group(out);
    codec_.append_group_head(line, position, out);
    codec_.append_line_state(line, out);
    ++encoded_lines_;
    return;
  }
  const std::size_t begin = out.size();
  const std::size_t key_bytes = codec_.append_group_head(line, position, out);
  const Record head = out.bytes().subspan(begin);
  const bool goes_on =
      !state_.empty() && key_bytes == key_bytes_ && std::memcmp(head_.data(), head.data(), key_bytes) == 0;
  if (!goes_on) next_head_.assign(head.begin(), head.end());
  out.cut_to(begin);
  if (!goes_on) {
    close_group(out);
    std::swap(head_, next_head_);
    key_bytes_ = key_bytes;
  }
  codec_.add_line(line, state_, out);
}

void NeighbourGroups::close_group(EncodedLines& out) {
  if (state_.empty()) return;
  codec_.append_group(head_, state_, out);
  state_.clear();
  ++encoded_lines_;
}

std::uint64_t NeighbourGroups::empty_into(EncodedLines& out) {
  close_group(out);
  return std::exchange(encoded_lines_, 0);
}

}  // namespace sortie

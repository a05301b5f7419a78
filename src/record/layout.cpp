#include "record/layout.hpp"

#include <algorithm>

namespace sortie {
namespace {

// std::count() adds up in 64-bit lanes; bytes in byte lanes go eight times as far in a vector. A lane
// holds 255 at most, so it is emptied that often.
std::uint64_t count_bytes(std::span<const std::byte> bytes, char wanted) {
  constexpr std::size_t kLanes = 32;
  constexpr std::size_t kRounds = 255;
  std::uint64_t count = 0;
  while (bytes.size() >= kLanes) {
    const std::size_t rounds = std::min(bytes.size() / kLanes, kRounds);
    std::uint8_t lanes[kLanes] = {};
    for (std::size_t round = 0; round < rounds; ++round) {
      const std::byte* source = bytes.data() + round * kLanes;
      for (std::size_t i = 0; i < kLanes; ++i)
        lanes[i] = static_cast<std::uint8_t>(lanes[i] + (source[i] == std::byte(wanted) ? 1 : 0));
    }
    for (const std::uint8_t lane : lanes) count += lane;
    bytes = bytes.subspan(rounds * kLanes);
  }
  return count + static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), std::byte(wanted)));
}

}  // namespace

Layout layout_of(const Format& format) {
  return Layout{format.kind == RecordKind::kLines ? 0 : format.record_bytes, format.delimiter};
}

std::size_t whole_records(const Layout& layout, std::span<const std::byte> bytes) {
  if (!layout.delimited()) return bytes.size() / layout.record_bytes * layout.record_bytes;
  if (bytes.empty()) return 0;
  const void* last = ::memrchr(bytes.data(), layout.delimiter, bytes.size());
  if (last == nullptr) return 0;
  return static_cast<std::size_t>(static_cast<const std::byte*>(last) - bytes.data()) + 1;
}

std::size_t first_records(const Layout& layout, std::span<const std::byte> bytes, std::uint64_t count) {
  if (!layout.delimited()) {
    return static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size() / layout.record_bytes, count) *
                                    layout.record_bytes);
  }
  if (count >= bytes.size()) return bytes.size();
  const std::byte* at = bytes.data();
  const std::byte* const end = bytes.data() + bytes.size();
  for (std::uint64_t i = 0; i < count && at < end; ++i) at += stored_length(layout, at, end);
  return static_cast<std::size_t>(at - bytes.data());
}

std::span<const std::byte> last_record(const Layout& layout, std::span<const std::byte> bytes) {
  if (!layout.delimited()) return bytes.last(static_cast<std::size_t>(layout.record_bytes));
  return bytes.subspan(whole_records(layout, bytes.first(bytes.size() - 1)));
}

std::size_t boundary_at_or_after(const Layout& layout, std::span<const std::byte> bytes, std::size_t position) {
  if (position == 0) return 0;
  if (!layout.delimited()) {
    return std::min((position + layout.record_bytes - 1) / layout.record_bytes * layout.record_bytes, bytes.size());
  }
  if (position >= bytes.size()) return bytes.size();
  const std::byte* before = bytes.data() + position - 1;
  return position - 1 + stored_length(layout, before, bytes.data() + bytes.size());
}

std::uint64_t count_records(const Layout& layout, std::span<const std::byte> bytes) {
  if (!layout.delimited()) return bytes.size() / layout.record_bytes;
  return count_bytes(bytes, layout.delimiter);
}

}  // namespace sortie

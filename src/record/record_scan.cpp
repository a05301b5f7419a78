#include "record/record_scan.hpp"

#include <algorithm>
#include <cstring>

namespace sortie {
namespace {

/// Fits a core's cache.
constexpr std::size_t kWalkedRangeBytes = 256 << 10;

}  // namespace

std::size_t whole_records(const Layout& layout, std::span<const std::byte> bytes) {
  if (layout.started()) return last_start(layout.start, bytes);
  if (layout.prefixed()) return whole_prefixed_records(bytes);
  if (layout.quoted()) return bytes_of(find_walked_records(layout, bytes));
  if (!layout.delimited()) return bytes.size() / layout.record_bytes * layout.record_bytes;
  if (bytes.empty()) return 0;
  const void* last = ::memrchr(bytes.data(), layout.delimiter, bytes.size());
  if (last == nullptr) return 0;
  return static_cast<std::size_t>(static_cast<const std::byte*>(last) - bytes.data()) + 1;
}

std::size_t first_records(const Layout& layout, std::span<const std::byte> bytes, std::uint64_t count) {
  if (layout.walked()) {
    if (count >= bytes.size()) return bytes.size();
    std::size_t behind = 0;
    if (count == 0) return behind;
    for_each_walked_end(layout, bytes, [&](std::size_t end) {
      behind = end;
      return --count > 0;
    });
    return behind;
  }
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
  if (layout.prefixed()) {
    std::size_t begin = 0;
    for_each_walked_end(layout, bytes, [&](std::size_t end) {
      if (end < bytes.size()) begin = end;
      return true;
    });
    return bytes.subspan(begin);
  }
  if (!layout.delimited()) return bytes.last(static_cast<std::size_t>(layout.record_bytes));
  return bytes.subspan(whole_records(layout, bytes.first(bytes.size() - 1)));
}

std::size_t boundary_at_or_after(const Layout& layout, std::span<const std::byte> bytes, std::size_t position) {
  if (position == 0) return 0;
  if (layout.walked()) {
    if (position >= bytes.size()) return bytes.size();
    if (layout.started()) return start_at_or_after(layout.start, bytes, position);
    const std::size_t before = bytes_of(find_walked_records(layout, bytes.first(position)));
    return before == position ? position : before + first_records(layout, bytes.subspan(before), 1);
  }
  if (!layout.delimited()) {
    return std::min((position + layout.record_bytes - 1) / layout.record_bytes * layout.record_bytes, bytes.size());
  }
  if (position >= bytes.size()) return bytes.size();
  const std::byte* before = bytes.data() + position - 1;
  return position - 1 + stored_length(layout, before, bytes.data() + bytes.size());
}

std::uint64_t count_records(const Layout& layout, std::span<const std::byte> bytes) {
  if (layout.walked()) {
    std::uint64_t count = 0;
    for_each_walked_end(layout, bytes, [&](std::size_t) { return ++count > 0; });
    return count;
  }
  if (!layout.delimited()) return bytes.size() / layout.record_bytes;
  return count_bytes(bytes, layout.delimiter);
}

std::size_t records_within(const Layout& layout, std::span<const std::byte> bytes, std::uint64_t most) {
  if (bytes.size() <= most) return bytes.size();
  const std::size_t fitting = whole_records(layout, bytes.first(static_cast<std::size_t>(most)));
  if (fitting > 0) return fitting;
  return static_cast<std::size_t>(stored_length(layout, bytes.data(), bytes.data() + bytes.size()));
}

std::vector<std::span<const std::byte>> split_records(const Layout& layout, std::span<const std::byte> bytes,
                                                      std::size_t wanted) {
  if (layout.quoted()) return cut_quoted_records(bytes, layout.syntax, wanted).ranges;
  if (layout.prefixed()) return find_prefixed_records(bytes, bytes.size() / wanted + 1);
  std::vector<std::span<const std::byte>> ranges;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= wanted && begin < bytes.size(); ++i) {
    const auto target = static_cast<std::size_t>(static_cast<unsigned __int128>(bytes.size()) * i / wanted);
    if (target <= begin) continue;
    const std::size_t end = i == wanted ? bytes.size() : boundary_at_or_after(layout, bytes, target);
    ranges.push_back(bytes.subspan(begin, end - begin));
    begin = end;
  }
  return ranges;
}

std::vector<std::span<const std::byte>> find_walked_records(const Layout& layout, std::span<const std::byte> bytes) {
  return split_records(layout, bytes, bytes.size() / kWalkedRangeBytes + 1);
}

}  // namespace sortie

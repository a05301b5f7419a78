#include "record/record_scan.hpp"

#include "record/prefixed/prefixed_ranges.hpp"

namespace sortie {
namespace {

/// Fits a core's cache.
constexpr std::size_t kWalkedRangeBytes = 256 << 10;

}  // namespace

std::size_t records_within(const Layout& layout, std::span<const std::byte> bytes, std::uint64_t most) {
  if (bytes.size() <= most) return bytes.size();
  const std::size_t fitting = whole_records(layout, bytes.first(static_cast<std::size_t>(most)));
  if (fitting > 0) return fitting;
  return static_cast<std::size_t>(stored_length(layout, bytes.data(), bytes.data() + bytes.size()));
}

std::vector<std::span<const std::byte>> split_records(const Layout& layout, std::span<const std::byte> bytes,
                                                      std::size_t wanted) {
  if (layout.quoted() || layout.prefixed()) {
    return layout.quoted() ? cut_quoted_records(bytes, layout.syntax, wanted).ranges
                           : find_prefixed_records(bytes, bytes.size() / wanted + 1);
  }
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
  if (layout.started()) return split_records(layout, bytes, bytes.size() / kWalkedRangeBytes + 1);
  return layout.quoted() ? find_quoted_records(bytes, layout.syntax).ranges
                         : find_prefixed_records(bytes, kWalkedRangeBytes);
}

}  // namespace sortie

#include "pipeline/input/mapped_lines.hpp"

#include <algorithm>
#include <utility>

#include "base/bytes.hpp"

namespace sortie {
namespace {

/// Number of places at which a mapped input is sampled, because its lines may differ from one end to the other.
constexpr std::size_t kSampledPlaces = 32;

}  // namespace

std::unique_ptr<MappedLines> MappedLines::make(InputSequence& inputs, const Layout& layout) {
  MemoryRegion memory(static_cast<std::size_t>(*inputs.size_of_only()) + kPageBytes);
  InputSequence::Mapped mapped = inputs.map_only(memory.bytes(), [](std::span<const std::byte>) {});
  if (!mapped.mapping) return nullptr;
  return std::unique_ptr<MappedLines>(new MappedLines(layout, std::move(memory), std::move(mapped)));
}

MappedLines::MappedLines(const Layout& layout, MemoryRegion memory, InputSequence::Mapped mapped)
    : layout_(layout),
      memory_(std::move(memory)),
      mapping_(std::move(mapped.mapping)),
      lines_(memory_.bytes().first(mapped.bytes)) {}

std::span<const std::byte> MappedLines::take(std::size_t bytes) {
  check();
  std::span<const std::byte> lines = lines_.subspan(taken_);
  lines = lines.first(boundary_at_or_after(layout_, lines, std::min(lines.size(), bytes)));
  taken_ += lines.size();
  return lines;
}

// Whole lines from every sampled place, or none from a place that is too small for a line.
std::vector<std::byte> MappedLines::sample(std::size_t most_bytes) const {
  const std::size_t place_bytes = std::max<std::size_t>(1, most_bytes / kSampledPlaces);
  if (lines_.size() <= most_bytes) return {lines_.begin(), lines_.end()};
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < kSampledPlaces; ++i) {
    std::span<const std::byte> place = lines_.subspan(lines_.size() / kSampledPlaces * i, place_bytes);
    place = place.first(whole_records(layout_, place));
    if (i > 0) place = place.subspan(boundary_at_or_after(layout_, place, std::min<std::size_t>(1, place.size())));
    bytes.insert(bytes.end(), place.begin(), place.end());
  }
  return bytes;
}

}  // namespace sortie

#include "pipeline/input/order_sample.hpp"

#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// A disk takes half a second to find so many places, in which it reads as many megabytes as such inputs have.
constexpr std::uint64_t kPlaces = 96;
constexpr std::size_t kPlaceBytes = 4096;
/// Lines of the sample that are compared with earlier ones: an input in random order passes once in 2^64 times.
constexpr std::size_t kProbes = 64;

}  // namespace

std::vector<std::byte> sample_all_over(const InputSequence& inputs, const Layout& layout) {
  const std::uint64_t stride = *inputs.size_of_only() / kPlaces;
  std::vector<std::byte> lines;
  std::vector<std::byte> bytes(kPlaceBytes);
  for (std::uint64_t i = 0; i < kPlaces; ++i) {
    std::span<const std::byte> place = std::span(bytes).first(inputs.peek(i * stride, bytes));
    place = place.first(whole_records(layout, place));
    // The first line may have begun in front of the place.
    if (i > 0 && !place.empty()) place = place.subspan(boundary_at_or_after(layout, place, 1));
    lines.insert(lines.end(), place.begin(), place.end());
  }
  return lines;
}

DecoratedLines decorated_sample(const LineDecorator& decorator, std::span<const std::byte> lines) {
  DecoratedLines decorated;
  for_each_record(layout_of(decorator.line_format()), lines, [&](const std::byte* line, std::uint64_t stored) {
    decorator.decorate({line, static_cast<std::size_t>(stored)}, static_cast<std::uint64_t>(line - lines.data()),
                       decorated);
  });
  return decorated;
}

bool is_nearly_in_order(const RecordOrder& order, std::span<const std::byte> sample) {
  std::vector<Record> lines;
  for_each_record(order.layout(), sample, [&](const std::byte* line, std::uint64_t stored) {
    lines.emplace_back(line, static_cast<std::size_t>(stored));
  });
  const std::size_t step = lines.size() / (kProbes + 1);
  if (step == 0) return false;
  for (std::size_t at = step; at < lines.size(); at += step) {
    if (order.compare(lines[at - step], lines[at]) > 0) return false;
  }
  return true;
}

}  // namespace sortie

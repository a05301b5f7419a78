#include "pipeline/input/order_sample.hpp"

#include <algorithm>

#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// One in so many bytes is sampled.
constexpr std::size_t kSampleStride = 128;
constexpr std::size_t kLeastPlaces = 32;
constexpr std::size_t kMostPlaces = 256;
/// Lines of the sample that are compared with earlier ones: an input in random order passes once in 2^64 times.
constexpr std::size_t kProbes = 64;

}  // namespace

std::size_t sample_places(std::uint64_t input_bytes) {
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(input_bytes / (kSampleStride * kSampledBytes), kLeastPlaces, kMostPlaces));
}

std::span<const std::byte> whole_lines_in(const Layout& layout, std::span<const std::byte> place, bool is_first) {
  place = place.first(whole_records(layout, place));
  if (is_first || place.empty()) return place;
  return place.subspan(boundary_at_or_after(layout, place, 1));  // the first line may have begun in front of it
}

std::vector<std::byte> sample_all_over(const InputSequence& inputs, const Layout& layout) {
  const std::uint64_t bytes = *inputs.size_of_only();
  const std::size_t places = sample_places(bytes);
  std::vector<std::byte> lines;
  std::vector<std::byte> read(kSampledBytes);
  for (std::size_t i = 0; i < places; ++i) {
    const std::size_t got = inputs.peek(bytes / places * i, read);
    const std::span<const std::byte> whole = whole_lines_in(layout, std::span(read).first(got), i == 0);
    lines.insert(lines.end(), whole.begin(), whole.end());
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

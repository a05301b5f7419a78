#include "pipeline/input/order_sample.hpp"

#include <algorithm>

#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// One in so many bytes is sampled.
constexpr std::size_t kSampleStride = 128;
constexpr std::size_t kMostPlaces = 256;

}  // namespace

std::size_t sample_places(std::uint64_t input_bytes, std::size_t least) {
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(input_bytes / (kSampleStride * kSampledBytes), least, kMostPlaces));
}

std::span<const std::byte> whole_lines_in(const Layout& layout, std::span<const std::byte> place, bool is_first) {
  place = place.first(whole_records(layout, place));
  if (is_first || place.empty()) return place;
  return place.subspan(boundary_at_or_after(layout, place, 1));  // the first line may have begun in front of it
}

std::vector<std::byte> sample_all_over(std::uint64_t input_bytes, LinesAt lines_at) {
  const std::size_t places = sample_places(input_bytes);
  std::vector<std::byte> lines;
  const auto add = [&](std::uint64_t offset, std::size_t bytes) {
    const std::span<const std::byte> whole = lines_at(offset, bytes);
    lines.insert(lines.end(), whole.begin(), whole.end());
  };
  if (input_bytes <= places * kSampledBytes) {
    if (input_bytes > 0) add(0, static_cast<std::size_t>(input_bytes));
  } else {
    for (std::size_t i = 0; i < places; ++i) add((input_bytes - kSampledBytes) * i / (places - 1), kSampledBytes);
  }
  return lines;
}

DecoratedLines decorated_sample(const RecordCodec& codec, std::span<const std::byte> lines) {
  DecoratedLines decorated;
  for_each_record(layout_of(codec.input_format()), lines, [&](const std::byte* line, std::uint64_t stored) {
    codec.decorate({line, static_cast<std::size_t>(stored)}, static_cast<std::uint64_t>(line - lines.data()),
                   decorated);
  });
  return decorated;
}

// Lines are compared that are as far apart as the places, so that their own neighbours may come in any order. An input
// in random order passes once in 32! times. All lines at the end are looked at: that one is late there is found only
// when all others have passed.
bool is_nearly_in_order(const RecordOrder& order, std::span<const std::byte> sample, std::size_t places) {
  std::vector<Record> lines;
  for_each_record(order.layout(), sample, [&](const std::byte* line, std::uint64_t stored) {
    lines.emplace_back(line, static_cast<std::size_t>(stored));
  });
  const std::size_t step = lines.size() / places;
  if (step == 0) return false;
  const auto are_in_order = [&](const Record& a, const Record& b) { return order.compare(a, b) <= 0; };
  const std::size_t end_begin = (places - 1) * step;
  for (std::size_t at = step; at < end_begin; at += step) {
    if (!are_in_order(lines[at - step], lines[at])) return false;
  }
  const Record& before = lines[end_begin - step];
  return std::all_of(lines.begin() + static_cast<std::ptrdiff_t>(end_begin), lines.end(),
                     [&](const Record& line) { return are_in_order(before, line); });
}

}  // namespace sortie

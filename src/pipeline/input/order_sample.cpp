#include "pipeline/input/order_sample.hpp"

#include <algorithm>

#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// One in so many bytes is sampled.
constexpr std::size_t kSampleStride = 128;
constexpr std::size_t kMostPositions = 256;

}  // namespace

std::size_t sample_positions(std::uint64_t input_bytes, std::size_t least) {
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(input_bytes / (kSampleStride * kSampledBytes), least, kMostPositions));
}

std::span<const std::byte> whole_lines_in(const Layout& layout, std::span<const std::byte> position, bool is_first) {
  position = position.first(whole_records(layout, position));
  if (is_first || position.empty()) return position;
  return position.subspan(boundary_at_or_after(layout, position, 1));  // the first line may have begun in front of it
}

std::vector<std::byte> sample_all_over(std::uint64_t input_bytes, LinesAt lines_at) {
  const std::size_t positions = sample_positions(input_bytes);
  std::vector<std::byte> lines;
  const auto add = [&](std::uint64_t offset, std::size_t bytes) {
    const std::span<const std::byte> whole = lines_at(offset, bytes);
    lines.insert(lines.end(), whole.begin(), whole.end());
  };
  if (input_bytes <= positions * kSampledBytes) {
    if (input_bytes > 0) add(0, static_cast<std::size_t>(input_bytes));
  } else {
    for (std::size_t i = 0; i < positions; ++i) add((input_bytes - kSampledBytes) * i / (positions - 1), kSampledBytes);
  }
  return lines;
}

EncodedLines encoded_sample(const RecordCodec& codec, std::span<const std::byte> lines) {
  EncodedLines encoded;
  for_each_record(layout_of(codec.input_format()), lines, [&](const std::byte* line, std::uint64_t stored) {
    codec.encode({line, static_cast<std::size_t>(stored)}, static_cast<std::uint64_t>(line - lines.data()), encoded);
  });
  return encoded;
}

// Lines are compared that are as far apart as the positions, so that their own neighbours may come in any order. An
// input in random order passes once in 32! times. All lines at the end are looked at: that one is late there is found
// only when all others have passed.
bool is_nearly_in_order(const RecordOrder& order, std::span<const std::byte> sample, std::size_t positions) {
  std::vector<Record> lines;
  for_each_record(order.layout(), sample, [&](const std::byte* line, std::uint64_t stored) {
    lines.emplace_back(line, static_cast<std::size_t>(stored));
  });
  const std::size_t step = lines.size() / positions;
  if (step == 0) return false;
  const auto are_in_order = [&](const Record& a, const Record& b) { return order.compare(a, b) <= 0; };
  const std::size_t end_begin = (positions - 1) * step;
  for (std::size_t at = step; at < end_begin; at += step) {
    if (!are_in_order(lines[at - step], lines[at])) return false;
  }
  const Record& before = lines[end_begin - step];
  return std::all_of(lines.begin() + static_cast<std::ptrdiff_t>(end_begin), lines.end(),
                     [&](const Record& line) { return are_in_order(before, line); });
}

}  // namespace sortie

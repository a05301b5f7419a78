#include "engine/gpu/chunk/device_chunk_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/gpu/chunk/device_plan.hpp"

namespace sortie::gpu {
namespace {

/// The cuts that find_line_cuts() computes on the device.
std::vector<kernels::LineCut> cuts_of(const std::vector<std::uint64_t>& offsets, std::uint64_t part_bytes) {
  std::vector<kernels::LineCut> cuts;
  for (std::uint64_t k = 0; k < cut_count(offsets.back(), part_bytes); ++k) {
    const std::uint64_t position = std::min(k * cut_stride_bytes(part_bytes), offsets.back());
    const auto line = std::lower_bound(offsets.begin(), offsets.end(), position);
    cuts.push_back({*line, line == offsets.begin() ? 0 : line[-1]});
  }
  return cuts;
}

void expect_parts_of_whole_lines(const std::vector<std::uint64_t>& offsets, std::uint64_t part_bytes) {
  std::uint64_t end = 0;
  for (const OutputPart& part : line_parts(cuts_of(offsets, part_bytes), part_bytes)) {
    ASSERT_EQ(part.begin, end);
    ASSERT_LT(part.begin, part.end);
    const auto first = std::lower_bound(offsets.begin(), offsets.end(), part.begin);
    const auto last = std::lower_bound(offsets.begin(), offsets.end(), part.end);
    ASSERT_EQ(*first, part.begin);
    ASSERT_EQ(*last, part.end);
    if (part.bytes() > part_bytes) {
      ASSERT_EQ(last - first, 1) << "a part too long that is more than one line";
    }
    end = part.end;
  }
  ASSERT_EQ(end, offsets.back());
}

TEST(OutputParts, LinesOfAnyLengthGoOutWholeAndInOrder) {
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::uint64_t longest = 1 + random() % 300;
    std::vector<std::uint64_t> offsets = {0};
    for (std::uint64_t i = random() % 200 + 1; i > 0; --i) offsets.push_back(offsets.back() + 1 + random() % longest);
    ASSERT_NO_FATAL_FAILURE(expect_parts_of_whole_lines(offsets, 1 + random() % 200));
  }
}

TEST(OutputParts, OrdinaryLinesFillMostOfAPart) {
  std::vector<std::uint64_t> offsets = {0};
  for (int i = 0; i < 10'000; ++i) offsets.push_back(offsets.back() + 50);
  const auto parts = line_parts(cuts_of(offsets, 8000), 8000);
  EXPECT_LE(parts.size(), 10'000U * 50 / 7000 + 1);
}

TEST(OutputParts, FixedRecordsAreNotCut) {
  EXPECT_EQ(fixed_parts(0, 7, 20), std::vector<OutputPart>());
  EXPECT_EQ(fixed_parts(35, 7, 20), (std::vector<OutputPart>{{0, 14}, {14, 28}, {28, 35}}));
  EXPECT_EQ(fixed_parts(14, 7, 7), (std::vector<OutputPart>{{0, 7}, {7, 14}}));
}

}  // namespace
}  // namespace sortie::gpu

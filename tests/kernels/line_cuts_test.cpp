#include "kernels/records.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "kernels/device_array.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

using Offsets = std::vector<std::uint64_t>;

/// The cut for a position, found by reading all offsets.
LineCut cut_at(const Offsets& offsets, std::uint64_t position) {
  const auto line = std::ranges::find_if(offsets, [&](std::uint64_t begin) { return begin >= position; });
  return {*line, line == offsets.begin() ? 0 : *(line - 1)};
}

void expect_cuts(const Offsets& offsets, std::uint64_t stride_bytes, std::uint64_t cut_count) {
  const CudaStream stream;
  const DeviceArray<std::uint64_t> device_offsets(offsets, stream);
  const DeviceArray<LineCut> cuts(cut_count, stream);
  find_line_cuts(device_offsets.data(), offsets.size() - 1, stride_bytes, cut_count, cuts.data(), stream.handle());
  const std::vector<LineCut> found = cuts.download();
  for (std::uint64_t k = 0; k < cut_count; ++k) {
    const LineCut expected = cut_at(offsets, std::min(k * stride_bytes, offsets.back()));
    ASSERT_EQ(found[k].byte, expected.byte) << "cut " << k;
    ASSERT_EQ(found[k].previous_byte, expected.previous_byte) << "cut " << k;
  }
}

Offsets offsets_of(const std::vector<std::uint64_t>& lengths) {
  Offsets offsets{0};
  for (const std::uint64_t length : lengths) offsets.push_back(offsets.back() + length);
  return offsets;
}

TEST(LineCutsGpu, AreTheFirstLinesAtOrBehindThePositions) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(80);
  std::vector<std::uint64_t> mixed(5000);
  for (std::uint64_t& length : mixed) length = 1 + random() % (random() % 50 == 0 ? 3000 : 120);
  const std::vector<Offsets> cases = {offsets_of({1}), offsets_of({1000}), offsets_of({3, 100, 2}),
                                      offsets_of(std::vector<std::uint64_t>(1000, 10)), offsets_of(mixed)};
  for (const Offsets& offsets : cases) {
    for (const std::uint64_t stride : {1, 10, 64, 999, 100'000}) {
      const std::uint64_t cuts = std::min<std::uint64_t>(offsets.back() / stride + 3, 2000);
      SCOPED_TRACE(std::to_string(offsets.size() - 1) + " lines, stride " + std::to_string(stride));
      expect_cuts(offsets, stride, cuts);
    }
  }
}

TEST(LineCutsGpu, OutputWithoutLinesIsCutAtItsEnd) {
  SORTIE_REQUIRE_GPU();
  expect_cuts({0}, 16, 4);
  expect_cuts({0}, 16, 0);
}

}  // namespace
}  // namespace sortie::kernels

// Files end where the options of parts say.
#include "formats/parts/part_sizes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace sortie {
namespace {

using testing::ElementsAre;

std::vector<std::uint64_t> numbers(const Parts& parts, const std::vector<std::uint64_t>& sizes,
                                   std::uint64_t frame = 0) {
  const std::uint64_t total = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  formats::PartSizes cuts(parts, frame, total);
  std::vector<std::uint64_t> found;
  for (const std::uint64_t bytes : sizes) found.push_back(cuts.next(bytes));
  return found;
}

TEST(PartSizes, OneFileWithoutParts) { EXPECT_THAT(numbers({}, {5, 5, 5}), ElementsAre(0, 0, 0)); }

TEST(PartSizes, CountRecords) {
  EXPECT_THAT(numbers({.most_records = 2}, {1, 1, 1, 1, 1}), ElementsAre(0, 0, 1, 1, 2));
}

TEST(PartSizes, FillFilesOfSoManyBytes) {
  EXPECT_THAT(numbers({.most_bytes = 10}, {4, 6, 1, 9, 11, 1}), ElementsAre(0, 0, 1, 1, 2, 3));
  EXPECT_THAT(numbers({.most_bytes = 10}, {4, 6, 1}, 1), ElementsAre(0, 1, 1));
  EXPECT_THAT(numbers({.most_bytes = 10}, {20, 0, 20}), ElementsAre(0, 1, 2));
}

TEST(PartSizes, ARecordIsInTheFileInWhoseShareItBegins) {
  EXPECT_THAT(numbers({.count = 2}, {3, 3, 3, 3}), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(numbers({.count = 3}, {9, 1, 2}), ElementsAre(0, 2, 2));
  EXPECT_THAT(numbers({.count = 5}, {0, 0}), ElementsAre(0, 0));
  EXPECT_THAT(numbers({.count = 5}, {1, 1}), ElementsAre(0, 1));
}

}  // namespace
}  // namespace sortie

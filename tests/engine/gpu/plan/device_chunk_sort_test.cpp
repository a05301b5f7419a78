#include "engine/gpu/chunk/device_chunk_sort.hpp"

#include <gtest/gtest.h>

#include "engine/gpu/chunk/device_plan.hpp"
#include "kernels/odd_even_sort.hpp"

namespace sortie::gpu {
namespace {

constexpr Algorithm kAllAlgorithms[] = {Algorithm::kAuto,  Algorithm::kRadix,   Algorithm::kBitonic,
                                        Algorithm::kMerge, Algorithm::kOddEven, Algorithm::kSplitRadix};

TEST(ChunkSort, AutoTakesTheBitonicSortForShortChunksAlone) {
  EXPECT_EQ(chosen_algorithm(Algorithm::kAuto, 1000, 1000), Algorithm::kBitonic);
  EXPECT_EQ(chosen_algorithm(Algorithm::kAuto, 1001, 1000), Algorithm::kRadix);
  EXPECT_EQ(chosen_algorithm(Algorithm::kOddEven, 1, 1000), Algorithm::kOddEven);
  EXPECT_EQ(chosen_algorithm(Algorithm::kRadix, 1, 1000), Algorithm::kRadix);
}

TEST(ChunkSort, OddEvenListsAreWhatItsKernelsTake) { EXPECT_EQ(kOddEvenListItems % kernels::kOddEvenListMultiple, 0U); }

TEST(ChunkSort, PlannedScratchHoldsEveryAlgorithm) {
  for (const Algorithm algorithm : kAllAlgorithms) {
    for (const std::uint64_t records : {1'000ULL, 1'000'000ULL, 5'000'000'000ULL}) {
      const RecordTraits traits = traits_of(parse_format("u32"), algorithm);
      DeviceSizes sizes = merge_sizes(4 * records, records, 10, 0);
      sizes.chunk_records = records;
      EXPECT_GE(scratch_bytes(traits, sizes), chunk_sort_scratch_bytes(algorithm, records));
      EXPECT_GE(scratch_bytes(traits, sizes), chunk_sort_scratch_bytes(algorithm, records / 3))
          << "a shorter chunk must not need more";
    }
  }
}

}  // namespace
}  // namespace sortie::gpu

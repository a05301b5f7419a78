#include "kernels/split_radix_sort.hpp"

#include <gtest/gtest.h>

#include "kernels/number_sort_checks.hpp"
#include "kernels/split_radix/split_radix_plan.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kSplitRadixSortTile = kSplitTile;
constexpr std::uint64_t kSplitRadixSortSizes[] = {0,
                                                  1,
                                                  2,
                                                  31,
                                                  32,
                                                  33,
                                                  1000,
                                                  kSplitRadixSortTile - 1,
                                                  kSplitRadixSortTile,
                                                  kSplitRadixSortTile + 1,
                                                  2 * kSplitRadixSortTile,
                                                  3 * kSplitRadixSortTile + 5,
                                                  17 * kSplitRadixSortTile + 11};

struct SplitRadixSorter {
  static constexpr bool kTakesWideValues = true;

  static std::uint64_t scratch_bytes(std::uint64_t count) { return split_radix_scratch_bytes(count); }
  template <class... Arguments>
  static void keys(const Arguments&... arguments) {
    split_radix_sort_keys(arguments...);
  }
  template <class... Arguments>
  static void pairs(const Arguments&... arguments) {
    split_radix_sort_pairs(arguments...);
  }
};

template <class Number>
class SplitRadixSortGpu : public testing::Test {};
TYPED_TEST_SUITE(SplitRadixSortGpu, NumberTypes);

TYPED_TEST(SplitRadixSortGpu, AgreesWithStableSortOnAllDistributionsAndLengths) {
  SORTIE_REQUIRE_GPU();
  expect_all_numbers_sorted<SplitRadixSorter, TypeParam>(kSplitRadixSortSizes, 52);
}

/// In either order, the code that marks the end of a list is the code of a number too.
TYPED_TEST(SplitRadixSortGpu, LargestKeysAreNotTakenForTheEndOfAList) {
  SORTIE_REQUIRE_GPU();
  using Bits = CodeOf<TypeParam>;
  for (const SortOrder order : kBothOrders) {
    std::vector<Bits> codes(kSplitRadixSortTile + 100, static_cast<Bits>(~Bits{0}));
    for (std::size_t i = 0; i < codes.size(); i += 3) codes[i] = static_cast<Bits>(i);
    expect_all_forms_sorted<SplitRadixSorter>(from_codes<TypeParam>(codes, order));
  }
}

}  // namespace
}  // namespace sortie::kernels

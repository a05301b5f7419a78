#include "kernels/merge_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/merge_sort/merge_sort_plan.hpp"
#include "kernels/number_sort_checks.hpp"
#include "kernels/test_records.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kMergeSortSeed = 50;

struct MergeSorter {
  static constexpr bool kTakesWideValues = true;

  static std::uint64_t scratch_bytes(std::uint64_t count) { return merge_sort_scratch_bytes(count); }
  template <class... Arguments>
  static void keys(const Arguments&... arguments) {
    merge_sort_keys(arguments...);
  }
  template <class... Arguments>
  static void pairs(const Arguments&... arguments) {
    merge_sort_pairs(arguments...);
  }
};

template <class Number>
class MergeSortGpu : public testing::Test {};
TYPED_TEST_SUITE(MergeSortGpu, NumberTypes);

/// Sizes around the lists of a thread, around the tiles of all forms, and of several tiles with an odd number of
/// lists.
TYPED_TEST(MergeSortGpu, AgreesWithStableSortOnAllDistributionsAndLengths) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::uint64_t> sizes{0, 1, 2, 1000};
  std::uint64_t largest_tile = 0;
  for (const std::size_t value_bytes : {0, 4, 8}) {
    const MergeSortTuning tuning = merge_sort_tuning(sizeof(TypeParam), value_bytes);
    for (const std::uint64_t middle : {tuning.items, 2 * tuning.items, tuning.tile_items()}) {
      sizes.insert(sizes.end(), {middle - 1, middle, middle + 1});
    }
    largest_tile = std::max<std::uint64_t>(largest_tile, tuning.tile_items());
  }
  sizes.insert(sizes.end(), {2 * largest_tile, 5 * largest_tile + 11});
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  expect_all_numbers_sorted<MergeSorter, TypeParam>(sizes, kMergeSortSeed);
}

/// In either order, the padding of the last tile has the code of a number.
TYPED_TEST(MergeSortGpu, LastKeysOfAllAreNotTakenForTheEndOfATile) {
  SORTIE_REQUIRE_GPU();
  using Bits = CodeOf<TypeParam>;
  for (const SortOrder order : kBothOrders) {
    std::vector<Bits> codes(merge_sort_tuning(sizeof(Bits), 0).tile_items() + 100, static_cast<Bits>(~Bits{0}));
    for (std::size_t i = 0; i < codes.size(); i += 3) codes[i] = static_cast<Bits>(i);
    expect_all_forms_sorted<MergeSorter>(from_codes<TypeParam>(codes, order));
  }
}

void expect_records_sorted(const TestRecords& records) {
  const CudaStream stream;
  const RecordKeys host = records.host_keys();
  const std::uint64_t count = records.count();
  const std::vector<std::uint32_t> indices = first_positions<std::uint32_t>(count);
  std::vector<std::uint32_t> order = indices;
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return host.before(a, b, 0); });
  std::vector<std::uint64_t> prefixes;
  for (const std::uint32_t i : indices) prefixes.push_back(host.word(i, 0));
  const DeviceRecords device(records, stream);
  const RecordKeys keys = device.keys();
  const DeviceArray<std::uint64_t> primary(prefixes, stream);
  const DeviceArray<std::uint64_t> alternate(count, stream);
  const DeviceArray<std::uint32_t> primary_indices(indices, stream);
  const DeviceArray<std::uint32_t> alternate_indices(count, stream);
  const DeviceArray<std::byte> scratch(merge_sort_scratch_bytes(count), stream);
  merge_sort_pairs(PrefixPairs{primary.data(), primary_indices.data()},
                   PrefixPairs{alternate.data(), alternate_indices.data()}, count, &keys, scratch.data(),
                   stream.handle());
  EXPECT_EQ(primary_indices.download(), order);
  std::ranges::sort(prefixes);
  EXPECT_EQ(primary.download(), prefixes);
}

TEST(MergeSortOfRecordsGpu, KeysBeyondThePrefixBreakTies) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kTile = kRecordMergeSortTuning.tile_items();
  for (const std::uint64_t size : {std::uint64_t{1}, kTile - 1, kTile + 1, 9 * kTile + 3}) {
    SCOPED_TRACE(std::to_string(size) + " records, seed " + std::to_string(kMergeSortSeed));
    expect_records_sorted(few_valued_records(size, 20, kMergeSortSeed));
    expect_records_sorted(few_valued_lines(size, 20, false, kMergeSortSeed));
    expect_records_sorted(few_valued_lines(size, 20, true, kMergeSortSeed));
  }
}

}  // namespace
}  // namespace sortie::kernels

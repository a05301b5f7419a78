#include "kernels/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/stable_sorted.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kEqualListsSeed = 57;

/// Uniform keys, with each list sorted by itself.
std::vector<std::uint32_t> sorted_lists(std::uint64_t count, std::uint64_t list_items) {
  auto keys = make_keys<std::uint32_t>(Distribution::kUniform, count, kEqualListsSeed);
  for (std::uint64_t begin = 0; begin < count; begin += list_items) {
    std::sort(keys.begin() + begin, keys.begin() + std::min(begin + list_items, count));
  }
  return keys;
}

void expect_lists_merged(const std::vector<std::uint32_t>& keys, std::uint64_t list_items) {
  const CudaStream stream;
  const EqualLists lists{keys.size(), list_items};
  const DeviceArray<std::uint32_t> primary(keys, stream);
  const DeviceArray<std::uint32_t> alternate(keys.size(), stream);
  const DeviceArray<std::byte> scratch(equal_lists_scratch_bytes(lists), stream);
  const MergeResult result =
      merge_equal_lists(primary.data(), alternate.data(), lists, scratch.data(), stream.handle());
  EXPECT_EQ(result, equal_lists_result(lists));
  EXPECT_EQ((result == MergeResult::kPrimary ? primary : alternate).download(),
            stable_sorted(keys, SortOrder::kAscending).numbers);
}

TEST(EqualListsGpu, AreMergedWhereverTheLastOneEnds) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t list_items : {1, 7, 1024, 5000}) {
    for (const std::uint64_t count :
         {std::uint64_t{0}, std::uint64_t{1}, list_items, list_items + 1, 3 * list_items - 1, 10 * list_items + 3}) {
      SCOPED_TRACE(std::to_string(count) + " keys in lists of " + std::to_string(list_items) + ", seed " +
                   std::to_string(kEqualListsSeed));
      expect_lists_merged(sorted_lists(count, list_items), list_items);
    }
  }
}

TEST(EqualLists, TheLastOneMayBeShorter) {
  EXPECT_EQ((EqualLists{0, 10}.list_count()), 0U);
  EXPECT_EQ((EqualLists{10, 10}.list_count()), 1U);
  EXPECT_EQ((EqualLists{11, 10}.list_count()), 2U);
  EXPECT_EQ(equal_lists_result({11, 10}), MergeResult::kAlternate);
  EXPECT_EQ(equal_lists_result({161, 10}), MergeResult::kPrimary);
}

}  // namespace
}  // namespace sortie::kernels

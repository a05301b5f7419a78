#include "kernels/split_radix_sort.hpp"

#include <gtest/gtest.h>

#include "kernels/sort_checks.hpp"
#include "kernels/split_radix_plan.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kSeed = 52;
constexpr std::uint64_t kTile = kSplitTile;
constexpr std::uint64_t kSizes[] = {
    0, 1, 2, 31, 32, 33, 1000, kTile - 1, kTile, kTile + 1, 2 * kTile, 3 * kTile + 5, 37 * kTile + 11};

auto sort_keys(std::uint64_t count) {
  return [=](auto* keys, auto* alternate, void* scratch, cudaStream_t stream) {
    split_radix_sort_keys(keys, alternate, count, scratch, stream);
  };
}

TEST(SplitRadixSortGpu, AgreesWithStableSortOnAllDistributionsAndLengths) {
  SORTIE_REQUIRE_GPU();
  for_all_keys(kSizes, kSeed, [](const auto& narrow, const auto& wide) {
    const std::uint64_t size = wide.size();
    const std::uint64_t scratch_bytes = split_radix_scratch_bytes(size);
    expect_keys_sorted(narrow, scratch_bytes, sort_keys(size));
    expect_keys_sorted(wide, scratch_bytes, sort_keys(size));
    expect_floats_sorted(narrow, scratch_bytes, sort_keys(size));
    expect_pairs_sorted(wide, scratch_bytes,
                        [=](std::uint64_t* keys, std::uint32_t* values, std::uint64_t* alternate,
                            std::uint32_t* alternate_values, void* scratch, cudaStream_t stream) {
                          split_radix_sort_pairs({keys, values}, {alternate, alternate_values}, size, scratch, stream);
                        });
  });
}

TEST(SplitRadixSortGpu, LargestKeysAreNotTakenForTheEndOfAList) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::uint32_t> keys(kTile + 100, ~0U);
  for (std::size_t i = 0; i < keys.size(); i += 3) keys[i] = static_cast<std::uint32_t>(i);
  expect_keys_sorted(keys, split_radix_scratch_bytes(keys.size()), sort_keys(keys.size()));
}

}  // namespace
}  // namespace sortie::kernels

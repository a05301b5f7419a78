#include "kernels/merge_sort.hpp"

#include <gtest/gtest.h>

#include "kernels/merge_sort_plan.hpp"
#include "kernels/sort_checks.hpp"
#include "kernels/test_records.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kSeed = 50;
constexpr std::uint64_t kTile = merge_sort_tuning(4).tile_items();
constexpr std::uint64_t kPairTile = merge_sort_tuning(12).tile_items();
constexpr std::uint64_t kSizes[] = {0,
                                    1,
                                    2,
                                    7,
                                    8,
                                    9,
                                    16,
                                    17,
                                    1000,
                                    kPairTile - 1,
                                    kPairTile,
                                    kPairTile + 1,
                                    kTile - 1,
                                    kTile,
                                    kTile + 1,
                                    2 * kTile,
                                    3 * kTile + 5,
                                    37 * kTile + 11};

const auto sort_keys = [](auto count) {
  return [=](auto* keys, auto* alternate, void* scratch, cudaStream_t stream) {
    merge_sort_keys(keys, alternate, count, scratch, stream);
  };
};

auto sort_pairs(std::uint64_t count, const RecordKeys* tie_break) {
  return [=](std::uint64_t* keys, std::uint32_t* values, std::uint64_t* alternate, std::uint32_t* alternate_values,
             void* scratch, cudaStream_t stream) {
    merge_sort_pairs({keys, values}, {alternate, alternate_values}, count, tie_break, scratch, stream);
  };
}

TEST(MergeSortGpu, AgreesWithStableSortOnAllDistributionsAndLengths) {
  SORTIE_REQUIRE_GPU();
  for_all_keys(kSizes, kSeed, [](const auto& narrow, const auto& wide) {
    const std::uint64_t size = wide.size();
    const std::uint64_t scratch_bytes = merge_sort_scratch_bytes(size);
    expect_keys_sorted(narrow, scratch_bytes, sort_keys(size));
    expect_keys_sorted(wide, scratch_bytes, sort_keys(size));
    expect_pairs_sorted(wide, scratch_bytes, sort_pairs(size, nullptr));
    expect_pairs_sorted(
        narrow, merge_sort_narrow_scratch_bytes(size),
        [=](std::uint32_t* keys, std::uint32_t* values, std::uint32_t*, std::uint32_t* alternate_values, void* scratch,
            cudaStream_t stream) { merge_sort_pairs(keys, values, alternate_values, size, scratch, stream); });
  });
}

void expect_records_sorted(const TestRecords& records) {
  const CudaStream stream;
  const RecordKeys host = records.host_keys();
  std::vector<std::uint32_t> indices(records.count());
  std::iota(indices.begin(), indices.end(), 0U);
  std::vector<std::uint32_t> order = indices;
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return host.before(a, b, 0); });
  std::vector<std::uint64_t> prefixes;
  for (const std::uint32_t i : indices) prefixes.push_back(host.word(i, 0));
  const DeviceRecords device(records, stream);
  const RecordKeys keys = device.keys();
  expect_pairs_become(prefixes, indices, order, merge_sort_scratch_bytes(records.count()),
                      sort_pairs(records.count(), &keys));
}

TEST(MergeSortGpu, KeysBeyondThePrefixBreakTies) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t size : {std::uint64_t{1}, kPairTile - 1, kPairTile + 1, 9 * kPairTile + 3}) {
    SCOPED_TRACE(describe(Distribution::kFewValued, size, kSeed));
    expect_records_sorted(few_valued_records(size, 20, kSeed));
    expect_records_sorted(few_valued_lines(size, 20, false, kSeed));
    expect_records_sorted(few_valued_lines(size, 20, true, kSeed));
  }
}

}  // namespace
}  // namespace sortie::kernels

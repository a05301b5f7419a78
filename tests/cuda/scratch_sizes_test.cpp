// What the headers of sortie::cuda promise of the sizes of scratch. No GPU is needed to ask for them.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include <sortie/cuda/device_merge.hpp>
#include <sortie/cuda/device_merge_sort.hpp>
#include <sortie/cuda/device_radix_sort.hpp>
#include <sortie/cuda/device_segmented_sort.hpp>
#include <sortie/cuda/device_sets.hpp>
#include <sortie/cuda/device_shards.hpp>
#include <sortie/cuda/device_top_k.hpp>

#include "cuda/host_items.hpp"

namespace sortie::cuda {
namespace {

constexpr std::uint64_t kCount = std::uint64_t{1} << 28;
constexpr std::uint64_t kLittle = std::uint64_t{40} << 20;

std::uint64_t copy_bytes(KeyType type, std::size_t value_bytes, std::uint64_t count = kCount) {
  return count * (bytes_of(type) + value_bytes);
}

TEST(CudaScratchSizes, OfSortsAreACopyAndLittle) {
  for (const KeyType type : kTypesOfAnyOrder) {
    SCOPED_TRACE(name_of(type));
    for (const std::size_t value_bytes : {0, 4, 8}) {
      const std::uint64_t saved = is_by_value(type) && value_bytes != 0 ? copy_bytes(type, 0) : 0;
      EXPECT_LT(radix_sort_scratch_bytes(type, value_bytes, kCount), copy_bytes(type, value_bytes) + saved + kLittle);
    }
  }
  for (const KeyType type : kAllKeyTypes) {
    SCOPED_TRACE(name_of(type));
    EXPECT_LT(merge_sort_scratch_bytes(type, 8, kCount), copy_bytes(type, 8) + kCount / 8 + kLittle);
    EXPECT_LT(argsort_scratch_bytes(type, 8, kCount), 2 * copy_bytes(type, 0) + 8 * kCount + kLittle);
  }
  for (const KeyType type : kWideKeyTypes) {
    EXPECT_LT(segmented_sort_scratch_bytes(type, 8, kCount), copy_bytes(type, 8) + 7 * kCount + kLittle);
  }
}

TEST(CudaScratchSizes, OfMergesAreSmallButForFloatsByValue) {
  for (const KeyType type : kWideKeyTypes) {
    EXPECT_LT(merge_scratch_bytes(type, 8, kCount), kCount * 4 / 100 + kLittle);
    EXPECT_LT(merge_lists_scratch_bytes(type, 8, kCount, 16), kCount * 8 / 100 + kLittle);
  }
  for (const KeyType type : {KeyType::kFloat32ByValue, KeyType::kFloat64ByValue}) {
    const std::uint64_t copies = 2 * copy_bytes(type, 0);
    EXPECT_LT(merge_scratch_bytes(type, 8, kCount), copies + kCount * 4 / 100 + kLittle);
    EXPECT_LT(merge_lists_scratch_bytes(type, 8, kCount, 16), copies + kCount * 8 / 100 + kLittle);
  }
}

TEST(CudaScratchSizes, OfSelectionsAreSmall) {
  for (const KeyType type : kTypesOfAnyOrder) {
    SCOPED_TRACE(name_of(type));
    EXPECT_EQ(top_k_scratch_bytes(type, 8, 4096, 4096), 0U);
    EXPECT_LT(top_k_scratch_bytes(type, 8, kCount, 1000), kCount * 3 / 10 + 256 * 1000 + 600 * 1024);
    EXPECT_LT(set_operation_scratch_bytes(SetOperation::kUnion, type, kCount), kCount * 6 / 1000 + 4096);
  }
  EXPECT_LT(unique_scratch_bytes(kCount), kCount / 2048 * 9 + 4096);
}

TEST(CudaScratchSizes, OfRowsAreNoneWhereTheseAreShort) {
  for (const KeyType type : kTypesOfAnyOrder) {
    EXPECT_EQ(sort_rows_scratch_bytes(type, 8, {1'000'000, kMostItemsOfShortRow}), 0U);
    EXPECT_GT(sort_rows_scratch_bytes(type, 8, {100, kMostItemsOfShortRow + 1}), 0U);
    const Rows rows{100, 10'000};
    EXPECT_LE(sort_rows_scratch_bytes(type, 8, rows), segmented_sort_scratch_bytes(type, 8, 1'000'000) + 8 * 101 + 512);
  }
}

TEST(CudaScratchSizes, OfOneShardAreThoseOfItsSort) {
  for (const KeyType type : kAllKeyTypes) {
    EXPECT_EQ(sort_shards_scratch_bytes(type, 8, 1'000'000, 1), radix_sort_scratch_bytes(type, 8, 1'000'000));
  }
  for (const KeyType type : kTypesByValue) {
    EXPECT_LE(sort_shards_scratch_bytes(type, 8, 1'000'000, 1), radix_sort_scratch_bytes(type, 8, 1'000'000));
  }
}

}  // namespace
}  // namespace sortie::cuda

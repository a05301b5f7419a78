// 64-bit keys that differ in few bytes: passes over packed codes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix_numbers.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kConstant = 0xa55a3cc30ff08117ULL;

/// Keys that vary only in the bits of `mask`, as much as the distribution does.
std::vector<std::uint64_t> masked_codes(Distribution distribution, std::uint64_t count, std::uint64_t mask) {
  std::vector<std::uint64_t> codes = make_keys<std::uint64_t>(distribution, count, mask);
  for (std::uint64_t& code : codes) code = (scattered(code) & mask) | (kConstant & ~mask);
  return codes;
}

template <class Number, class Value>
bool pairs_pack(const std::vector<std::uint64_t>& codes, SortOrder order) {
  return expect_pairs_sorted<Number, Value>(from_codes<Number>(codes, order), order).packing.fits();
}

constexpr std::uint64_t kMasks[] = {0xff00,        0xff00000000000000ULL, 0xff0000ff00000000ULL, 0xff00ff00ff00ULL,
                                    0xffffffffULL, 0xffffffff00000000ULL, 0xff0000ffff0000ffULL, 0x0f00f00000fe0100ULL};

TEST(RadixPackedKeysGpu, WhicheverBytesVary) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t mask : kMasks) {
    SCOPED_TRACE("mask " + std::to_string(mask));
    const std::vector<std::uint64_t> codes = masked_codes(Distribution::kUniform, kShortenFrom + 1, mask);
    EXPECT_TRUE(expect_numbers_sorted(codes, SortOrder::kAscending).packing.fits());
  }
}

TEST(RadixPackedKeysGpu, AllTypesBothDirectionsAndSizesOfValues) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : {Distribution::kUniform, Distribution::kZipf, Distribution::kFewValued}) {
    SCOPED_TRACE(to_string(distribution));
    const std::vector<std::uint64_t> codes = masked_codes(distribution, kShortenFrom + 4097, 0xff0000ffff0000ffULL);
    EXPECT_TRUE((pairs_pack<std::uint64_t, std::uint32_t>(codes, SortOrder::kAscending)));
    EXPECT_TRUE((pairs_pack<std::uint64_t, std::uint64_t>(codes, SortOrder::kDescending)));
    EXPECT_TRUE((pairs_pack<std::int64_t, std::uint32_t>(codes, SortOrder::kDescending)));
    EXPECT_TRUE((pairs_pack<double, std::uint64_t>(codes, SortOrder::kAscending)));
  }
}

TEST(RadixPackedKeysGpu, LastTilesOfAnyLength) {
  SORTIE_REQUIRE_GPU();
  const RadixTuning tuning = radix_tuning(RadixShape::kLarge, 4, 4);
  const std::uint64_t tiles = divide_up(kShortenFrom, tuning.tile_items());
  for (const std::uint64_t beyond : {0, 1, 5000, -1}) {
    const std::uint64_t count = tiles * tuning.tile_items() + beyond;
    SCOPED_TRACE(std::to_string(count) + " items");
    const auto codes = masked_codes(Distribution::kUniform, count, 0x00ff00ff00ff00ffULL);
    EXPECT_TRUE((pairs_pack<std::uint64_t, std::uint32_t>(codes, SortOrder::kAscending)));
  }
}

TEST(RadixPackedKeysGpu, FiveBytesAreMovedWhole) {
  SORTIE_REQUIRE_GPU();
  const auto codes = masked_codes(Distribution::kUniform, kShortenFrom, 0xffff0000ffff00ffULL);
  EXPECT_FALSE((pairs_pack<std::uint64_t, std::uint32_t>(codes, SortOrder::kAscending)));
}

TEST(RadixPackedKeysGpu, RangesOfBits) {
  SORTIE_REQUIRE_GPU();
  const std::vector<std::uint64_t> keys = masked_codes(Distribution::kUniform, kShortenFrom, 0xffffff00ULL);
  const CudaStream stream;
  for (const BitRange bits : {BitRange{12, 32}, BitRange{8, 29}, BitRange{16, 64}}) {
    const DeviceArray<std::uint64_t> primary(keys, stream);
    const DeviceArray<std::uint64_t> alternate(keys.size(), stream);
    const DeviceArray<std::byte> scratch(radix_sort_scratch_bytes(keys.size()), stream);
    radix_sort_keys(primary.data(), alternate.data(), keys.size(), bits, scratch.data(), stream.handle());
    std::vector<std::uint64_t> expected = keys;
    std::ranges::stable_sort(expected, {}, [&](std::uint64_t key) { return ordered_bits(bits, key); });
    EXPECT_EQ(primary.download(), expected) << bits.begin << " to " << bits.end;
  }
}

}  // namespace
}  // namespace sortie::kernels

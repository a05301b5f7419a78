#include "kernels/refine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <vector>

#include "device/pinned_memory.hpp"
#include "kernels/device_array.hpp"
#include "kernels/refine/refine_plan.hpp"
#include "kernels/test_records.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kRefineSizes[] = {0, 1, 2, 500, kRefineTile - 1, kRefineTile, kRefineTile + 1, 40'000};

/// Sorts by prefix on the host, refines on the device, and compares with a stable sort by whole keys.
void expect_refined(const TestRecords& records) {
  const RecordKeys host = records.host_keys();
  const std::uint64_t count = records.count();
  std::vector<std::uint32_t> indices(count);
  std::iota(indices.begin(), indices.end(), 0U);
  std::vector<std::uint32_t> expected = indices;
  std::ranges::stable_sort(expected, [&](std::uint32_t a, std::uint32_t b) { return host.before(a, b, 0); });
  std::ranges::stable_sort(indices, {}, [&](std::uint32_t i) { return host.word(i, 0); });
  std::vector<std::uint64_t> prefixes;
  for (const std::uint32_t i : indices) prefixes.push_back(host.word(i, 0));

  const CudaStream stream;
  const DeviceRecords device(records, stream);
  const DeviceArray<std::uint64_t> primary(prefixes, stream);
  const DeviceArray<std::uint32_t> primary_indices(indices, stream);
  const DeviceArray<std::uint64_t> alternate(count, stream);
  const DeviceArray<std::uint32_t> alternate_indices(count, stream);
  const DeviceArray<std::byte> scratch(refine_scratch_bytes(count), stream);
  const PinnedBuffer tied_count(sizeof(std::uint64_t), 1);
  refine(device.keys(), {primary.data(), primary_indices.data()}, {alternate.data(), alternate_indices.data()}, count,
         scratch.data(), reinterpret_cast<std::uint64_t*>(tied_count.data()), stream.handle());
  EXPECT_EQ(primary_indices.download(), expected);
  EXPECT_EQ(primary.download(), prefixes);
}

TEST(RefineGpu, FixedKeysOfAnyLength) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t size : kRefineSizes) {
    for (const std::uint32_t key_bytes : {4u, 8u, 9u, 10u, 16u, 33u, 64u}) {
      SCOPED_TRACE(std::to_string(size) + " records, keys of " + std::to_string(key_bytes) + " bytes, seed 51");
      expect_refined(few_valued_records(size, key_bytes, 51));
    }
  }
}

TEST(RefineGpu, LinesShorterFirstOrLongerFirst) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t size : kRefineSizes) {
    for (const std::uint64_t longest : {0, 3, 8, 9, 17, 40}) {
      for (const bool descending : {false, true}) {
        SCOPED_TRACE(std::to_string(size) + " lines of up to " + std::to_string(longest) + " bytes, seed 52" +
                     (descending ? ", descending" : ""));
        expect_refined(few_valued_lines(size, longest, descending, 52));
      }
    }
  }
}

/// Lines that share `prefix` bytes, followed by bytes that tell most of them apart.
TestRecords lines_with_long_prefixes(std::uint64_t count, std::uint64_t prefix, bool descending) {
  TestRecords records = few_valued_lines(count, 12, descending, 54);
  TestRecords longer;
  longer.plan = records.plan;
  longer.offsets.push_back(0);
  for (std::uint64_t i = 0; i < count; ++i) {
    // Some share only half of it.
    const std::uint64_t shared = i % 3 == 0 ? prefix / 2 : prefix;
    longer.bytes.insert(longer.bytes.end(), shared, std::byte{'x'});
    longer.bytes.insert(longer.bytes.end(), records.bytes.begin() + static_cast<std::ptrdiff_t>(records.offsets[i]),
                        records.bytes.begin() + static_cast<std::ptrdiff_t>(records.offsets[i + 1]));
    longer.offsets.push_back(longer.bytes.size());
  }
  return longer;
}

TEST(RefineGpu, LinesThatAreEqualForLong) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t prefix : {8 * 63, 8 * 64 + 1, 8 * 67, 10'007}) {
    for (const bool descending : {false, true}) {
      SCOPED_TRACE("prefix of " + std::to_string(prefix) + " bytes, seed 54" + (descending ? ", descending" : ""));
      expect_refined(lines_with_long_prefixes(3000, prefix, descending));
    }
  }
}

/// One round for each of their words would make two million rounds.
TEST(RefineGpu, EqualLinesOfManyMegabytesTakeFewRounds) {
  SORTIE_REQUIRE_GPU();
  const auto begin = std::chrono::steady_clock::now();
  expect_refined(lines_with_long_prefixes(5, 16 << 20, false));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(RefineGpu, LongFixedKeysThatAreEqual) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint32_t key_bytes : {8U * 66, 8U * 66 + 3, 100'000U}) {
    SCOPED_TRACE("keys of " + std::to_string(key_bytes) + " bytes");
    TestRecords records = few_valued_records(20, key_bytes, 55);
    std::ranges::fill(records.bytes, std::byte{5});
    expect_refined(records);
    for (std::uint64_t i = 0; i < 20; i += 2) {
      records.bytes[i * records.record_bytes + key_bytes - 1 - i] = static_cast<std::byte>(i % 7);
    }
    expect_refined(records);
  }
}

TEST(RefineGpu, EqualKeysKeepTheirOrder) {
  SORTIE_REQUIRE_GPU();
  TestRecords records = few_valued_records(100'000, 30, 53);
  std::ranges::fill(records.bytes, std::byte{5});
  expect_refined(records);
}

}  // namespace
}  // namespace sortie::kernels

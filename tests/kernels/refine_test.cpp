#include "kernels/refine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "device/pinned_buffer.hpp"
#include "kernels/device_array.hpp"
#include "kernels/refine/refine_plan.hpp"
#include "kernels/test_records.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kSizes[] = {0, 1, 2, 500, kRefineTile - 1, kRefineTile, kRefineTile + 1, 40'000};

/// Sorts by prefix on the host, refines on the device, compares with a stable sort by whole keys.
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
  for (const std::uint64_t size : kSizes) {
    for (const std::uint32_t key_bytes : {4u, 8u, 9u, 10u, 16u, 33u, 64u}) {
      SCOPED_TRACE(std::to_string(size) + " records, keys of " + std::to_string(key_bytes) + " bytes, seed 51");
      expect_refined(few_valued_records(size, key_bytes, 51));
    }
  }
}

TEST(RefineGpu, LinesShorterFirstOrLongerFirst) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t size : kSizes) {
    for (const std::uint64_t longest : {0, 3, 8, 9, 17, 40}) {
      for (const bool descending : {false, true}) {
        SCOPED_TRACE(std::to_string(size) + " lines of up to " + std::to_string(longest) + " bytes, seed 52" +
                     (descending ? ", descending" : ""));
        expect_refined(few_valued_lines(size, longest, descending, 52));
      }
    }
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

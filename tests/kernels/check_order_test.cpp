#include "kernels/check_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/test_records.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kCheckOrderSeed = 53;
constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
constexpr std::uint64_t kCheckOrderSizes[] = {0,   1,    2,    3,    4,    5,    127,  128,
                                              129, 2047, 2048, 2049, 4095, 4096, 4097, 3'000'001};

/// descends(i) says whether the items at i - 1 and i are out of order.
template <class Descends>
OrderCheck expected_check(std::uint64_t count, const Descends& descends) {
  OrderCheck expected{0, kNowhere};
  for (std::uint64_t i = 1; i < count; ++i) {
    if (!descends(i)) continue;
    if (expected.descents++ == 0) expected.first_descent = i;
  }
  return expected;
}

template <class Check>
void expect_check(const OrderCheck& expected, const Check& check) {
  const CudaStream stream;
  const DeviceArray<OrderCheck> result(1, stream);
  check(result.data(), stream.handle());
  EXPECT_EQ(result.download()[0].descents, expected.descents);
  EXPECT_EQ(result.download()[0].first_descent, expected.first_descent);
}

template <class Key>
void expect_keys_checked(const std::vector<Key>& keys) {
  const CudaStream stream;
  const DeviceArray<Key> array(keys, stream);
  expect_check(expected_check(keys.size(), [&](std::uint64_t i) { return keys[i] < keys[i - 1]; }),
               [&](OrderCheck* result, cudaStream_t on) { check_order(array.data(), keys.size(), result, on); });
}

TEST(OrderCheckGpu, CountsDescentsOfKeys) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    for (const std::uint64_t size : kCheckOrderSizes) {
      SCOPED_TRACE(to_string(distribution) + ", " + std::to_string(size) + " keys, seed " +
                   std::to_string(kCheckOrderSeed));
      expect_keys_checked(make_keys<std::uint32_t>(distribution, size, kCheckOrderSeed));
      expect_keys_checked(make_keys<std::uint64_t>(distribution, size, kCheckOrderSeed));
    }
  }
}

TEST(OrderCheckGpu, FindsASingleDescentAnywhere) {
  SORTIE_REQUIRE_GPU();
  for (std::uint64_t place = 1; place < 10'000; place = place < 300 ? place + 1 : place + 97) {
    SCOPED_TRACE(place);
    std::vector<std::uint32_t> keys(10'000);
    for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i] = i < place ? i + 10'000 : i;
    expect_keys_checked(keys);
  }
}

TEST(OrderCheckGpu, PairsThatTieMustKeepTheOrderOfTheirIndices) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  const TestRecords records = few_valued_records(20'000, 20, kCheckOrderSeed);
  const RecordKeys host = records.host_keys();
  std::vector<std::uint32_t> indices(records.count());
  std::iota(indices.begin(), indices.end(), 0U);
  std::ranges::stable_sort(indices, [&](std::uint32_t a, std::uint32_t b) { return host.before(a, b, 0); });
  for (const bool shuffled : {false, true}) {
    SCOPED_TRACE(shuffled);
    if (shuffled) {
      for (std::size_t i = 100; i + 1 < indices.size(); i += 777) std::swap(indices[i], indices[i + 1]);
    }
    std::vector<std::uint64_t> prefixes;
    for (const std::uint32_t i : indices) prefixes.push_back(host.word(i, 0));
    const DeviceArray<std::uint64_t> device_prefixes(prefixes, stream);
    const DeviceArray<std::uint32_t> device_indices(indices, stream);
    const DeviceRecords device(records, stream);
    const PrefixPairs pairs{device_prefixes.data(), device_indices.data()};
    const RecordKeys keys = device.keys();
    const auto whole = expected_check(indices.size(), [&](std::uint64_t i) {
      if (host.before(indices[i], indices[i - 1], 0)) return true;
      return indices[i] < indices[i - 1] && !host.before(indices[i - 1], indices[i], 0);
    });
    EXPECT_EQ(whole.descents > 0, shuffled);
    expect_check(whole,
                 [&](OrderCheck* result, cudaStream_t on) { check_order(pairs, indices.size(), &keys, result, on); });
    expect_check(expected_check(indices.size(),
                                [&](std::uint64_t i) {
                                  return prefixes[i] < prefixes[i - 1] ||
                                         (prefixes[i] == prefixes[i - 1] && indices[i] < indices[i - 1]);
                                }),
                 [&](OrderCheck* result, cudaStream_t on) { check_order(pairs, indices.size(), nullptr, result, on); });
  }
}

}  // namespace
}  // namespace sortie::kernels

#include <sortie/cuda/host_arrays.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "cuda/sort_checks.hpp"
#include "device/cuda_error.hpp"
#include "device/cuda_stream.hpp"
#include "device/device_info.hpp"
#include "device/pinned_memory.hpp"
#include "kernels/device_array.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

/// A ceiling that makes chunks and windows of arrays of some million items.
constexpr std::uint64_t kLittleMemory = std::uint64_t{200} << 20;

std::vector<int> all_usable_devices() {
  std::vector<int> numbers;
  for (const DeviceInfo& device : list_devices().devices) numbers.push_back(device.number);
  return numbers;
}

/// Devices that sort in several shares even where there is one GPU.
std::vector<int> devices_twice() {
  std::vector<int> devices = all_usable_devices();
  const std::vector<int> once = devices;
  devices.insert(devices.end(), once.begin(), once.end());
  return devices;
}

void expect_host_array_sorted(const SortCase& test, const HostSortResources& resources) {
  SCOPED_TRACE(test.describe() + ", " + std::to_string(resources.devices.size()) + " devices");
  const ItemArray keys = make_key_items(test.type, test.distribution, test.count, test.seed);
  const ItemArray values = make_value_items(test.value_bytes, test.count);
  ItemArray sorted_keys = keys;
  ItemArray sorted_values = values;
  expect_ok(sort_host_array(Keys(sorted_keys.bytes.data(), test.type),
                            Values(sorted_values.bytes.data(), test.value_bytes), test.count, test.order, resources));
  const std::vector<std::uint64_t> order = stable_order(keys, test.type, test.order);
  expect_same_items(gathered(keys, order), sorted_keys.bytes, "keys");
  expect_same_items(gathered(values, order), sorted_values.bytes, "values");
}

template <class Position>
void expect_host_array_argsorted(const SortCase& test, const HostSortResources& resources) {
  SCOPED_TRACE("argsort: " + test.describe());
  const ItemArray keys = make_key_items(test.type, test.distribution, test.count, test.seed);
  const ItemArray read = keys;
  std::vector<Position> positions(test.count, Position{77});
  expect_ok(
      argsort_host_array(ConstKeys(read.bytes.data(), test.type), positions.data(), test.count, test.order, resources));
  const std::vector<std::uint64_t> order = stable_order(keys, test.type, test.order);
  EXPECT_TRUE(std::ranges::equal(positions, order, {}, [](Position p) { return static_cast<std::uint64_t>(p); }));
  EXPECT_TRUE(read.bytes == keys.bytes);
}

class CudaHostArraysGpu : public testing::TestWithParam<KeyType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, CudaHostArraysGpu, testing::ValuesIn(kTypesOfAnyOrder),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(CudaHostArraysGpu, AgreeWithStableSort) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t count : {0, 1, 1000, 300'001}) {
    for (const std::size_t value_bytes : {0, 4, 8, 3}) {
      for (const Order order : kBothOrders) {
        expect_host_array_sorted({GetParam(), value_bytes, Distribution::kZipf, count, order}, {});
      }
    }
    expect_host_array_argsorted<std::uint32_t>({GetParam(), 4, Distribution::kFewValued, count}, {});
    expect_host_array_argsorted<std::int64_t>({GetParam(), 8, Distribution::kUniform, count}, {});
  }
}

TEST_P(CudaHostArraysGpu, AgreeWithStableSortInSeveralShares) {
  SORTIE_REQUIRE_GPU();
  const std::vector<int> devices = devices_twice();
  expect_host_array_sorted({GetParam(), 8, Distribution::kUniform, 3'000'001}, {devices});
  expect_host_array_sorted({GetParam(), 0, Distribution::kFewValued, 2'500'000, Order::kDescending}, {devices});
  expect_host_array_argsorted<std::uint64_t>({GetParam(), 8, Distribution::kZipf, 2'300'000}, {devices});
}

TEST_P(CudaHostArraysGpu, AgreeWithStableSortBeyondTheMemoryOfTheDevices) {
  SORTIE_REQUIRE_GPU();
  const std::vector<int> devices = all_usable_devices();
  const HostSortResources resources{devices, kLittleMemory};
  // What fills the devices together, and two more items for each.
  const std::uint64_t count = devices.size() * (kLittleMemory / (2 * (bytes_of(GetParam()) + 8)) + 2);
  expect_host_array_sorted({GetParam(), 8, Distribution::kUniform, count}, resources);
  expect_host_array_argsorted<std::uint32_t>({GetParam(), 4, Distribution::kFewValued, 2 * count, Order::kDescending},
                                             resources);
}

TEST(CudaHostArrayGpu, BeyondTheMemoryOfTheDevicesMayBeKeysAlone) {
  SORTIE_REQUIRE_GPU();
  const std::vector<int> devices = all_usable_devices();
  const HostSortResources resources{devices, kLittleMemory};
  const std::uint64_t count = devices.size() * 20'000'003;
  expect_host_array_sorted({KeyType::kFloat64, 0, Distribution::kZipf, count}, resources);
  expect_host_array_sorted({KeyType::kFloat64, 0, Distribution::kReversed, count, Order::kDescending}, resources);
}

TEST(CudaHostArrayGpu, MayBeManyNumbersThatAreSortedAsTheyArrive) {
  SORTIE_REQUIRE_GPU();
  const std::vector<int> devices = all_usable_devices();
  expect_host_array_sorted({KeyType::kFloat64, 0, Distribution::kZipf, 9'000'001}, {devices});
  expect_host_array_sorted({KeyType::kInt32, 0, Distribution::kUniform, 17'000'001, Order::kDescending}, {devices});
}

TEST(CudaHostArrayGpu, MayBePinnedAndOfAnyAlignment) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kCount = 1'000'003;
  const ItemArray keys = make_key_items(KeyType::kInt32, Distribution::kUniform, kCount, 91);
  const std::vector<std::uint64_t> order = stable_order(keys, KeyType::kInt32, Order::kAscending);
  const PinnedBuffer pinned(keys.bytes.size(), 1);
  std::memcpy(pinned.data(), keys.bytes.data(), keys.bytes.size());
  expect_ok(sort_host_array(Keys(pinned.data(), KeyType::kInt32), kCount, Order::kAscending));
  expect_same_items(gathered(keys, order), Bytes(pinned.bytes().begin(), pinned.bytes().end()), "pinned keys");
  Bytes shifted(keys.bytes.size() + 3);
  std::memcpy(shifted.data() + 3, keys.bytes.data(), keys.bytes.size());
  expect_ok(sort_host_array(Keys(shifted.data() + 3, KeyType::kInt32), kCount, Order::kAscending));
  expect_same_items(gathered(keys, order), Bytes(shifted.begin() + 3, shifted.end()), "shifted keys");
}

void expect_sorted_in_one_block(std::uint64_t count, std::size_t value_bytes) {
  const ItemArray keys = make_key_items(KeyType::kUint64, Distribution::kUniform, count, 92);
  const ItemArray values = make_value_items(value_bytes, count);
  const std::vector<std::uint64_t> order = stable_order(keys, KeyType::kUint64, Order::kAscending);
  Bytes block = keys.bytes;
  block.insert(block.end(), values.bytes.begin(), values.bytes.end());
  std::byte* const value_begin = block.data() + keys.bytes.size();
  expect_ok(sort_host_array(Keys(block.data(), KeyType::kUint64), Values(value_begin, value_bytes), count,
                            Order::kAscending));
  expect_same_items(gathered(keys, order), Bytes(block.data(), value_begin), "keys");
  expect_same_items(gathered(values, order), Bytes(value_begin, block.data() + block.size()), "values");
}

/// Keys and values share a page, which neither of them may pin, whether both are long or the values too short to be
/// pinned at all.
TEST(CudaHostArrayGpu, MayLieSideBySideInOneBlock) {
  SORTIE_REQUIRE_GPU();
  expect_sorted_in_one_block(700'001, 4);
  expect_sorted_in_one_block(300'001, 3);
}

/// A call that fails may have another way, such as memory that is not pinned.
void expect_sorted_or_refused(std::uint64_t count, const HostSortResources& resources) {
  bool has_struck = true;
  for (std::uint64_t call = 1; has_struck; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    std::vector<std::uint64_t> keys = make_keys<std::uint64_t>(Distribution::kUniform, count, 94);
    std::vector<std::uint32_t> values(count, 5);
    const CudaFaultPlan plan(call, false, cudaErrorUnknown);
    const Status status = sort_host_array(keys.data(), values.data(), count, Order::kAscending, resources);
    has_struck = plan.has_struck();
    if (status.ok()) {
      EXPECT_TRUE(std::ranges::is_sorted(keys));
    } else {
      EXPECT_TRUE(has_struck) << status.message();
    }
  }
}

TEST(CudaHostArrayGpu, IsSortedOrACallSaysThatItFailed) {
  SORTIE_REQUIRE_GPU();
  expect_sorted_or_refused(200'000, {devices_twice()});
  const std::vector<int> device = {all_usable_devices()[0]};
  expect_sorted_or_refused(600'000, {device, 12 << 20});
}

/// So many numbers are sorted as they arrive. The first calls ask for the device and for its memory.
TEST(CudaHostArrayGpu, IsUntouchedWhereMemoryRunsOutBeforeNumbersArrive) {
  SORTIE_REQUIRE_GPU();
  const std::vector<int> device = {all_usable_devices()[0]};
  std::vector<std::uint64_t> keys = make_keys<std::uint64_t>(Distribution::kUniform, 9'000'001, 95);
  const std::vector<std::uint64_t> before = keys;
  unsigned refused = 0;
  for (std::uint64_t call = 1; call <= 8; ++call) {
    SCOPED_TRACE("from call " + std::to_string(call) + " on");
    const CudaFaultPlan plan(call, true, cudaErrorMemoryAllocation);
    const Status status = sort_host_array(keys.data(), keys.size(), Order::kAscending, {device});
    EXPECT_FALSE(status.ok());
    EXPECT_TRUE(keys == before);
    refused += status.code() == StatusCode::kOutOfMemory ? 1 : 0;
  }
  EXPECT_GT(refused, 0U);
}

TEST(CudaHostArrayGpu, IsUntouchedWhereTheCallIsRefused) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::uint64_t> keys = make_keys<std::uint64_t>(Distribution::kUniform, 30'000'000, 93);
  const std::vector<std::uint64_t> before = keys;
  const auto expect_refused = [&](const Status& status, StatusCode code, const char* text) {
    EXPECT_EQ(status.code(), code) << status.message();
    EXPECT_NE(status.message().find(text), std::string::npos) << status.message();
    EXPECT_TRUE(keys == before);
  };
  const int no_device[] = {1000};
  expect_refused(sort_host_array(keys.data(), keys.size(), Order::kAscending, {no_device}),
                 StatusCode::kInvalidArgument, "device");
  expect_refused(sort_host_array(keys.data(), keys.size(), Order::kAscending, {{}, 1 << 20}), StatusCode::kOutOfMemory,
                 "too little");
  expect_refused(sort_host_array(Keys(nullptr, KeyType::kInt8), 5, Order::kAscending), StatusCode::kInvalidArgument,
                 "null");
  expect_refused(sort_host_array(keys.data(), keys.data() + 5, 10, Order::kAscending), StatusCode::kInvalidArgument,
                 "overlap");
}

/// Threads of the CPU would read many of them.
TEST(CudaHostArrayGpu, IsRefusedInDeviceMemory) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kItems = 9'000'001;
  const CudaStream stream;
  const DeviceArray<std::uint64_t> numbers(kItems, stream);
  stream.synchronize();
  std::vector<std::uint64_t> positions(kItems);
  for (const Status& status : {sort_host_array(numbers.data(), kItems, Order::kAscending),
                               sort_host_array(positions.data(), numbers.data(), kItems, Order::kAscending),
                               argsort_host_array(numbers.data(), positions.data(), kItems, Order::kAscending)}) {
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_NE(status.message().find("in device memory"), std::string::npos) << status.message();
  }
}

}  // namespace
}  // namespace sortie::cuda

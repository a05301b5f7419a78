#include <sortie/cuda/device_shards.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "cuda/sort_checks.hpp"
#include "cuda/test_allocators.hpp"
#include "device/cuda_error.hpp"
#include "device/device_info.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

using Counts = std::vector<std::uint64_t>;

std::vector<int> usable_devices() {
  std::vector<int> numbers;
  for (const DeviceInfo& device : list_devices().devices) numbers.push_back(device.number);
  return numbers;
}

ItemArray part_of(const ItemArray& items, std::uint64_t begin, std::uint64_t end) {
  return {items.size, Bytes(items.bytes.begin() + begin * items.size, items.bytes.begin() + end * items.size)};
}

/// What one shard has on its device. Values are followed by bytes that may be read.
struct ShardMemory {
  ShardMemory(int number, KeyType key_type, const ItemArray& key_items, const ItemArray& value_items,
              std::size_t shard_scratch_bytes)
      : device(number),
        count(key_items.bytes.size() / key_items.size),
        items(key_items, key_type, value_items, stream),
        scratch_bytes(shard_scratch_bytes),
        scratch(shard_scratch_bytes, stream) {}

  Shard shard() const {
    return {device, items.keys(), items.values(), count, Scratch(scratch.data(), scratch_bytes), stream.handle()};
  }

  int device;
  std::uint64_t count;
  CudaStream stream;
  DeviceItems items;
  std::size_t scratch_bytes;
  DeviceArray<std::byte> scratch;
};

/// An array in shards of these sizes, on the devices in turn.
class SpreadArray {
 public:
  SpreadArray(const SortCase& test, Counts counts, const std::vector<int>& devices)
      : test_(test),
        counts_(std::move(counts)),
        keys_(make_key_items(test.type, test.distribution, total(), test.seed)),
        values_(make_value_items(test.value_bytes, total())) {
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      const int device = devices[i % devices.size()];
      select_device(device);
      const std::uint64_t end = begin + counts_[i];
      memories_.push_back(std::make_unique<ShardMemory>(
          device, test.type, part_of(keys_, begin, end), part_of(values_, begin, end),
          sort_shards_scratch_bytes(test.type, test.value_bytes, counts_[i], counts_.size())));
      begin = end;
    }
    select_device(devices[0]);
  }

  std::vector<Shard> shards() const {
    std::vector<Shard> shards;
    for (const auto& memory : memories_) shards.push_back(memory->shard());
    return shards;
  }

  void expect_ranges_of_the_whole() const {
    const std::vector<std::uint64_t> order = stable_order(keys_, test_.type, test_.order);
    expect_items(gathered(keys_, order), gathered(values_, order));
  }
  void expect_untouched() const { expect_items(keys_, values_); }

 private:
  std::uint64_t total() const { return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}); }

  void expect_items(const ItemArray& keys, const ItemArray& values) const {
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      SCOPED_TRACE("shard " + std::to_string(i));
      const std::uint64_t end = begin + counts_[i];
      select_device(memories_[i]->device);
      expect_same_items(part_of(keys, begin, end), memories_[i]->items.keys_memory.download(), "keys");
      expect_same_items(part_of(values, begin, end), memories_[i]->items.values_memory.download(), "values");
      begin = end;
    }
    select_device(memories_[0]->device);
  }

  SortCase test_;
  Counts counts_;
  ItemArray keys_;
  ItemArray values_;
  std::vector<std::unique_ptr<ShardMemory>> memories_;
};

void expect_shards_sorted(const SortCase& test, const Counts& counts, const std::vector<int>& devices) {
  SCOPED_TRACE(test.describe() + ", " + std::to_string(counts.size()) + " shards on " + std::to_string(devices.size()) +
               " GPUs");
  const SpreadArray array(test, counts, devices);
  expect_ok(sort_shards(array.shards(), test.order));
  array.expect_ranges_of_the_whole();
}

void expect_all_sorted(KeyType type, const std::vector<int>& devices) {
  const std::vector<Counts> shapes = {{0},          {5000},           {1, 1},           {0, 3000},
                                      {3000, 0, 1}, {20'000, 20'001}, {1, 30'000, 777}, Counts(5, 4097)};
  for (const Counts& counts : shapes) {
    for (const std::size_t value_bytes : {0, 4, 8, 16, 3}) {
      for (const Order order : kBothOrders) {
        for (const Distribution distribution : {Distribution::kUniform, Distribution::kFewValued}) {
          expect_shards_sorted({type, value_bytes, distribution, 0, order}, counts, devices);
        }
      }
    }
  }
}

class CudaShardsGpu : public testing::TestWithParam<KeyType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, CudaShardsGpu, testing::ValuesIn(kTypesOfAnyOrder),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(CudaShardsGpu, OfOneDeviceEndAsRangesOfTheWhole) {
  SORTIE_REQUIRE_GPU();
  expect_all_sorted(GetParam(), {usable_devices()[0]});
}

TEST_P(CudaShardsGpu, OfSeveralDevicesEndAsRangesOfTheWhole) {
  SORTIE_REQUIRE_GPU();
  const std::vector<int> devices = usable_devices();
  if (devices.size() < 2) GTEST_SKIP() << "one GPU only: copies between GPUs are not tested";
  expect_all_sorted(GetParam(), devices);
}

TEST(CudaShardSortGpu, TakesAllDistributionsAndManyShards) {
  SORTIE_REQUIRE_GPU();
  const std::vector<int> devices = usable_devices();
  for (const Distribution distribution : kAllDistributions) {
    for (const KeyType type : {KeyType::kFloat64, KeyType::kUint8}) {
      expect_shards_sorted({type, 8, distribution, 0, Order::kAscending}, Counts(17, 1001), devices);
      expect_shards_sorted({type, 4, distribution, 0, Order::kDescending}, Counts(40, 300), devices);
      expect_shards_sorted({type, 0, distribution, 0, Order::kAscending}, {700'001, 900'000, 3}, devices);
    }
  }
}

TEST(CudaShardSortGpu, TakesScratchFromAnAllocatorAndKeepsTheCurrentDevice) {
  SORTIE_REQUIRE_GPU();
  const std::vector<int> devices = usable_devices();
  const SpreadArray array({KeyType::kInt64, 4, Distribution::kZipf}, Counts(3, 50'000), devices);
  CountingAllocator allocator;
  std::vector<Shard> shards = array.shards();
  for (Shard& shard : shards) shard.scratch = allocator;
  expect_ok(sort_shards(shards, Order::kAscending));
  int current = -1;
  check_cuda(cudaGetDevice(&current), "cudaGetDevice");
  EXPECT_EQ(current, devices[0]);
  EXPECT_EQ(allocator.lent, 3);
  EXPECT_EQ(allocator.returned, 3);
  array.expect_ranges_of_the_whole();
}

TEST(CudaShardSortGpu, WaitsForWorkInTheStreamsOfTheShards) {
  SORTIE_REQUIRE_GPU();
  const SortCase test{KeyType::kUint32, 0, Distribution::kUniform};
  const SpreadArray array(test, {1 << 20, 1 << 20}, usable_devices());
  for (int round = 0; round < 5; ++round) {
    expect_ok(sort_shards(array.shards(), round % 2 == 0 ? Order::kDescending : Order::kAscending));
  }
  expect_ok(sort_shards(array.shards(), Order::kAscending));
  array.expect_ranges_of_the_whole();
}

void expect_refused(const SpreadArray& array, const std::vector<Shard>& shards, StatusCode code, const char* text) {
  const Status status = sort_shards(shards, Order::kAscending);
  EXPECT_EQ(status.code(), code) << status.message();
  EXPECT_NE(status.message().find(text), std::string::npos) << status.message();
  array.expect_untouched();
}

TEST(CudaShardSortGpu, RefusesWhatIsWrongAndTouchesNothing) {
  SORTIE_REQUIRE_GPU();
  const SpreadArray array({KeyType::kInt32, 4, Distribution::kUniform}, {3000, 2000}, usable_devices());
  const std::vector<Shard> right = array.shards();
  const auto with = [&](const auto& change) {
    std::vector<Shard> shards = right;
    change(shards[1]);
    return shards;
  };
  EmptyAllocator empty;
  expect_refused(array, {}, StatusCode::kInvalidArgument, "no shards");
  expect_refused(array, with([](Shard& shard) { shard.device = 1000; }), StatusCode::kInvalidArgument, "device");
  expect_refused(array, with([](Shard& shard) { shard.keys.type = KeyType::kFloat32; }), StatusCode::kInvalidArgument,
                 "one type");
  expect_refused(array, with([](Shard& shard) { shard.values = {}; }), StatusCode::kInvalidArgument, "one size");
  expect_refused(array, with([&](Shard& shard) { shard.keys.data = right[0].keys.data; }), StatusCode::kInvalidArgument,
                 "keys of shard 0 and keys of shard 1 overlap");
  expect_refused(array, with([](Shard& shard) { shard.keys.data = nullptr; }), StatusCode::kInvalidArgument,
                 "keys of shard 1: null");
  expect_refused(array, with([](Shard& shard) { shard.scratch = Scratch(shard.scratch.memory(), 1024); }),
                 StatusCode::kScratchTooSmall, "too small");
  expect_refused(array, with([&](Shard& shard) { shard.scratch = empty; }), StatusCode::kOutOfMemory, "allocator");
  expect_refused(array, with([&](Shard& shard) { shard.scratch = right[0].scratch; }), StatusCode::kInvalidArgument,
                 "overlap");
}

/// Memory of a pool, which other devices may not reach by themselves.
TEST(CudaShardSortGpu, TakesMemoryOfPools) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kItems = 300'000;
  const std::vector<int> devices = usable_devices();
  std::vector<std::uint64_t> expected = make_keys<std::uint64_t>(Distribution::kUniform, 3 * kItems, 95);
  StreamAllocator pool;
  std::vector<CudaStream> streams;
  std::vector<Shard> shards;
  for (std::size_t i = 0; i < 3; ++i) {
    const int device = devices[i % devices.size()];
    select_device(device);
    const cudaStream_t stream = streams.emplace_back().handle();
    void* const keys = pool.allocate(kItems * sizeof(std::uint64_t), stream);
    ASSERT_NE(keys, nullptr);
    check_cuda(cudaMemcpyAsync(keys, &expected[i * kItems], kItems * sizeof(std::uint64_t), cudaMemcpyDefault, stream),
               "upload");
    shards.push_back({device, Keys(keys, KeyType::kUint64), {}, kItems, pool, stream});
  }
  expect_ok(sort_shards(shards, Order::kAscending));
  std::vector<std::uint64_t> sorted(expected.size());
  for (std::size_t i = 0; i < 3; ++i) {
    select_device(shards[i].device);
    check_cuda(cudaMemcpyAsync(&sorted[i * kItems], shards[i].keys.data, kItems * sizeof(std::uint64_t),
                               cudaMemcpyDefault, shards[i].stream),
               "download");
    pool.deallocate(shards[i].keys.data, kItems * sizeof(std::uint64_t), shards[i].stream);
    streams[i].synchronize();
  }
  select_device(devices[0]);
  std::ranges::sort(expected);
  EXPECT_TRUE(sorted == expected);
}

TEST(CudaShardSortGpu, SaysWhichCallFailed) {
  SORTIE_REQUIRE_GPU();
  const SortCase test{KeyType::kInt64, 4, Distribution::kUniform};
  bool has_struck = true;
  for (std::uint64_t call = 1; has_struck; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const SpreadArray array(test, {5000, 7000}, usable_devices());
    const std::vector<Shard> shards = array.shards();
    Status status;
    {
      const CudaFaultPlan plan(call, false, cudaErrorUnknown);
      status = sort_shards(shards, test.order);
      has_struck = plan.has_struck();
    }
    EXPECT_EQ(status.code(), has_struck ? StatusCode::kCudaError : StatusCode::kOk) << status.message();
    if (!has_struck) array.expect_ranges_of_the_whole();
  }
}

template <class Position>
void expect_shards_argsorted(const SortCase& test, const Counts& counts) {
  SCOPED_TRACE("argsort: " + test.describe() + ", " + std::to_string(counts.size()) + " shards");
  const std::vector<int> devices = usable_devices();
  const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  const ItemArray keys = make_key_items(test.type, test.distribution, total, test.seed);
  std::vector<std::unique_ptr<ShardMemory>> memories;
  std::vector<ArgsortShard> shards;
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const int device = devices[i % devices.size()];
    select_device(device);
    const ItemArray positions{sizeof(Position), Bytes(counts[i] * sizeof(Position), std::byte{kPoison})};
    const ShardMemory& memory = *memories.emplace_back(std::make_unique<ShardMemory>(
        device, test.type, part_of(keys, begin, begin + counts[i]), positions,
        argsort_shards_scratch_bytes(test.type, sizeof(Position), counts[i], counts.size())));
    shards.push_back({device, memory.items.keys(), Positions(memory.items.values_memory.data(), sizeof(Position)),
                      counts[i], Scratch(memory.scratch.data(), memory.scratch_bytes), memory.stream.handle()});
    begin += counts[i];
  }
  expect_ok(argsort_shards(shards, test.order));
  const std::vector<std::uint64_t> order = stable_order(keys, test.type, test.order);
  ItemArray expected{sizeof(Position), Bytes(total * sizeof(Position))};
  for (std::uint64_t i = 0; i < total; ++i) {
    const auto position = static_cast<Position>(order[i]);
    std::memcpy(expected.bytes.data() + i * sizeof(Position), &position, sizeof(Position));
  }
  begin = 0;
  for (const auto& memory : memories) {
    select_device(memory->device);
    const std::uint64_t end = begin + memory->count;
    expect_same_items(part_of(expected, begin, end), memory->items.values_memory.download(), "positions");
    expect_same_items(part_of(keys, begin, end), memory->items.keys_memory.download(), "keys");
    begin = end;
  }
  select_device(devices[0]);
}

TEST_P(CudaShardsGpu, HavePositionsOfTheWhole) {
  SORTIE_REQUIRE_GPU();
  for (const Order order : kBothOrders) {
    expect_shards_argsorted<std::uint32_t>({GetParam(), 4, Distribution::kFewValued, 0, order}, {20'000, 0, 30'001});
    expect_shards_argsorted<std::uint64_t>({GetParam(), 8, Distribution::kUniform, 0, order}, {1, 20'000});
    expect_shards_argsorted<std::uint64_t>({GetParam(), 8, Distribution::kZipf, 0, order}, {5000});
  }
}

TEST(CudaShardSortGpu, NamesTheShardWhoseArraysToArgsortAreWrong) {
  SORTIE_REQUIRE_GPU();
  const ArgsortShard empty{
      usable_devices()[0], Keys(nullptr, KeyType::kInt32), Positions(nullptr, 4), 0, Scratch(nullptr, 0), nullptr};
  std::vector<ArgsortShard> shards{empty, empty};
  shards[1].count = 5;
  const Status status = argsort_shards(shards, Order::kAscending);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("keys of shard 1: null"), std::string::npos) << status.message();
}

TEST(CudaShardScratch, IsThatOfASortOrOfAMerge) {
  constexpr std::uint64_t kCount = 1 << 28;
  EXPECT_LT(sort_shards_scratch_bytes(KeyType::kUint64, 8, kCount, 8), kCount * 17);
  EXPECT_LT(sort_shards_scratch_bytes(KeyType::kUint32, 0, kCount, 8), kCount * 5);
  EXPECT_GT(sort_shards_scratch_bytes(KeyType::kUint32, 0, 0, 2), 0U);
}

}  // namespace
}  // namespace sortie::cuda

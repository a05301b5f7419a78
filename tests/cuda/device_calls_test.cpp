// What all functions of sortie::cuda share: streams, threads, graphs, and scratch in both ways.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include <sortie/cuda/device_radix_sort.hpp>
#include <sortie/cuda/device_shards.hpp>

#include "cuda/shared_calls.hpp"
#include "cuda/sort_checks.hpp"
#include "cuda/test_allocators.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

/// A radix sort with scratch from CUDA's pool.
struct AllocatingSorter {
  static std::size_t scratch_bytes(KeyType /*type*/, std::size_t /*value_bytes*/, std::uint64_t /*count*/) { return 0; }
  static Status sort(Keys keys, Values values, std::uint64_t count, Order order, Scratch /*scratch*/,
                     cudaStream_t stream) {
    StreamAllocator allocator;
    return radix_sort(keys, values, count, order, allocator, stream);
  }
};

TEST(CudaCallsGpu, RefuseTooLittleScratchAndTouchNothing) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  const SharedItems shared(stream);
  for (const Call& call : all_calls(shared)) {
    SCOPED_TRACE(call.name);
    ASSERT_GT(call.scratch_bytes, 0U);
    const DeviceArray<std::byte> scratch(call.scratch_bytes + 256, stream);
    const Status too_small = call.run(Scratch(scratch.data(), call.scratch_bytes - 1), stream.handle());
    EXPECT_EQ(too_small.code(), StatusCode::kScratchTooSmall);
    EXPECT_NE(too_small.message().find(std::to_string(call.scratch_bytes)), std::string::npos) << too_small.message();
    const Status unaligned = call.run(Scratch(scratch.data() + 16, call.scratch_bytes), stream.handle());
    EXPECT_EQ(unaligned.code(), StatusCode::kInvalidArgument) << unaligned.message();
    const Status on_keys = call.run(Scratch(shared.items.keys_memory.data(), call.scratch_bytes), stream.handle());
    EXPECT_EQ(on_keys.code(), StatusCode::kInvalidArgument) << on_keys.message();
    EmptyAllocator empty;
    EXPECT_EQ(call.run(empty, stream.handle()).code(), StatusCode::kOutOfMemory);
    shared.expect_untouched();
  }
}

TEST(CudaCallsGpu, GiveTheAllocatorItsMemoryBack) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  const SharedItems shared(stream);
  for (const Call& call : all_calls(shared)) {
    SCOPED_TRACE(call.name);
    shared.restore(stream);  // some calls want lists that are sorted
    CountingAllocator allocator;
    expect_ok(call.run(allocator, stream.handle()));
    stream.synchronize();
    EXPECT_EQ(allocator.lent, 1);
    EXPECT_EQ(allocator.returned, 1);
  }
}

/// What a call makes of the shared items: in place, and in the output.
std::vector<Bytes> results(const SharedItems& shared) {
  return {shared.items.keys_memory.download(), shared.items.values_memory.download(),
          shared.output.keys_memory.download(), shared.output.values_memory.download()};
}

/// A capture in global mode fails at anything that synchronises or allocates.
TEST(CudaCallsGpu, AreCapturedIntoAGraphAndReplayed) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  const SharedItems shared(stream);
  for (const Call& call : all_calls(shared)) {
    SCOPED_TRACE(call.name);
    const DeviceArray<std::byte> scratch(call.scratch_bytes, stream);
    stream.synchronize();
    cudaGraph_t graph = nullptr;
    check_cuda(cudaStreamBeginCapture(stream.handle(), cudaStreamCaptureModeGlobal), "begin capture");
    const Status status = call.run(Scratch(scratch.data(), call.scratch_bytes), stream.handle());
    check_cuda(cudaStreamEndCapture(stream.handle(), &graph), "end capture");
    expect_ok(status);
    shared.expect_untouched();
    cudaGraphExec_t executable = nullptr;
    check_cuda(cudaGraphInstantiate(&executable, graph, 0), "instantiate");
    std::vector<std::vector<Bytes>> replays;
    for (int replay = 0; replay < 3; ++replay) {
      shared.restore(stream);
      check_cuda(cudaMemsetAsync(scratch.data(), kPoison + replay, call.scratch_bytes, stream.handle()), "poison");
      check_cuda(cudaGraphLaunch(executable, stream.handle()), "launch graph");
      replays.push_back(results(shared));
    }
    check_cuda(cudaGraphExecDestroy(executable), "destroy executable graph");
    check_cuda(cudaGraphDestroy(graph), "destroy graph");
    shared.restore(stream);
    expect_ok(call.run(Scratch(scratch.data(), call.scratch_bytes), stream.handle()));
    const std::vector<Bytes> expected = results(shared);
    for (const std::vector<Bytes>& replay : replays) EXPECT_TRUE(replay == expected);
    shared.restore(stream);
    check_cuda(cudaMemcpyAsync(shared.output.keys_memory.data(), shared.keys.bytes.data(), shared.keys.bytes.size(),
                               cudaMemcpyDefault, stream.handle()),
               "restore output");
    stream.synchronize();
  }
}

TEST(CudaCallsGpu, AllocateInTheOrderOfTheStreamWithinAGraph) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  const ItemArray keys = make_key_items(KeyType::kFloat32, Distribution::kUniform, 30'011, 85);
  const DeviceItems items(keys, KeyType::kFloat32, {}, stream);
  StreamAllocator allocator;
  cudaGraph_t graph = nullptr;
  check_cuda(cudaStreamBeginCapture(stream.handle(), cudaStreamCaptureModeGlobal), "begin capture");
  const Status status = radix_sort(items.keys(), 30'011, Order::kAscending, allocator, stream.handle());
  check_cuda(cudaStreamEndCapture(stream.handle(), &graph), "end capture");
  expect_ok(status);
  cudaGraphExec_t executable = nullptr;
  check_cuda(cudaGraphInstantiate(&executable, graph, 0), "instantiate");
  check_cuda(cudaGraphLaunch(executable, stream.handle()), "launch graph");
  const std::vector<std::uint64_t> order = stable_order(keys, KeyType::kFloat32, Order::kAscending);
  expect_same_items(gathered(keys, order), items.keys_memory.download(), "keys");
  check_cuda(cudaGraphExecDestroy(executable), "destroy executable graph");
  check_cuda(cudaGraphDestroy(graph), "destroy graph");
}

TEST(CudaCallsGpu, ThatWouldWaitAreRefusedInACaptureWhichGoesOn) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  const CudaStream other;
  constexpr std::uint64_t kItems = 5000;
  const ItemArray keys = make_key_items(KeyType::kUint32, Distribution::kUniform, kItems, 86);
  const DeviceItems items(keys, KeyType::kUint32, {}, stream);
  const DeviceArray<std::uint32_t> positions(kItems, stream);
  StreamAllocator allocator;
  const Keys none(nullptr, KeyType::kUint32);
  const Shard shards[] = {{0, items.keys(), {}, kItems, allocator, stream.handle()},
                          {0, none, {}, 0, allocator, other.handle()}};
  const ArgsortShard argsorted[] = {{0, items.keys(), positions.data(), kItems, allocator, stream.handle()},
                                    {0, none, Positions(nullptr, 4), 0, allocator, other.handle()}};
  cudaGraph_t graph = nullptr;
  check_cuda(cudaStreamBeginCapture(stream.handle(), cudaStreamCaptureModeGlobal), "begin capture");
  const Status refused[] = {sort_shards(shards, Order::kAscending), argsort_shards(argsorted, Order::kAscending)};
  const Status captured = radix_sort(items.keys(), kItems, Order::kAscending, allocator, stream.handle());
  check_cuda(cudaStreamEndCapture(stream.handle(), &graph), "end capture");
  check_cuda(cudaGraphDestroy(graph), "destroy graph");
  for (const Status& status : refused) EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status.message();
  expect_ok(captured);
}

TEST(CudaCallsGpu, OfSeveralStreamsRunSideBySide) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kItems = 300'007;
  constexpr unsigned kStreams = 4;
  constexpr auto kType = KeyType::kUint64;
  const CudaStream streams[kStreams];
  std::vector<ItemArray> keys;
  std::vector<DeviceItems> items;
  for (unsigned i = 0; i < kStreams; ++i) {
    keys.push_back(make_key_items(kType, Distribution::kUniform, kItems, 87 + i));
    items.emplace_back(keys[i], kType, make_value_items(4, kItems), streams[i]);
  }
  const Order orders[] = {Order::kAscending, Order::kDescending};
  StreamAllocator allocator;
  constexpr unsigned kRounds = 6;
  for (unsigned round = 0; round < kRounds; ++round) {
    for (unsigned i = 0; i < kStreams; ++i) {
      expect_ok(
          radix_sort(items[i].keys(), items[i].values(), kItems, orders[round % 2], allocator, streams[i].handle()));
    }
  }
  for (unsigned i = 0; i < kStreams; ++i) {
    SCOPED_TRACE("stream " + std::to_string(i));
    const std::vector<std::uint64_t> order = stable_order(keys[i], kType, Order::kDescending);
    expect_same_items(gathered(keys[i], order), items[i].keys_memory.download(), "keys");
    expect_same_items(gathered(make_value_items(4, kItems), order), items[i].values_memory.download(), "values");
  }
}

TEST(CudaCallsGpu, OfSeveralThreadsRunSideBySide) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::jthread> threads;
  for (const KeyType type : kAllKeyTypes) {
    threads.emplace_back([type] {
      for (const Order order : kBothOrders) {
        for (const std::uint64_t count : {1000, 30'011, 200'003}) {
          expect_sorted<AllocatingSorter>({type, 4, Distribution::kZipf, count, order});
        }
      }
    });
  }
}

TEST(CudaCallsGpu, SayThatAnEarlierCallFailed) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  const DeviceArray<float> keys(100, stream);
  StreamAllocator allocator;
  static_cast<void>(cudaSetDevice(100'000));
  const Status status = radix_sort(keys.data(), 100, Order::kAscending, allocator, stream.handle());
  EXPECT_EQ(status.code(), StatusCode::kCudaError);
  EXPECT_NE(status.message().find("earlier"), std::string::npos) << status.message();
  EXPECT_NE(cudaGetLastError(), cudaSuccess);
  expect_ok(radix_sort(keys.data(), 100, Order::kAscending, allocator, stream.handle()));
  stream.synchronize();
}

}  // namespace
}  // namespace sortie::cuda

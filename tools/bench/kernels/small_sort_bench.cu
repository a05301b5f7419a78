// Sorts of few items, time per call. A graph of kCalls sorts, each of its own array, is replayed: the same
// for ours and for CUB's, so that neither waits for the host. Arrays are filled anew before each replay.
#include <functional>
#include <string_view>

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cuda/std/functional>

#include "bench/kernels/families.hpp"
#include "device/cuda_error.hpp"
#include "kernels/bitonic_sort.hpp"

namespace sortie::bench {
namespace {

constexpr unsigned kCalls = 20;

/// Work recorded once, to be replayed.
class Graph {
 public:
  Graph(const BenchRun::Work& work, cudaStream_t stream) {
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    work(stream);
    cudaGraph_t graph = nullptr;
    check_cuda(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    check_cuda(cudaGraphInstantiate(&executable_, graph, 0), "cudaGraphInstantiate");
    check_cuda(cudaGraphDestroy(graph), "cudaGraphDestroy");
  }
  ~Graph() { cudaGraphExecDestroy(executable_); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void replay(cudaStream_t stream) const { check_cuda(cudaGraphLaunch(executable_, stream), "cudaGraphLaunch"); }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

/// Milliseconds of sort(call, stream), averaged over kCalls.
double milliseconds_per_call(const BenchRun& run, const BenchRun::Work& fill,
                             const std::function<void(unsigned, cudaStream_t)>& sort) {
  const Graph graph(
      [&](cudaStream_t s) {
        for (unsigned call = 0; call < kCalls; ++call) sort(call, s);
      },
      run.stream());
  return run.milliseconds(fill, [&](cudaStream_t s) { graph.replay(s); }) / kCalls;
}

/// A sort of CUB's: with no area it only says how many bytes of scratch it needs.
using CubSort = std::function<void(void* area, std::size_t& bytes, unsigned call, cudaStream_t stream)>;

double cub_milliseconds(const BenchRun& run, const BenchRun::Work& fill, const CubSort& sort) {
  std::size_t bytes = 0;
  sort(nullptr, bytes, 0, run.stream());
  const DeviceBuffer scratch(bytes);
  return milliseconds_per_call(run, fill, [&](unsigned call, cudaStream_t s) { sort(scratch.data(), bytes, call, s); });
}

template <class Key>
void bench_keys(BenchRun& run, std::string_view operation, KeyDistribution distribution, std::uint64_t count) {
  if (!run.wants(operation)) return;
  const Array<Key> keys(kCalls * count);
  const Array<Key> alternate(count);
  const auto radix = [&](void* area, std::size_t& bytes, unsigned call, cudaStream_t s) {
    cub::DoubleBuffer<Key> buffers(keys.data() + call * count, alternate.data());
    check_cuda(cub::DeviceRadixSort::SortKeys(area, bytes, buffers, count, 0, 8 * sizeof(Key), s), "CUB sort");
  };
  const auto merge = [&](void* area, std::size_t& bytes, unsigned call, cudaStream_t s) {
    check_cuda(
        cub::DeviceMergeSort::SortKeys(area, bytes, keys.data() + call * count, count, cuda::std::less<Key>(), s),
        "CUB sort");
  };
  const auto fill = [&](cudaStream_t s) {
    for (unsigned call = 0; call < kCalls; ++call) fill_keys(distribution, keys.data() + call * count, count, s);
  };
  Measurement row{std::string(operation), distribution, count};
  row.milliseconds = milliseconds_per_call(run, fill, [&](unsigned call, cudaStream_t s) {
    kernels::bitonic_sort_keys(keys.data() + call * count, count, s);
  });
  row.peers = {{"CUB radix", cub_milliseconds(run, fill, radix)}, {"CUB merge", cub_milliseconds(run, fill, merge)}};
  run.add(std::move(row));
}

template <class Key>
void bench_pairs(BenchRun& run, std::string_view operation, KeyDistribution distribution, std::uint64_t count) {
  if (!run.wants(operation)) return;
  using Value = std::uint32_t;
  const Array<Key> keys(kCalls * count);
  const Array<Key> alternate(count);
  const Array<Value> values(kCalls * count);
  const Array<Value> alternate_values(count);
  const auto radix = [&](void* area, std::size_t& bytes, unsigned call, cudaStream_t s) {
    cub::DoubleBuffer<Key> buffers(keys.data() + call * count, alternate.data());
    cub::DoubleBuffer<Value> value_buffers(values.data() + call * count, alternate_values.data());
    check_cuda(cub::DeviceRadixSort::SortPairs(area, bytes, buffers, value_buffers, count, 0, 8 * sizeof(Key), s),
               "CUB sort");
  };
  const auto merge = [&](void* area, std::size_t& bytes, unsigned call, cudaStream_t s) {
    check_cuda(cub::DeviceMergeSort::SortPairs(area, bytes, keys.data() + call * count, values.data() + call * count,
                                               count, cuda::std::less<Key>(), s),
               "CUB sort");
  };
  const auto fill = [&](cudaStream_t s) {
    for (unsigned call = 0; call < kCalls; ++call) {
      fill_keys(distribution, keys.data() + call * count, count, s);
      fill_positions(values.data() + call * count, count, s);
    }
  };
  Measurement row{std::string(operation), distribution, count};
  row.milliseconds = milliseconds_per_call(run, fill, [&](unsigned call, cudaStream_t s) {
    kernels::bitonic_sort_pairs(keys.data() + call * count, values.data() + call * count, count, s);
  });
  row.peers = {{"CUB radix", cub_milliseconds(run, fill, radix)}, {"CUB merge", cub_milliseconds(run, fill, merge)}};
  run.add(std::move(row));
}

}  // namespace

void bench_small_sorts(BenchRun& run, KeyDistribution distribution, std::uint64_t count) {
  bench_keys<std::uint32_t>(run, "small sort u32", distribution, count);
  bench_keys<std::uint64_t>(run, "small sort u64", distribution, count);
  bench_pairs<std::uint32_t>(run, "small sort u32+u32", distribution, count);
  bench_pairs<std::uint64_t>(run, "small sort u64+u32", distribution, count);
}

}  // namespace sortie::bench

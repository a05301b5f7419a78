// Merges of sorted sequences beside CUB's merges, two by two, and beside CUB's radix sort of all items.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <cub/device/device_radix_sort.cuh>

#include "bench/kernels/cub_merges.cuh"
#include "bench/kernels/families.hpp"
#include "device/cuda_error.hpp"
#include "kernels/merge.hpp"
#include "kernels/radix_sort.hpp"

namespace sortie::bench {
namespace {

/// `sequence_count` sorted sequences of equal length side by side, on the device, and their offsets.
class Sequences {
 public:
  Sequences(std::uint64_t count, std::uint32_t sequence_count, cudaStream_t stream) : device_(sequence_count + 1) {
    for (std::uint64_t i = 0; i <= sequence_count; ++i) host_.push_back(count / sequence_count * i);
    check_cuda(
        cudaMemcpyAsync(device_.data(), host_.data(), host_.size() * sizeof(std::uint64_t), cudaMemcpyDefault, stream),
        "uploading offsets");
    check_cuda(cudaStreamSynchronize(stream), "uploading offsets");
  }

  kernels::SortedSequences on_device() const {
    return {device_.data(), static_cast<std::uint32_t>(host_.size() - 1), host_.back()};
  }
  std::uint64_t length() const { return host_[1]; }

 private:
  std::vector<std::uint64_t> host_;
  Array<std::uint64_t> device_;
};

template <class Arrays>
void fill_sequences(const Arrays& arrays, const Sequences& sequences, KeyDistribution distribution, void* scratch,
                    cudaStream_t stream) {
  const std::uint64_t count = sequences.on_device().item_count;
  constexpr kernels::BitRange kBits{0, 8 * sizeof(typename Arrays::KeyType)};
  fill_keys(distribution, arrays.keys.data(), count, stream);
  if constexpr (Arrays::kHasValues) fill_positions(arrays.values.data(), count, stream);
  for (std::uint64_t begin = 0; begin < count; begin += sequences.length()) {
    if constexpr (Arrays::kHasValues) {
      kernels::radix_sort_pairs(arrays.keys.data() + begin, arrays.other_keys.data(), arrays.values.data() + begin,
                                arrays.other_values.data(), sequences.length(), kBits, scratch, stream);
    } else {
      kernels::radix_sort_keys(arrays.keys.data() + begin, arrays.other_keys.data(), sequences.length(), kBits, scratch,
                               stream);
    }
  }
}

template <class Arrays>
void merge_sequences(const Arrays& arrays, const Sequences& sequences, void* scratch, cudaStream_t stream) {
  if constexpr (Arrays::kHasValues) {
    kernels::merge_sequences(arrays.keys.data(), arrays.other_keys.data(), arrays.values.data(),
                             arrays.other_values.data(), sequences.on_device(), kernels::SortOrder::kAscending, scratch,
                             stream);
  } else {
    kernels::merge_sequences(arrays.keys.data(), arrays.other_keys.data(), sequences.on_device(), scratch, stream);
  }
}

/// Sorts all items, as if the sequences were not sorted.
template <class Arrays>
class CubRadixSort {
 public:
  CubRadixSort(const Arrays& arrays, std::uint64_t count, cudaStream_t stream) : arrays_(arrays), count_(count) {
    sort(nullptr, stream);
    scratch_ = DeviceBuffer(bytes_);
  }

  void run(cudaStream_t stream) { sort(scratch_.data(), stream); }

 private:
  void sort(void* area, cudaStream_t stream) {
    constexpr int kBits = 8 * sizeof(typename Arrays::KeyType);
    cub::DoubleBuffer keys(arrays_.keys.data(), arrays_.other_keys.data());
    if constexpr (Arrays::kHasValues) {
      cub::DoubleBuffer values(arrays_.values.data(), arrays_.other_values.data());
      check_cuda(cub::DeviceRadixSort::SortPairs(area, bytes_, keys, values, count_, 0, kBits, stream),
                 "CUB radix sort");
    } else {
      check_cuda(cub::DeviceRadixSort::SortKeys(area, bytes_, keys, count_, 0, kBits, stream), "CUB radix sort");
    }
  }

  const Arrays& arrays_;
  std::uint64_t count_;
  std::size_t bytes_ = 0;
  DeviceBuffer scratch_;
};

/// Merges `sequence_count` sequences, a power of two, in passes over 16 at a time.
template <class Key, class Value = kernels::NoValue>
void bench_merge(BenchRun& run, const std::string& items, std::uint32_t sequence_count, KeyDistribution distribution,
                 std::uint64_t count) {
  const std::string operation =
      "merge " + (sequence_count == 2 ? "" : "of " + std::to_string(sequence_count) + " ") + items;
  if (!run.wants(operation)) return;
  using Arrays = ItemArrays<Key, Value>;
  const Arrays arrays(count);
  const Sequences sequences(count, sequence_count, run.stream());
  const DeviceBuffer scratch(
      std::max(kernels::radix_sort_scratch_bytes(count), kernels::merge_scratch_bytes(count, sequence_count)));
  const auto fill = [&](cudaStream_t s) { fill_sequences(arrays, sequences, distribution, scratch.data(), s); };
  CubMerges<Arrays> cub_merges(arrays, count, run.stream());
  CubRadixSort<Arrays> cub_sort(arrays, count, run.stream());

  const unsigned passes = kernels::merge_pass_count(sequence_count);
  Measurement row{operation, distribution, count, count * passes * 2 * Arrays::kItemBytes};
  row.milliseconds =
      run.milliseconds(fill, [&](cudaStream_t s) { merge_sequences(arrays, sequences, scratch.data(), s); });
  row.peers.push_back(
      {"CUB merge", run.milliseconds(fill, [&](cudaStream_t s) { cub_merges.run(sequences.length(), s); })});
  row.peers.push_back({"CUB radix", run.milliseconds(fill, [&](cudaStream_t s) { cub_sort.run(s); })});
  run.add(std::move(row));
}

}  // namespace

void bench_merges(BenchRun& run, KeyDistribution distribution, std::uint64_t count) {
  for (const std::uint32_t sequence_count : {2, 4, 16, 64}) {
    bench_merge<std::uint32_t>(run, "u32", sequence_count, distribution, count);
    bench_merge<std::uint64_t>(run, "u64", sequence_count, distribution, count);
    bench_merge<std::uint32_t, std::uint32_t>(run, "u32+u32", sequence_count, distribution, count);
    bench_merge<std::uint64_t, std::uint32_t>(run, "u64+u32", sequence_count, distribution, count);
    bench_merge<std::uint64_t, std::uint64_t>(run, "u64+u64", sequence_count, distribution, count);
  }
}

}  // namespace sortie::bench

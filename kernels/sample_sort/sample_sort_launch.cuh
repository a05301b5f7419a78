// A sample sort: keys drawn from the input split it into buckets of some thousand items, whatever the keys are, and
// each bucket is sorted by one block. It reads and writes the items twice, in three launches, where a radix sort takes
// a launch per digit. For sorts that are too long for one launch, and too short to be bound by memory. Equal keys are
// told apart by their positions, so that buckets are even if all keys are the same.
//
// Leischner, Osipov and Sanders, "GPU Sample Sort", 2010.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

#include "device/cuda_error.hpp"
#include "kernels/common/attribute_launch.cuh"
#include "kernels/common/launch.hpp"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/sample_sort/sample_bucket_sort.cuh"
#include "kernels/sample_sort/sample_partition.cuh"
#include "kernels/sample_sort/sample_sort_plan.hpp"
#include "kernels/sample_sort/sample_splitters.cuh"

namespace sortie::kernels {

/// Whether the device can run all blocks of this grid at once, so that they may wait for each other.
template <class Kernel>
bool runs_at_once(Kernel kernel, const char* name, const LaunchShape& shape) {
  if (device_attribute(cudaDevAttrCooperativeLaunch) == 0) return false;
  int blocks = 0;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(shape.threads),
                                                           shape.shared_bytes),
             name);
  return std::uint64_t{multiprocessor_count()} * static_cast<unsigned>(blocks) >= shape.grid;
}

/// Launches a grid for which runs_at_once() is true. Throws Error that names `name` if the launch is refused.
template <class... Parameters>
void launch_at_once(void (*kernel)(Parameters...), const char* name, const LaunchShape& shape, cudaStream_t stream,
                    std::type_identity_t<Parameters>... arguments) {
  launch_with({.runs_at_once = true}, kernel, name, shape, stream, arguments...);
}

/// Launches one sort.
template <class Key, class Value, class Codec>
class SampleSort {
 public:
  SampleSort(const RadixArrays<Key, Value>& arrays, const Codec& codec, std::uint64_t count, BitRange bits,
             void* scratch, cudaStream_t stream)
      : arrays_(arrays),
        codec_(codec),
        count_(static_cast<unsigned>(count)),
        bits_(bits),
        scratch_(sample_sort_scratch(scratch, count)),
        stream_(stream),
        overlaps_(has_code_for_90(sample_bucket_sort_kernel<Key, Value, Codec>)),
        partition_kernel_(partition_items(count) == kFewPartitionItems
                              ? sample_partition_kernel<Key, Value, Codec, kFewPartitionItems>
                              : sample_partition_kernel<Key, Value, Codec, kManyPartitionItems>) {}

  /// Returns false, and launches nothing, if the device is too small.
  bool launch() const {
    if (shared_bytes_per_block() < kSharedBytes) return false;
    if (!runs_at_once(partition_kernel_, "partition kernel", partition_shape())) return false;
    choose_splitters();
    launch_at_once(partition_kernel_, "partition kernel", partition_shape(), stream_, arrays_, codec_, count_, bits_,
                   scratch_);
    sort_buckets();
    return true;
  }

 private:
  static constexpr std::uint64_t kSharedBytes = sizeof(BucketSortShared<Key, Value>);

  LaunchShape partition_shape() const { return {scratch_.tiles, kPartitionThreads}; }

  void choose_splitters() const {
    const auto kernel = sample_splitters_kernel<Key, Codec>;
    const std::uint64_t shared_bytes = scratch_.samples() * sizeof(Key);
    constexpr std::uint64_t kMostBytes = kMostSampleBuckets * kSamplesOfBucket * sizeof(Key);
    allow_shared_bytes(kernel, kMostBytes, "shared memory of the splitter kernel");
    launch_overlapping(kernel, "splitter kernel", {scratch_.samples() / kRankedByBlock, kSplitterThreads, shared_bytes},
                       overlaps_, stream_, CodedKeys<Key, Codec>{arrays_.keys, codec_}, count_, bits_, scratch_);
  }

  void sort_buckets() const {
    const auto kernel = sample_bucket_sort_kernel<Key, Value, Codec>;
    allow_shared_bytes(kernel, kSharedBytes, "shared memory of the bucket sort kernel");
    launch_overlapping(kernel, "bucket sort kernel", {scratch_.buckets, kBucketSortThreads, kSharedBytes}, overlaps_,
                       stream_, arrays_, codec_, bits_, scratch_.begins);
  }

  const RadixArrays<Key, Value> arrays_;
  const Codec codec_;
  const unsigned count_;
  const BitRange bits_;
  const SampleSortScratch scratch_;
  const cudaStream_t stream_;
  const bool overlaps_;  ///< see launch_overlapping()
  void (*const partition_kernel_)(RadixArrays<Key, Value>, Codec, unsigned, BitRange, SampleSortScratch);
};

/// Sorts by bits of the keys' codes. Stable. Returns false, and launches nothing, if the device is too small. The
/// result is in the primary arrays. Precondition: kFewestSampleSorted <= count <= kMostSampleSorted.
template <class Key, class Value, class Codec>
bool sort_by_samples(const RadixArrays<Key, Value>& arrays, const Codec& codec, std::uint64_t count, BitRange bits,
                     void* scratch, cudaStream_t stream) {
  return SampleSort<Key, Value, Codec>(arrays, codec, count, bits, scratch, stream).launch();
}

}  // namespace sortie::kernels

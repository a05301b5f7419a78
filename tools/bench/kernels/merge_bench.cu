// Merges beside CUB's: two halves, and 16 sequences, which CUB merges two by two.
#include <string_view>
#include <utility>
#include <vector>

#include <cub/device/device_merge.cuh>

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
  /// Calls sort(begin) for the beginning of each sequence.
  template <class Sort>
  void for_each(const Sort& sort) const {
    for (std::size_t i = 0; i + 1 < host_.size(); ++i) sort(host_[i]);
  }

 private:
  std::vector<std::uint64_t> host_;
  Array<std::uint64_t> device_;
};

std::uint64_t scratch_bytes(std::uint64_t count, std::uint32_t sequence_count) {
  return std::max(kernels::radix_sort_scratch_bytes(count), kernels::merge_scratch_bytes(count, sequence_count));
}

template <class Key>
void bench_keys(BenchRun& run, std::string_view operation, KeyDistribution distribution, std::uint64_t count) {
  if (!run.wants(operation)) return;
  const Array<Key> keys(count);
  const Array<Key> merged(count);
  const DeviceBuffer scratch(scratch_bytes(count, 2));
  const Sequences halves(count, 2, run.stream());
  const std::uint64_t half = halves.length();
  fill_keys(distribution, keys.data(), count, run.stream());
  halves.for_each([&](std::uint64_t begin) {
    kernels::radix_sort_keys(keys.data() + begin, merged.data(), half, {0, 8 * sizeof(Key)}, scratch.data(),
                             run.stream());
  });
  std::size_t cub_bytes = 0;
  const auto cub_merge = [&](void* area, cudaStream_t s) {
    check_cuda(
        cub::DeviceMerge::MergeKeys(area, cub_bytes, keys.data(), half, keys.data() + half, half, merged.data(), {}, s),
        "CUB merge");
  };
  cub_merge(nullptr, run.stream());
  const DeviceBuffer cub_scratch(cub_bytes);

  Measurement row{std::string(operation), distribution, count, count * 2 * sizeof(Key)};
  row.milliseconds = run.milliseconds([&](cudaStream_t s) {
    kernels::merge_pass(keys.data(), merged.data(), halves.on_device(), 0, scratch.data(), s);
  });
  row.peers.push_back({"CUB merge", run.milliseconds([&](cudaStream_t s) { cub_merge(cub_scratch.data(), s); })});
  run.add(std::move(row));
}

/// The pairs of a bench, in primary and alternate arrays.
struct PairArrays {
  explicit PairArrays(std::uint64_t count) : keys(count), other_keys(count), values(count), other_values(count) {}
  kernels::PrefixPairs primary() const { return {keys.data(), values.data()}; }
  kernels::PrefixPairs alternate() const { return {other_keys.data(), other_values.data()}; }

  Array<std::uint64_t> keys;
  Array<std::uint64_t> other_keys;
  Array<std::uint32_t> values;
  Array<std::uint32_t> other_values;
};

void fill_sequences(const PairArrays& pairs, const Sequences& sequences, KeyDistribution distribution, void* scratch,
                    cudaStream_t stream) {
  const std::uint64_t count = sequences.on_device().item_count;
  fill_keys(distribution, pairs.keys.data(), count, stream);
  fill_positions(pairs.values.data(), count, stream);
  sequences.for_each([&](std::uint64_t begin) {
    kernels::radix_sort_pairs(pairs.keys.data() + begin, pairs.other_keys.data(), pairs.values.data() + begin,
                              pairs.other_values.data(), sequences.length(), {0, 64}, scratch, stream);
  });
}

/// Merges neighbouring sequences of `length` items each, two by two, from the first arrays to the second.
class CubMerges {
 public:
  CubMerges(std::uint64_t count, cudaStream_t stream) : count_(count) {
    check_cuda(merge(nullptr, {}, {}, 0, count / 2, stream), "CUB merge scratch");
    scratch_ = DeviceBuffer(bytes_);
  }

  void round(const kernels::PrefixPairs& in, const kernels::PrefixPairs& out, std::uint64_t length,
             cudaStream_t stream) {
    for (std::uint64_t begin = 0; begin < count_; begin += 2 * length) {
      check_cuda(merge(scratch_.data(), in, out, begin, length, stream), "CUB merge");
    }
  }

 private:
  cudaError_t merge(void* area, const kernels::PrefixPairs& in, const kernels::PrefixPairs& out, std::uint64_t begin,
                    std::uint64_t length, cudaStream_t stream) {
    const std::uint64_t middle = begin + length;
    return cub::DeviceMerge::MergePairs(area, bytes_, in.prefixes + begin, in.indices + begin, length,
                                        in.prefixes + middle, in.indices + middle, length, out.prefixes + begin,
                                        out.indices + begin, {}, stream);
  }

  std::uint64_t count_;
  std::size_t bytes_ = 0;
  DeviceBuffer scratch_;
};

/// Merges 2 or 16 sequences of pairs. CUB takes as many rounds as we do.
void bench_pairs(BenchRun& run, std::string_view operation, std::uint32_t sequence_count, KeyDistribution distribution,
                 std::uint64_t count) {
  if (!run.wants(operation)) return;
  const PairArrays pairs(count);
  const DeviceBuffer scratch(scratch_bytes(count, sequence_count));
  const Sequences sequences(count, sequence_count, run.stream());
  const unsigned rounds = kernels::merge_round_count(sequence_count);
  const auto fill = [&](cudaStream_t s) { fill_sequences(pairs, sequences, distribution, scratch.data(), s); };
  CubMerges cub(count, run.stream());

  Measurement row{std::string(operation), distribution, count, count * rounds * 24};
  row.milliseconds = run.milliseconds(fill, [&](cudaStream_t s) {
    kernels::merge_rounds(pairs.primary(), pairs.alternate(), sequences.on_device(), nullptr, scratch.data(), s);
  });
  const double theirs = run.milliseconds(fill, [&](cudaStream_t s) {
    kernels::PrefixPairs in = pairs.primary();
    kernels::PrefixPairs out = pairs.alternate();
    for (unsigned round = 0; round < rounds; ++round) {
      cub.round(in, out, sequences.length() << round, s);
      std::swap(in, out);
    }
  });
  row.peers.push_back({"CUB merge", theirs});
  run.add(std::move(row));
}

}  // namespace

void bench_merges(BenchRun& run, KeyDistribution distribution, std::uint64_t count) {
  bench_keys<std::uint32_t>(run, "merge u32", distribution, count);
  bench_keys<std::uint64_t>(run, "merge u64", distribution, count);
  bench_pairs(run, "merge u64+u32", 2, distribution, count);
  bench_pairs(run, "merge of 16 u64+u32", 16, distribution, count);
}

}  // namespace sortie::bench

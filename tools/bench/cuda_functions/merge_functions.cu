#include <vector>

#include <sortie/cuda/device_merge.hpp>

#include "bench/cuda_functions/function_case.cuh"
#include "bench/cuda_functions/functions.hpp"
#include "bench/kernels/cub_merges.cuh"

namespace sortie::bench {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 28;

/// `list_count` sorted lists of equal length side by side in the first arrays; the others take what is merged.
template <class Key, class Value>
struct Lists {
  using Arrays = ItemArrays<Key, Value>;
  static constexpr std::size_t kValueBytes = Arrays::kHasValues ? sizeof(Value) : 0;

  Lists(std::uint64_t items, std::uint32_t lists, cudaStream_t stream)
      : count(items), list_count(lists), arrays(items), offsets(lists + 1) {
    std::vector<std::uint64_t> ends;
    for (std::uint64_t i = 0; i <= lists; ++i) ends.push_back(i * length());
    check_cuda(
        cudaMemcpyAsync(offsets.data(), ends.data(), ends.size() * sizeof(std::uint64_t), cudaMemcpyDefault, stream),
        "uploading offsets");
    fill(stream);
    check_cuda(cudaStreamSynchronize(stream), "sorting lists");
  }

  std::uint64_t length() const { return count / list_count; }
  std::uint64_t bytes() const { return count * (sizeof(Key) + kValueBytes); }
  sortie::cuda::SortedList list(std::uint32_t i) const {
    return {{arrays.keys.data() + i * length(), key_type<Key>()},
            {arrays.values.data() + i * length(), kValueBytes},
            length()};
  }
  sortie::cuda::Keys merged_keys() const { return {arrays.other_keys.data(), key_type<Key>()}; }
  sortie::cuda::Values merged_values() const { return {arrays.other_values.data(), kValueBytes}; }

  /// Makes the lists anew: CUB's rounds write to and fro.
  void fill(cudaStream_t stream) const {
    fill_keys(KeyDistribution::kUniform, arrays.keys.data(), count, stream);
    if constexpr (Arrays::kHasValues) fill_positions(arrays.values.data(), count, stream);
    sortie::cuda::StreamAllocator allocator;
    for (std::uint32_t i = 0; i < list_count; ++i) {
      require_ok(sortie::cuda::radix_sort({arrays.keys.data() + i * length(), key_type<Key>()}, length(),
                                          sortie::cuda::Order::kAscending, allocator, stream));
    }
  }

  std::uint64_t count;
  std::uint32_t list_count;
  Arrays arrays;
  Array<std::uint64_t> offsets;
};

template <class Key, class Value>
void finish_case(FunctionCase& a_case, const Lists<Key, Value>& lists) {
  CubMerges<typename Lists<Key, Value>::Arrays> merges(lists.arrays, lists.count, a_case.stream());
  a_case.time_whole_peer("CUB merge", [&](unsigned, cudaStream_t s) { merges.run(lists.length(), s); });
  a_case.finish();
}

template <class Key, class Value = NoValue>
void bench_merge(FunctionTable& table, const std::string& items, std::uint64_t count) {
  const std::string function = "merge " + items;
  if (!table.wants(function)) return;
  const Lists<Key, Value> lists(count, 2, table.timer().stream());
  FunctionCase a_case(table, function, size_name(count), lists.bytes(), calls_of(count));
  a_case.time_ours(sortie::cuda::merge_scratch_bytes(key_type<Key>(), lists.kValueBytes, count),
                   [&](unsigned, const sortie::cuda::Scratch& scratch, cudaStream_t s) {
                     return sortie::cuda::merge(lists.list(0), lists.list(1), lists.merged_keys(),
                                                lists.merged_values(), sortie::cuda::Order::kAscending, scratch, s);
                   });
  finish_case(a_case, lists);
}

template <class Key, class Value = NoValue>
void bench_merge_lists(FunctionTable& table, const std::string& items, std::uint64_t count, std::uint32_t list_count) {
  const std::string function = "merge_lists " + std::to_string(list_count) + " " + items;
  if (!table.wants(function)) return;
  const Lists<Key, Value> lists(count, list_count, table.timer().stream());
  const sortie::cuda::SortedLists all{{lists.arrays.keys.data(), key_type<Key>()},
                                      {lists.arrays.values.data(), lists.kValueBytes},
                                      lists.offsets.data(),
                                      list_count,
                                      count};
  FunctionCase a_case(table, function, size_name(count), lists.bytes(), calls_of(count));
  a_case.time_ours(sortie::cuda::merge_lists_scratch_bytes(key_type<Key>(), lists.kValueBytes, count, list_count),
                   [&](unsigned, const sortie::cuda::Scratch& scratch, cudaStream_t s) {
                     return sortie::cuda::merge_lists(all, lists.merged_keys(), lists.merged_values(),
                                                      sortie::cuda::Order::kAscending, scratch, s);
                   });
  finish_case(a_case, lists);
}

}  // namespace

void bench_merge_functions(FunctionTable& table, std::uint64_t count) {
  if (count > kMost) return;
  bench_merge<std::uint32_t>(table, "u32", count);
  bench_merge<std::uint64_t>(table, "u64", count);
  bench_merge<std::uint32_t, std::uint32_t>(table, "u32+u32", count);
  bench_merge<std::uint64_t, std::uint64_t>(table, "u64+u64", count);
  for (const std::uint32_t list_count : {8, 64}) {
    bench_merge_lists<std::uint32_t>(table, "u32", count, list_count);
    bench_merge_lists<std::uint64_t>(table, "u64", count, list_count);
    bench_merge_lists<std::uint64_t, std::uint64_t>(table, "u64+u64", count, list_count);
  }
}

}  // namespace sortie::bench

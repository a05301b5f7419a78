#include <thrust/execution_policy.h>
#include <thrust/set_operations.h>

#include <sortie/cuda/device_sets.hpp>

#include "bench/cuda_functions/function_case.cuh"
#include "bench/cuda_functions/functions.hpp"
#include "bench/cuda_functions/one_area.hpp"
#include "bench/cuda_functions/sorted_keys.cuh"

namespace sortie::bench {
namespace {

using sortie::cuda::SetOperation;

constexpr std::uint64_t kMost = std::uint64_t{1} << 28;

/// Two lists of half of the items each, with as many possible keys as there are items in one.
template <class Key>
struct SetArrays {
  SetArrays(std::uint64_t items, cudaStream_t stream) : count(items), keys(items), kept(items), kept_count(1) {
    for (const unsigned list : {0, 1}) {
      fill_sorted_below(static_cast<Key>(length()), keys.data() + list * length(), length(), stream);
    }
  }

  std::uint64_t length() const { return count / 2; }
  sortie::cuda::SortedList list(unsigned i) const { return {keys.data() + i * length(), {}, length()}; }

  std::uint64_t count;
  Array<Key> keys;
  Array<Key> kept;
  Array<std::uint64_t> kept_count;
};

/// Thrust waits for the size of its result.
template <class Key, class Operation>
void time_thrust(FunctionCase& a_case, const std::string& name, const SetArrays<Key>& arrays,
                 const Operation& operation) {
  OneArea area(arrays.count * sizeof(Key) + (std::uint64_t{1} << 26));
  a_case.time_whole_waiting_peer(name, [&](unsigned, cudaStream_t s) {
    const Key* const first = arrays.keys.data();
    const Key* const second = first + arrays.length();
    operation(thrust::cuda::par(area).on(s), first, second, second, second + arrays.length(), arrays.kept.data());
  });
}

template <class Key, class Operation>
void bench_operation(FunctionTable& table, const std::string& function, SetOperation operation,
                     const SetArrays<Key>& arrays, const Operation& thrust_operation) {
  if (!table.wants(function)) return;
  // One call: Thrust's is no part of a graph.
  FunctionCase a_case(table, function, size_name(arrays.count), arrays.count * sizeof(Key), 1);
  a_case.time_ours(sortie::cuda::set_operation_scratch_bytes(operation, key_type<Key>(), arrays.count),
                   [&](unsigned, const sortie::cuda::Scratch& scratch, cudaStream_t s) {
                     return sortie::cuda::set_operation(operation, arrays.list(0), arrays.list(1), arrays.kept.data(),
                                                        {}, arrays.kept_count.data(), sortie::cuda::Order::kAscending,
                                                        scratch, s);
                   });
  time_thrust(a_case, "Thrust", arrays, thrust_operation);
  a_case.finish();
}

}  // namespace

void bench_set_operations(FunctionTable& table, std::uint64_t count) {
  const std::string names[] = {"set_union u32", "set_intersection u32", "set_difference u32", "set_symmetric u32"};
  if (count > kMost || std::ranges::none_of(names, [&](const std::string& name) { return table.wants(name); })) return;
  const SetArrays<std::uint32_t> arrays(count, table.timer().stream());
  bench_operation(table, names[0], SetOperation::kUnion, arrays,
                  [](auto... arguments) { thrust::set_union(arguments...); });
  bench_operation(table, names[1], SetOperation::kIntersection, arrays,
                  [](auto... arguments) { thrust::set_intersection(arguments...); });
  bench_operation(table, names[2], SetOperation::kDifference, arrays,
                  [](auto... arguments) { thrust::set_difference(arguments...); });
  bench_operation(table, names[3], SetOperation::kSymmetricDifference, arrays,
                  [](auto... arguments) { thrust::set_symmetric_difference(arguments...); });
}

}  // namespace sortie::bench

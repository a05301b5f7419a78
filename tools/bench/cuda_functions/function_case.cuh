// One function of the library with one type of items and one size: it is timed, and its peers with it, in turn.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include <cuda_runtime_api.h>
#include <sortie/cuda/device_radix_sort.hpp>
#include <sortie/cuda/device_scratch.hpp>
#include <sortie/cuda/status.hpp>
#include <sortie/error.hpp>

#include "bench/cuda_functions/function_table.hpp"
#include "bench/kernels/key_fill.hpp"
#include "device/cuda_error.hpp"
#include "device/device_memory.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::bench {

using kernels::NoValue;

inline void require_ok(const sortie::cuda::Status& status) {
  if (!status.ok()) throw Error(status.message());
}

inline std::string size_name(std::uint64_t count) { return "2^" + std::to_string(std::bit_width(count) - 1); }

class FunctionCase {
 public:
  using Call = CallTimer::Call;
  /// One of CUB's calls. Without an area it only says how many bytes of scratch it needs.
  using CubCall = std::function<cudaError_t(void* area, std::size_t& bytes, unsigned call, cudaStream_t stream)>;

  /// `calls`: in one graph, each with arrays of its own if it changes them.
  FunctionCase(FunctionTable& table, const std::string& function, const std::string& size, std::uint64_t input_bytes,
               unsigned calls)
      : table_(table), calls_(calls), row_{function, size, input_bytes} {}

  /// Does this before each round.
  void prepare_by(Call prepare) { prepare_ = std::move(prepare); }

  /// Times a call of ours with scratch of the caller's, or several.
  template <class Ours>
  void time_ours(std::size_t scratch_bytes, const Ours& ours) {
    const DeviceBuffer area(std::max<std::size_t>(scratch_bytes, 1));
    const sortie::cuda::Scratch scratch(area.data(), scratch_bytes);
    row_.ours = table_.timer().time_per_call(
        calls_, prepare_, [&](unsigned call, cudaStream_t s) { require_ok(ours(call, scratch, s)); });
  }

  void time_peer(const std::string& name, const CubCall& peer) {
    with_scratch(name, peer, [&](const Call& whole) { time_whole_peer(name, whole); });
  }

  /// A call that waits for the device, and so is in no graph.
  void time_waiting_peer(const std::string& name, const CubCall& peer) {
    with_scratch(name, peer, [&](const Call& whole) { time_whole_waiting_peer(name, whole); });
  }

  /// A peer that has scratch of its own, or is several calls.
  void time_whole_peer(const std::string& name, const Call& peer) {
    row_.peers.push_back({name, table_.timer().time_per_call(calls_, prepare_, peer)});
  }
  void time_whole_waiting_peer(const std::string& name, const Call& peer) {
    const auto first = [](const Call& call) { return [&call](cudaStream_t s) { call(0, s); }; };
    row_.peers.push_back({name, table_.timer().time(first(prepare_), first(peer))});
  }

  void finish() { table_.add(std::move(row_), calls_); }

  cudaStream_t stream() const { return table_.timer().stream(); }

 private:
  template <class Use>
  void with_scratch(const std::string& name, const CubCall& peer, const Use& use) {
    std::size_t bytes = 0;
    check_cuda(peer(nullptr, bytes, 0, stream()), name.c_str());
    const DeviceBuffer area(std::max<std::size_t>(bytes, 1));
    use([&](unsigned call, cudaStream_t s) { check_cuda(peer(area.data(), bytes, call, s), name.c_str()); });
  }

  FunctionTable& table_;
  unsigned calls_;
  FunctionRow row_;
  Call prepare_ = [](unsigned, cudaStream_t) {};
};

/// Few items are sorted by several calls in a graph.
constexpr unsigned calls_of(std::uint64_t count) { return count <= (std::uint64_t{1} << 16) ? 16 : 1; }

/// CUB is the faster for a count of 32 bits.
constexpr std::uint32_t cub_count(std::uint64_t count) { return static_cast<std::uint32_t>(count); }

template <std::size_t kBytes>
using BitsOfSize = std::conditional_t<
    kBytes == 1, std::uint8_t,
    std::conditional_t<kBytes == 2, std::uint16_t, std::conditional_t<kBytes == 4, std::uint32_t, std::uint64_t>>>;

/// What KeyType a type of C++ or CUDA is.
template <class Key>
constexpr sortie::cuda::KeyType key_type() {
  if constexpr (sortie::cuda::KeyNumber<Key>) {
    return sortie::cuda::key_type_of<Key>();
  } else {
    static_assert(sizeof(Key) == 2);
    return sortie::cuda::KeyType::kFloat16;
  }
}

/// Uniform items, and copies of them for each call of a round, which changes them.
template <class Key, class Value = NoValue>
struct SortedInPlace {
  static constexpr bool kHasValues = kernels::kHasValue<Value>;
  static constexpr std::size_t kValueBytes = kHasValues ? sizeof(Value) : 0;

  SortedInPlace(std::uint64_t items, unsigned calls, cudaStream_t stream)
      : count(items),
        source_keys(calls * count),
        keys(calls * count),
        other_keys(count),
        source_values(kHasValues ? count : 0),
        values(kHasValues ? calls * count : 0),
        other_values(kHasValues ? count : 0) {
    fill_keys(KeyDistribution::kUniform, reinterpret_cast<BitsOfSize<sizeof(Key)>*>(source_keys.data()), calls * count,
              stream);
    if constexpr (kHasValues) {
      fill_positions(reinterpret_cast<std::uint32_t*>(source_values.data()), count * (sizeof(Value) / 4), stream);
    }
  }

  std::uint64_t bytes() const { return count * (sizeof(Key) + kValueBytes); }
  Key* keys_of(unsigned call) const { return keys.data() + call * count; }
  Value* values_of(unsigned call) const { return values.data() + call * count; }
  sortie::cuda::Keys our_keys(unsigned call) const { return {keys_of(call), key_type<Key>()}; }
  sortie::cuda::Values our_values(unsigned call) const { return {values_of(call), kValueBytes}; }

  CallTimer::Call refill() const {
    return [this](unsigned call, cudaStream_t s) {
      copy(keys_of(call), source_keys.data() + call * count, count * sizeof(Key), s);
      if constexpr (kHasValues) copy(values_of(call), source_values.data(), count * sizeof(Value), s);
    };
  }

  std::uint64_t count;
  Array<Key> source_keys;
  Array<Key> keys;
  Array<Key> other_keys;
  Array<Value> source_values;
  Array<Value> values;
  Array<Value> other_values;

 private:
  static void copy(void* to, const void* from, std::uint64_t bytes, cudaStream_t s) {
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, s), "copy of the input");
  }
};

}  // namespace sortie::bench

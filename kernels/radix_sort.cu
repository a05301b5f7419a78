#include "kernels/radix_sort.hpp"

#include "kernels/radix_launch.cuh"

namespace sortie::kernels {
namespace {

template <class Key, class Value>
void radix_sort(const RadixArrays<Key, Value>& arrays, std::uint64_t count, BitRange bits, void* scratch,
                cudaStream_t stream) {
  constexpr std::size_t kValueBytes = kHasValue<Value> ? sizeof(Value) : 0;
  using Large = RadixTile<RadixShape::kLarge, sizeof(Key), kValueBytes>;
  using Small = RadixTile<RadixShape::kSmall, sizeof(Key), kValueBytes>;
  if (shared_bytes_per_block() >= sizeof(RadixPassShared<Key, Value, Large>)) {
    launch_radix_sort<Large>(arrays, count, bits, scratch, stream);
  } else {
    launch_radix_sort<Small>(arrays, count, bits, scratch, stream);
  }
}

}  // namespace

std::uint64_t radix_sort_scratch_bytes(std::uint64_t count) { return radix_scratch(nullptr, count).size_bytes; }

void radix_sort_keys(std::uint32_t* keys, std::uint32_t* alternate_keys, std::uint64_t count, BitRange bits,
                     void* scratch, cudaStream_t stream) {
  radix_sort<std::uint32_t, NoValue>({keys, alternate_keys, nullptr, nullptr}, count, bits, scratch, stream);
}

void radix_sort_keys(std::uint64_t* keys, std::uint64_t* alternate_keys, std::uint64_t count, BitRange bits,
                     void* scratch, cudaStream_t stream) {
  radix_sort<std::uint64_t, NoValue>({keys, alternate_keys, nullptr, nullptr}, count, bits, scratch, stream);
}

void radix_sort_pairs(std::uint32_t* keys, std::uint32_t* alternate_keys, std::uint32_t* values,
                      std::uint32_t* alternate_values, std::uint64_t count, BitRange bits, void* scratch,
                      cudaStream_t stream) {
  radix_sort<std::uint32_t, std::uint32_t>({keys, alternate_keys, values, alternate_values}, count, bits, scratch,
                                           stream);
}

void radix_sort_pairs(std::uint64_t* keys, std::uint64_t* alternate_keys, std::uint32_t* values,
                      std::uint32_t* alternate_values, std::uint64_t count, BitRange bits, void* scratch,
                      cudaStream_t stream) {
  radix_sort<std::uint64_t, std::uint32_t>({keys, alternate_keys, values, alternate_values}, count, bits, scratch,
                                           stream);
}

void radix_sort_pairs(std::uint64_t* keys, std::uint64_t* alternate_keys, std::uint64_t* values,
                      std::uint64_t* alternate_values, std::uint64_t count, BitRange bits, void* scratch,
                      cudaStream_t stream) {
  radix_sort<std::uint64_t, std::uint64_t>({keys, alternate_keys, values, alternate_values}, count, bits, scratch,
                                           stream);
}

}  // namespace sortie::kernels

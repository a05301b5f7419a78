// Sorts by bits of unsigned keys, in ascending order. Numbers of all types: radix_sort_numbers.cu.
#include "kernels/radix_sort.hpp"

#include "kernels/common/key_codec.hpp"
#include "kernels/radix/radix_launch.cuh"

namespace sortie::kernels {

std::uint64_t radix_sort_scratch_bytes(std::uint64_t count) { return radix_scratch(nullptr, count).size_bytes; }

void radix_sort_keys(std::uint32_t* keys, std::uint32_t* alternate_keys, std::uint64_t count, BitRange bits,
                     void* scratch, cudaStream_t stream) {
  const RadixArrays<std::uint32_t, NoValue> arrays{keys, alternate_keys, nullptr, nullptr};
  radix_sort(arrays, PlainKeys{}, count, bits, scratch, stream);
}

void radix_sort_keys(std::uint64_t* keys, std::uint64_t* alternate_keys, std::uint64_t count, BitRange bits,
                     void* scratch, cudaStream_t stream) {
  const RadixArrays<std::uint64_t, NoValue> arrays{keys, alternate_keys, nullptr, nullptr};
  radix_sort(arrays, PlainKeys{}, count, bits, scratch, stream);
}

void radix_sort_pairs(std::uint32_t* keys, std::uint32_t* alternate_keys, std::uint32_t* values,
                      std::uint32_t* alternate_values, std::uint64_t count, BitRange bits, void* scratch,
                      cudaStream_t stream) {
  const RadixArrays<std::uint32_t, std::uint32_t> arrays{keys, alternate_keys, values, alternate_values};
  radix_sort(arrays, PlainKeys{}, count, bits, scratch, stream);
}

void radix_sort_pairs(std::uint32_t* keys, std::uint32_t* alternate_keys, std::uint64_t* values,
                      std::uint64_t* alternate_values, std::uint64_t count, BitRange bits, void* scratch,
                      cudaStream_t stream) {
  const RadixArrays<std::uint32_t, std::uint64_t> arrays{keys, alternate_keys, values, alternate_values};
  radix_sort(arrays, PlainKeys{}, count, bits, scratch, stream);
}

void radix_sort_pairs(std::uint64_t* keys, std::uint64_t* alternate_keys, std::uint32_t* values,
                      std::uint32_t* alternate_values, std::uint64_t count, BitRange bits, void* scratch,
                      cudaStream_t stream) {
  const RadixArrays<std::uint64_t, std::uint32_t> arrays{keys, alternate_keys, values, alternate_values};
  radix_sort(arrays, PlainKeys{}, count, bits, scratch, stream);
}

void radix_sort_pairs(std::uint64_t* keys, std::uint64_t* alternate_keys, std::uint64_t* values,
                      std::uint64_t* alternate_values, std::uint64_t count, BitRange bits, void* scratch,
                      cudaStream_t stream) {
  const RadixArrays<std::uint64_t, std::uint64_t> arrays{keys, alternate_keys, values, alternate_values};
  radix_sort(arrays, PlainKeys{}, count, bits, scratch, stream);
}

}  // namespace sortie::kernels

#include "bench/kernels/shuffled_indices.hpp"

#include "device/cuda_error.hpp"
#include "kernels/radix_sort.hpp"

namespace sortie::bench {

Array<std::uint32_t> shuffled_indices(std::uint64_t count, cudaStream_t stream) {
  Array<std::uint32_t> indices(count);
  const Array<std::uint64_t> keys(count);
  const Array<std::uint64_t> alternate(count);
  const Array<std::uint32_t> alternate_indices(count);
  const DeviceBuffer scratch(kernels::radix_sort_scratch_bytes(count));
  fill_keys(KeyDistribution::kUniform, keys.data(), count, stream);
  fill_positions(indices.data(), count, stream);
  kernels::radix_sort_pairs(keys.data(), alternate.data(), indices.data(), alternate_indices.data(), count, {0, 64},
                            scratch.data(), stream);
  check_cuda(cudaStreamSynchronize(stream), "shuffling indices");
  return indices;
}

}  // namespace sortie::bench

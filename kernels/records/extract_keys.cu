#include "kernels/common/launch.hpp"
#include "kernels/records.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    extract_prefixes_kernel(const __grid_constant__ RecordKeys keys, std::uint64_t first_record, std::uint64_t count,
                            PrefixPairs out) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  out.prefixes[i] = keys.word(first_record + i, 0);
  out.indices[i] = static_cast<std::uint32_t>(first_record + i);
}

__global__ void __launch_bounds__(kThreads)
    extract_words_kernel(const __grid_constant__ RecordKeys keys, const std::uint32_t* indices, std::uint64_t count,
                         std::uint64_t word_index, std::uint64_t* words) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) words[i] = keys.word(indices[i], word_index);
}

}  // namespace

void extract_prefixes(const RecordKeys& keys, std::uint64_t first_record, std::uint64_t count, const PrefixPairs& out,
                      cudaStream_t stream) {
  if (count == 0) return;
  extract_prefixes_kernel<<<grid_of_tiles(divide_up(count, kThreads)), kThreads, 0, stream>>>(keys, first_record, count,
                                                                                              out);
  check_launch("prefix extraction kernel");
}

void extract_words(const RecordKeys& keys, const std::uint32_t* indices, std::uint64_t count, std::uint64_t word_index,
                   std::uint64_t* words, cudaStream_t stream) {
  if (count == 0) return;
  extract_words_kernel<<<grid_of_tiles(divide_up(count, kThreads)), kThreads, 0, stream>>>(keys, indices, count,
                                                                                           word_index, words);
  check_launch("key word extraction kernel");
}

}  // namespace sortie::kernels

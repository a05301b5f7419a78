#include "kernels/refine.hpp"

#include <string>

#include <sortie/error.hpp>

#include "kernels/bitonic_sort.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/records.hpp"
#include "kernels/refine/refine_plan.hpp"
#include "kernels/refine/refine_steps.cuh"

namespace sortie::kernels {
namespace {

unsigned grid_of_items(std::uint64_t count) { return grid_of_tiles(divide_up(count, kRefineThreads)); }

/// Stable, since the values ascend.
template <class Key>
void sort_numbered(Key* keys, Key* alternate_keys, std::uint32_t* values, std::uint32_t* alternate_values,
                   std::uint64_t count, BitRange bits, void* scratch, cudaStream_t stream) {
  if (count <= kBitonicRefineCount) {
    bitonic_sort_pairs(keys, values, count, stream);
  } else {
    radix_sort_pairs(keys, alternate_keys, values, alternate_values, count, bits, scratch, stream);
  }
}

template <class Ties>
void find_ties(const Ties& ties, std::uint64_t count, const TiedItems& out, const ScanState& scan,
               cudaStream_t stream) {
  check_cuda(cudaMemsetAsync(scan.tile_counter, 0, scan.size_bytes, stream), "clearing the scan of tied items");
  find_ties_kernel<<<grid_of_tiles(refine_tiles(count)), kRefineThreads, 0, stream>>>(ties, count, out, scan);
  check_launch("kernel that finds tied items");
}

std::uint64_t await_tied_count(const RefineArrays& arrays, std::uint64_t* tied_count, cudaStream_t stream) {
  check_cuda(cudaMemcpyAsync(tied_count, arrays.tied_count, sizeof *tied_count, cudaMemcpyDeviceToHost, stream),
             "reading the number of tied items");
  check_cuda(cudaStreamSynchronize(stream), "waiting for the number of tied items");
  return *tied_count;
}

/// Orders the tied items within their segments by word `word_index` of their keys.
void refine_by_word(const RecordKeys& keys, const RefineArrays& arrays, std::uint64_t count, std::uint64_t word_index,
                    std::uint32_t* indices, cudaStream_t stream) {
  extract_words(keys, arrays.items, count, word_index, arrays.words, stream);
  number_items_kernel<<<grid_of_items(count), kRefineThreads, 0, stream>>>(arrays.order, count);
  check_launch("numbering kernel");
  sort_numbered(arrays.words, arrays.alternate_words, arrays.order, arrays.alternate_order, count, {0, 64},
                arrays.radix_scratch, stream);
  make_segment_keys_kernel<<<grid_of_items(count), kRefineThreads, 0, stream>>>(keys, arrays, count, word_index);
  check_launch("segment key kernel");
  sort_numbered(arrays.segment_keys, arrays.alternate_keys, arrays.ranks, arrays.alternate_order, count,
                SegmentKey(keys.plan).bits(count), arrays.radix_scratch, stream);
  write_order_kernel<<<grid_of_items(count), kRefineThreads, 0, stream>>>(arrays, count, indices);
  check_launch("kernel that writes the refined order");
}

/// Compacts what is still tied into arrays that are free at this time, and from there home.
std::uint64_t keep_tied(const RecordKeys& keys, const RefineArrays& arrays, std::uint64_t count,
                        std::uint64_t* tied_count, cudaStream_t stream) {
  const TiedItems out{arrays.alternate_keys, arrays.segments, arrays.alternate_order, arrays.tied_count};
  find_ties(RoundTies{arrays, SegmentKey(keys.plan)}, count, out, arrays.scan, stream);
  const std::uint64_t left = await_tied_count(arrays, tied_count, stream);
  const std::uint64_t bytes = left * sizeof(std::uint32_t);
  check_cuda(cudaMemcpyAsync(arrays.positions, out.positions, bytes, cudaMemcpyDeviceToDevice, stream),
             "copying positions of tied items");
  check_cuda(cudaMemcpyAsync(arrays.items, out.items, bytes, cudaMemcpyDeviceToDevice, stream), "copying tied items");
  return left;
}

}  // namespace

std::uint64_t refine_scratch_bytes(std::uint64_t count) { return refine_arrays(nullptr, {}, count).size_bytes; }

void refine(const RecordKeys& keys, const PrefixPairs& pairs, const PrefixPairs& alternate, std::uint64_t count,
            void* scratch, std::uint64_t* tied_count, cudaStream_t stream) {
  if (keys.plan.whole_line && count > kMaxRefinedLines) {
    throw Error("cannot order " + std::to_string(count) + " lines at once, " + std::to_string(kMaxRefinedLines) +
                " at most; lower --device-memory");
  }
  if (count < 2 || !keys.exceed_prefix()) return;
  const RefineArrays arrays = refine_arrays(scratch, alternate, count);
  const TiedItems first_ties{arrays.positions, arrays.segments, arrays.items, arrays.tied_count};
  find_ties(PrefixTies{pairs.prefixes, pairs.indices}, count, first_ties, arrays.scan, stream);
  std::uint64_t tied = await_tied_count(arrays, tied_count, stream);
  for (std::uint64_t word = 1; tied > 0; ++word) {
    refine_by_word(keys, arrays, tied, word, pairs.indices, stream);
    const bool keys_used_up = !keys.plan.whole_line && word + 1 >= key_words(keys.plan, 0);
    if (keys_used_up) return;
    tied = keep_tied(keys, arrays, tied, tied_count, stream);
  }
}

}  // namespace sortie::kernels

#include "kernels/refine.hpp"

#include <algorithm>
#include <string>

#include <sortie/error.hpp>

#include "kernels/bitonic_sort.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/records.hpp"
#include "kernels/refine/refine_common_words.cuh"
#include "kernels/refine/refine_plan.hpp"
#include "kernels/refine/refine_steps.cuh"

namespace sortie::kernels {
namespace {

unsigned grid_of_items(std::uint64_t count) { return grid_of_tiles(divide_up(count, kRefineThreads)); }

/// Sorts pairs stably if their values ascend.
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

/// Waits for a count that a kernel has written.
std::uint64_t await_count(const RefineArrays& arrays, std::uint64_t* tied_count, cudaStream_t stream) {
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

/// Compacts the items that are still tied into arrays that are free at this time, and copies them back from there.
std::uint64_t keep_tied(const RecordKeys& keys, const RefineArrays& arrays, std::uint64_t count,
                        std::uint64_t* tied_count, cudaStream_t stream) {
  const TiedItems out{arrays.alternate_keys, arrays.segments, arrays.alternate_order, arrays.tied_count};
  find_ties(RoundTies{arrays, SegmentKey(keys.plan)}, count, out, arrays.scan, stream);
  const std::uint64_t left = await_count(arrays, tied_count, stream);
  const std::uint64_t bytes = left * sizeof(std::uint32_t);
  check_cuda(cudaMemcpyAsync(arrays.positions, out.positions, bytes, cudaMemcpyDeviceToDevice, stream),
             "copying positions of tied items");
  check_cuda(cudaMemcpyAsync(arrays.items, out.items, bytes, cudaMemcpyDeviceToDevice, stream), "copying tied items");
  return left;
}

/// The number of words from `first_word` on, at most `most_words`, that tell no items of a segment apart.
std::uint64_t common_words(const RecordKeys& keys, const RefineArrays& arrays, std::uint64_t count,
                           std::uint64_t first_word, std::uint64_t most_words, std::uint64_t* tied_count,
                           cudaStream_t stream) {
  const std::uint64_t pairs = count - 1;
  const std::uint64_t slices = std::clamp<std::uint64_t>(kMostCommonWarps / pairs, 1, divide_up(most_words, 32));
  auto* lowered_by = reinterpret_cast<unsigned long long*>(arrays.tied_count);
  check_cuda(cudaMemsetAsync(lowered_by, 0, sizeof *lowered_by, stream), "clearing the count of common words");
  const unsigned grid = grid_of_tiles(divide_up(pairs * slices, kCommonWarps));
  count_common_words_kernel<<<grid, kCommonThreads, 0, stream>>>(keys, arrays, count, first_word, most_words, slices,
                                                                 lowered_by);
  check_launch("kernel that counts common words");
  return most_words - await_count(arrays, tied_count, stream);
}

}  // namespace

std::uint64_t refine_scratch_bytes(std::uint64_t count) { return refine_arrays(nullptr, {}, count).size_bytes; }

void refine(const RecordKeys& keys, const PrefixPairs& pairs, const PrefixPairs& alternate, std::uint64_t count,
            void* scratch, std::uint64_t* tied_count, cudaStream_t stream) {
  if (keys.plan.whole_line && count > kMaxRefinedLines) {
    throw Error("cannot order " + std::to_string(count) + " lines at once, " + std::to_string(kMaxRefinedLines) +
                " at most; lower the ceiling on device memory");
  }
  if (count < 2 || !keys.exceed_prefix()) return;
  const RefineArrays arrays = refine_arrays(scratch, alternate, count);
  const TiedItems first_ties{arrays.positions, arrays.segments, arrays.items, arrays.tied_count};
  find_ties(PrefixTies{pairs.prefixes, pairs.indices}, count, first_ties, arrays.scan, stream);
  std::uint64_t tied = await_count(arrays, tied_count, stream);
  const std::uint64_t words = keys.plan.whole_line ? ~std::uint64_t{0} : key_words(keys.plan, 0);
  CommonWordSearch search;
  for (std::uint64_t word = 1; tied > 0 && word < words; ++word) {
    refine_by_word(keys, arrays, tied, word, pairs.indices, stream);
    if (word + 1 == words) return;
    const std::uint64_t tied_before = tied;
    tied = keep_tied(keys, arrays, tied, tied_count, stream);
    if (tied < tied_before) continue;
    const std::uint64_t reach = search.next_reach(words - (word + 1));
    const std::uint64_t common = common_words(keys, arrays, tied, word + 1, reach, tied_count, stream);
    search.take(common);
    word += common;
  }
}

}  // namespace sortie::kernels

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

/// Waits for the counts that kernels have written.
RefineCounts await_counts(const RefineArrays& arrays, RefineCounts* counts, cudaStream_t stream) {
  check_cuda(cudaMemcpyAsync(counts, arrays.counts, sizeof *counts, cudaMemcpyDeviceToHost, stream),
             "reading the number of tied items");
  check_cuda(cudaStreamSynchronize(stream), "waiting for the number of tied items");
  return *counts;
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

/// Counts how many of `words` tell no items of a segment apart, if all of the `count` items are still tied. Takes few
/// blocks if it may find that they are not.
void count_common_words(const RecordKeys& keys, const TiedItems& tied, std::uint64_t count, const WordRange& words,
                        bool is_ahead, RefineCounts* counts, cudaStream_t stream) {
  const std::uint64_t pairs = count - 1;
  const std::uint64_t slices = std::clamp<std::uint64_t>(kMostCommonWarps / pairs, 1, divide_up(words.count, 32));
  const std::uint64_t blocks = divide_up(pairs * slices, kCommonWarps);
  const unsigned grid = is_ahead ? persistent_grid(blocks, kCommonBlocks) : grid_of_tiles(blocks);
  count_common_words_kernel<<<grid, kCommonThreads, 0, stream>>>(
      keys, CommonWordItems{tied.segments, tied.items, count}, words, slices, is_ahead ? &counts->tied : nullptr,
      reinterpret_cast<unsigned long long*>(&counts->common_words_lowered_by));
  check_launch("kernel that counts common words");
}

/// Compacts the items that are still tied into arrays that are free at this time, and copies them back from there. The
/// counts say how many there are. If all of them are, they also say how many of `words`, which come next, tell no items
/// of a segment apart.
RefineCounts keep_tied(const RecordKeys& keys, const RefineArrays& arrays, std::uint64_t count, const WordRange& words,
                       RefineCounts* host_counts, cudaStream_t stream) {
  const TiedItems out{arrays.alternate_keys, arrays.segments, arrays.alternate_order, &arrays.counts->tied};
  const bool is_ahead = count <= kMostSearchedAhead;
  check_cuda(cudaMemsetAsync(arrays.counts, 0, sizeof *arrays.counts, stream), "clearing the counts of tied items");
  find_ties(RoundTies{arrays, SegmentKey(keys.plan)}, count, out, arrays.scan, stream);
  if (is_ahead) count_common_words(keys, out, count, words, is_ahead, arrays.counts, stream);
  RefineCounts counts = await_counts(arrays, host_counts, stream);
  if (!is_ahead && counts.tied == count) {
    count_common_words(keys, out, count, words, is_ahead, arrays.counts, stream);
    counts = await_counts(arrays, host_counts, stream);
  }
  const std::uint64_t bytes = counts.tied * sizeof(std::uint32_t);
  check_cuda(cudaMemcpyAsync(arrays.positions, out.positions, bytes, cudaMemcpyDeviceToDevice, stream),
             "copying positions of tied items");
  check_cuda(cudaMemcpyAsync(arrays.items, out.items, bytes, cudaMemcpyDeviceToDevice, stream), "copying tied items");
  return counts;
}

}  // namespace

std::uint64_t refine_scratch_bytes(std::uint64_t count) { return refine_arrays(nullptr, {}, count).size_bytes; }

void refine(const RecordKeys& keys, const PrefixPairs& pairs, const PrefixPairs& alternate, std::uint64_t count,
            void* scratch, RefineCounts* host_counts, cudaStream_t stream) {
  if (keys.plan.whole_line && count > kMaxRefinedLines) {
    throw Error("cannot order " + std::to_string(count) + " lines at once, " + std::to_string(kMaxRefinedLines) +
                " at most; lower the ceiling on device memory");
  }
  if (count < 2 || !keys.exceed_prefix()) return;
  const RefineArrays arrays = refine_arrays(scratch, alternate, count);
  const TiedItems first_ties{arrays.positions, arrays.segments, arrays.items, &arrays.counts->tied};
  find_ties(PrefixTies{pairs.prefixes, pairs.indices}, count, first_ties, arrays.scan, stream);
  std::uint64_t tied = await_counts(arrays, host_counts, stream).tied;
  const std::uint64_t words = keys.plan.whole_line ? ~std::uint64_t{0} : key_words(keys.plan, 0);
  CommonWordSearch search;
  for (std::uint64_t word = 1; tied > 0 && word < words; ++word) {
    refine_by_word(keys, arrays, tied, word, pairs.indices, stream);
    if (word + 1 == words) return;
    const std::uint64_t reach = search.next_reach(words - (word + 1));
    const RefineCounts counts = keep_tied(keys, arrays, tied, {word + 1, reach}, host_counts, stream);
    if (counts.tied == tied) {
      const std::uint64_t common = reach - counts.common_words_lowered_by;
      search.take(common);
      word += common;
    }
    tied = counts.tied;
  }
}

}  // namespace sortie::kernels

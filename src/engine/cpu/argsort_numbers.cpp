// Numbers and their indexes are scattered to buckets that fit a cache. There the numbers are sorted as 64-bit words of
// their leading bits and their positions in the bucket, which vector code does in half the time that pairs of 128 bits
// take. A bucket spans few values, so most words hold all bits in which its numbers differ; the rest is put in order
// afterwards.
//
//   word   | leading bits of (code - least code of the bucket) | position in the bucket |
#include "engine/cpu/argsort_numbers.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/memory_region.hpp"
#include "base/parallel.hpp"
#include "base/thread_team.hpp"
#include "engine/cpu/cell_buckets.hpp"
#include "engine/cpu/number_ranges.hpp"
#include "engine/cpu/number_scatter.hpp"
#include "entries/entry.hpp"
#include "entries/parallel_quicksort.hpp"
#include "entries/splitters.hpp"
#include "entries/vector_sort.hpp"

namespace sortie {
namespace {

/// Fewer indexes may stay in a cache while they are scattered and sorted.
constexpr std::size_t kLeastStreamedNumbers = 1 << 21;

/// Larger buckets, which there are where samples have told too little, are sorted by all threads.
constexpr std::size_t kTooLargeBucket = 1 << 22;

struct Workspace {
  std::vector<std::uint64_t> words;
  std::vector<std::uint64_t> indexes;
};

template <class Code>
class ScatteredIndexes {
 public:
  ScatteredIndexes(std::span<const Code> numbers, std::span<std::uint64_t> indexes, const ArrayCodec<Code>& codec)
      : numbers_(numbers),
        indexes_(indexes),
        codec_(codec),
        code_memory_(numbers.size_bytes()),
        codes_(reinterpret_cast<Code*>(code_memory_.data()), numbers.size()) {
    const std::size_t wanted = wanted_buckets(numbers.size());
    std::vector<std::uint64_t> sample = sorted_sample(numbers, codec, Splitters::sample_stride(numbers.size(), wanted));
    if (const std::optional<CellBuckets> buckets = CellBuckets::sharing(sample, wanted)) {
      scatter(*buckets);
    } else {
      has_equality_buckets_ = true;
      scatter(Splitters(std::move(sample), std::min(wanted, Splitters::kMaxSplitters)));
    }
  }

  void sort() {
    OnePerThread<Workspace> workspaces;
    parallel_for(0, begins_.size() - 1, [&](std::size_t bucket) {
      if (has_equality_buckets_ && Splitters::is_equality_bucket(bucket)) return;
      const std::size_t begin = begins_[bucket];
      const std::size_t count = begins_[bucket + 1] - begin;
      if (count > kTooLargeBucket) return sort_large(codes_.subspan(begin, count), indexes_.subspan(begin, count));
      if (count > 1) sort_small(codes_.subspan(begin, count), indexes_.subspan(begin, count), workspaces.local());
    });
  }

 private:
  /// Buckets: CellBuckets or Splitters.
  template <class Buckets>
  void scatter(const Buckets& buckets) {
    const NumberRanges<Code> shares(numbers_);
    NumberPositions positions = position_numbers(shares, codec_, buckets);
    begins_ = std::move(positions.begins);
    parallel_for(0, shares.count(), [&](std::size_t share) {
      const std::vector<std::size_t>& begins = positions.begins_of_share[share];
      if (numbers_.size() < kLeastStreamedNumbers) {
        scatter_range(shares, share, buckets, DirectScatter<Code>(codes_, begins), DirectScatter(indexes_, begins));
      } else {
        scatter_range(shares, share, buckets, StreamedScatter<Code>(codes_, begins), StreamedScatter(indexes_, begins));
      }
    });
  }

  template <class Buckets, class CodeScatter, class IndexScatter>
  void scatter_range(const NumberRanges<Code>& shares, std::size_t share, const Buckets& buckets,
                     CodeScatter code_scatter, IndexScatter index_scatter) const {
    std::uint64_t index = shares.begin_of(share);
    for_each_stretch(shares[share], [&, codec = codec_](std::span<const Code> stretch) {
      const auto& finder = buckets.finder();
      for (const Code number : stretch) {
        const Code code = codec.encode(number);
        const std::size_t bucket = finder.bucket_of(code);
        code_scatter.append(bucket, code);
        index_scatter.append(bucket, index++);
      }
    });
    code_scatter.finish();
    index_scatter.finish();
  }

  static void sort_small(std::span<const Code> codes, std::span<std::uint64_t> indexes, Workspace& space) {
    const auto [least, greatest] = std::ranges::minmax(codes);
    if (least == greatest) return;
    const auto position_bits = static_cast<unsigned>(std::bit_width(codes.size() - 1));
    const auto range_bits = static_cast<unsigned>(std::bit_width(std::uint64_t{greatest} - least));
    const unsigned dropped_bits = range_bits + position_bits > 64 ? range_bits + position_bits - 64 : 0;
    space.words.resize(codes.size());
    for (std::size_t i = 0; i < codes.size(); ++i) {
      space.words[i] = (std::uint64_t{codes[i]} - least) >> dropped_bits << position_bits | i;
    }
    vector_sort(space.words);
    const std::uint64_t positions = (std::uint64_t{1} << position_bits) - 1;
    if (dropped_bits > 0) sort_ties(space.words, codes, position_bits);
    space.indexes.assign(indexes.begin(), indexes.end());
    std::ranges::transform(space.words, indexes.begin(),
                           [&](std::uint64_t word) { return space.indexes[word & positions]; });
  }

  /// Puts words in order whose codes differ in the bits that the words have no room for.
  static void sort_ties(std::span<std::uint64_t> words, std::span<const Code> codes, unsigned position_bits) {
    const std::uint64_t positions = (std::uint64_t{1} << position_bits) - 1;
    for (std::size_t begin = 0, end = 0; begin < words.size(); begin = end) {
      for (end = begin + 1; end < words.size() && words[end] >> position_bits == words[begin] >> position_bits;) ++end;
      if (end == begin + 1) continue;
      const auto by_code = [&](std::uint64_t a, std::uint64_t b) {
        return codes[a & positions] < codes[b & positions];
      };
      std::stable_sort(words.begin() + begin, words.begin() + end, by_code);
    }
  }

  static void sort_large(std::span<const Code> codes, std::span<std::uint64_t> indexes) {
    constexpr std::size_t kGrain = 1 << 16;
    const MemoryRegion memory(codes.size() * sizeof(Entry));
    const std::span<Entry> entries(reinterpret_cast<Entry*>(memory.data()), codes.size());
    parallel_for_ranges(0, codes.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) entries[i] = {indexes[i], codes[i]};
    });
    const auto sort_rest = [](std::span<Entry> rest) {
      throw_if_stopped();
      vector_sort(rest);
    };
    parallel_quicksort(entries, std::less<>(), sort_rest, quicksort_end(entries.size(), kTooLargeBucket));
    parallel_for_ranges(0, codes.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) indexes[i] = entries[i].location;
    });
  }

  std::span<const Code> numbers_;
  std::span<std::uint64_t> indexes_;
  ArrayCodec<Code> codec_;
  MemoryRegion code_memory_;
  std::span<Code> codes_;
  bool has_equality_buckets_ = false;
  std::vector<std::size_t> begins_;  // of the buckets, and the end of the last
};

}  // namespace

template <class Code>
void argsort_numbers(std::span<const Code> numbers, std::span<std::uint64_t> indexes, const ArrayCodec<Code>& codec) {
  if (!numbers.empty()) ScatteredIndexes<Code>(numbers, indexes, codec).sort();
}

template void argsort_numbers(std::span<const std::uint32_t>, std::span<std::uint64_t>,
                              const ArrayCodec<std::uint32_t>&);
template void argsort_numbers(std::span<const std::uint64_t>, std::span<std::uint64_t>,
                              const ArrayCodec<std::uint64_t>&);

}  // namespace sortie

// The arrays of a refinement and the arithmetic of its sort keys.
//
// A tied item has a position (its position among the pairs), an item (its record's index) and a segment: the
// number of the group of neighbours it is tied with. A round orders the tied items within their segments;
// positions and segments are ascending and stay where they are.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/radix_sort.hpp"
#include "kernels/record_keys.hpp"

namespace sortie::kernels {

inline constexpr unsigned kRefineThreads = 256;
inline constexpr unsigned kRefineItems = 4;  ///< per thread of the kernel that finds ties
inline constexpr unsigned kRefineTile = kRefineThreads * kRefineItems;

/// With up to this many tied items, a bitonic sort takes one launch and is faster than a radix sort
/// (tools/bench/RESULTS-kernels.md).
inline constexpr std::uint64_t kBitonicRefineCount = 8192;

/// A tail says where a line ends, seen from one of its words: 0 to 8 bytes into the word, or behind it.
inline constexpr unsigned kTailBits = 4;
inline constexpr unsigned kLineGoesOn = 9;

/// The second sort key of an item: its segment and, for lines, how much of the line is left in the word before the one
/// sorted by. Of lines that are equal so far, the one that ends first comes first, or last if the order descends;
/// lines that end at the same byte are equal.
struct SegmentKey {
  bool lines;
  bool descending;

  SORTIE_HD explicit SegmentKey(const KeyPlan& plan) : lines(plan.whole_line), descending(plan.descending_line) {}

  SORTIE_HD std::uint32_t of(std::uint32_t segment, std::uint64_t length, std::uint64_t word_index) const {
    if (!lines) return segment;
    const std::uint64_t left = length - 8 * (word_index - 1);
    const unsigned tail = left < kLineGoesOn ? static_cast<unsigned>(left) : kLineGoesOn;
    return segment << kTailBits | (descending ? kLineGoesOn - tail : tail);
  }

  /// Whether items with this key may differ further on if their words are equal too.
  SORTIE_HD bool goes_on(std::uint32_t key) const {
    return !lines || (key & ((1u << kTailBits) - 1)) == (descending ? 0 : kLineGoesOn);
  }

  /// The bits that keys use when `tied_count` items are tied, at least two to a segment.
  BitRange bits(std::uint64_t tied_count) const {
    unsigned end = lines ? kTailBits : 0;
    while (end < 32 && (tied_count / 2) >> (end - (lines ? kTailBits : 0)) != 0) ++end;
    return {0, end};
  }
};

/// Whether records a and b both reach into word `word_index` and are equal in it, so that a round by it would not say
/// them apart.
SORTIE_HD inline bool share_word(const RecordKeys& keys, std::uint64_t a, std::uint64_t b, std::uint64_t word_index) {
  const bool both_go_on = !keys.plan.whole_line || (keys.length(a) > 8 * word_index && keys.length(b) > 8 * word_index);
  return both_go_on && keys.word(a, word_index) == keys.word(b, word_index);
}

/// How many words to search for those that all tied items have in common. The reach doubles each time that they have
/// them all. So few searches are made however long the keys are, and none reads much more than it saves.
class CommonWordSearch {
 public:
  /// `words_left` is the number of words of the keys from the next round's word on.
  std::uint64_t next_reach(std::uint64_t words_left) { return reach_ = reach_ < words_left ? reach_ : words_left; }
  void take(std::uint64_t common_words) { reach_ = common_words == reach_ ? 2 * reach_ : kLeastReach; }

 private:
  static constexpr std::uint64_t kLeastReach = 64;
  std::uint64_t reach_ = kLeastReach;
};

struct RefineArrays {
  std::uint64_t* words;            ///< the tied items' words: the first sort key
  std::uint64_t* alternate_words;  ///< shares the memory of segment_keys and alternate_keys
  std::uint32_t* segment_keys;     ///< the second sort key
  std::uint32_t* alternate_keys;
  std::uint32_t* order;            ///< order[r] is the tied item of rank r by word
  std::uint32_t* alternate_order;  ///< used by both sorts
  std::uint32_t* ranks;            ///< ranks[k] is the rank by word of the item that goes k-th by segment key
  std::uint32_t* positions;
  std::uint32_t* segments;
  std::uint32_t* items;
  std::uint64_t* tied_count;
  ScanState scan;
  void* radix_scratch;
  std::uint64_t size_bytes;
};

inline std::uint64_t refine_tiles(std::uint64_t count) { return divide_up(count, kRefineTile); }

inline RefineArrays refine_arrays(void* area, const PrefixPairs& alternate, std::uint64_t count) {
  const std::uint64_t half = round_up(count, 64);
  ScratchLayout layout(area);
  RefineArrays arrays{};
  arrays.words = alternate.prefixes;
  arrays.order = alternate.indices;
  arrays.segment_keys = layout.take<std::uint32_t>(2 * half);
  arrays.alternate_keys = arrays.segment_keys + half;
  arrays.alternate_words = reinterpret_cast<std::uint64_t*>(arrays.segment_keys);
  arrays.alternate_order = layout.take<std::uint32_t>(count);
  arrays.ranks = layout.take<std::uint32_t>(count);
  arrays.positions = layout.take<std::uint32_t>(count);
  arrays.segments = layout.take<std::uint32_t>(count);
  arrays.items = layout.take<std::uint32_t>(count);
  arrays.tied_count = layout.take<std::uint64_t>(1);
  arrays.scan = scan_state(layout, refine_tiles(count), 2);
  arrays.radix_scratch = layout.take<std::byte>(radix_sort_scratch_bytes(count));
  arrays.size_bytes = layout.size_bytes();
  return arrays;
}

}  // namespace sortie::kernels

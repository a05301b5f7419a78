#include "kernels/select/compact_items.cuh"
#include "kernels/sorted_sets.hpp"

namespace sortie::kernels {
namespace {

/// The first item of a sorted list whose code is not below `code`; the search ends at `end`.
template <class Bits, class Codec>
__device__ std::uint64_t lower_bound_of(const CodedKeys<Bits, Codec>& keys, std::uint64_t end, Bits code) {
  std::uint64_t begin = 0;
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    if (keys[middle] < code) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// Items of two lists, each matched with the item of the other list that has the same key and the same number among
/// those with this key, if there is one.
template <class Bits, class Codec, class Position>
struct MatchedItems {
  SetSelection selection;
  ListItems<Bits> first;
  ListItems<Bits> second;
  Codec codec;
  const Position* merged;
  KeptItems<Bits> out;
  ValueCopy copy_value;

  __device__ std::uint64_t number(std::uint64_t i) const { return merged == nullptr ? i : merged[i]; }

  __device__ bool is_matched(const ListItems<Bits>& own, std::uint64_t i, const ListItems<Bits>& other) const {
    const CodedKeys<Bits, Codec> own_keys{own.keys, codec};
    const CodedKeys<Bits, Codec> other_keys{other.keys, codec};
    const Bits code = own_keys[i];
    const std::uint64_t rank = i - lower_bound_of(own_keys, i, code);
    const std::uint64_t match = lower_bound_of(other_keys, other.count, code) + rank;
    return match < other.count && other_keys[match] == code;
  }

  __device__ bool keeps(std::uint64_t i) const {
    const std::uint64_t item = number(i);
    if (item < first.count) {
      if (selection == SetSelection::kUnion) return true;
      return is_matched(first, item, second) == (selection == SetSelection::kIntersection);
    }
    if (selection == SetSelection::kIntersection || selection == SetSelection::kDifference) return false;
    return !is_matched(second, item - first.count, first);
  }

  __device__ void move(std::uint64_t i, std::uint64_t target) const {
    const std::uint64_t item = number(i);
    const bool is_first = item < first.count;
    const ListItems<Bits>& list = is_first ? first : second;
    const std::uint64_t at = is_first ? item : item - first.count;
    out.keys[target] = list.keys[at];
    if (out.value_bytes != 0) copy_value(list.values + at * out.value_bytes, out.values + target * out.value_bytes);
  }
};

}  // namespace

template <class Bits, class Codec, class Position>
void select_of_lists(SetSelection selection, const ListItems<Bits>& first, const ListItems<Bits>& second,
                     const Codec& codec, const Position* merged, std::uint64_t merged_count, const KeptItems<Bits>& out,
                     void* scratch, cudaStream_t stream) {
  const ValueCopy copy_value = ValueCopy::of(out.value_bytes, first.values, second.values, out.values);
  const MatchedItems<Bits, Codec, Position> items{selection, first, second, codec, merged, out, copy_value};
  compact_items(items, merged_count, out.count, scratch, stream);
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses there.
#define SORTIE_SELECT_BY_POSITIONS(Bits, Codec, Position)                                                   \
  template void select_of_lists(SetSelection, const ListItems<Bits>&, const ListItems<Bits>&, const Codec&, \
                                const Position*, std::uint64_t, const KeptItems<Bits>&, void*, cudaStream_t);

#define SORTIE_SELECT_OF_LISTS(Bits, Codec)              \
  SORTIE_SELECT_BY_POSITIONS(Bits, Codec, std::uint32_t) \
  SORTIE_SELECT_BY_POSITIONS(Bits, Codec, std::uint64_t)
// NOLINTEND(bugprone-macro-parentheses)

SORTIE_SELECT_OF_LISTS(std::uint8_t, ShortCodec<std::uint8_t>)
SORTIE_SELECT_OF_LISTS(std::uint16_t, ShortCodec<std::uint16_t>)
SORTIE_SELECT_OF_LISTS(std::uint32_t, KeyCodec<std::uint32_t>)
SORTIE_SELECT_OF_LISTS(std::uint64_t, KeyCodec<std::uint64_t>)

#undef SORTIE_SELECT_OF_LISTS
#undef SORTIE_SELECT_BY_POSITIONS

}  // namespace sortie::kernels

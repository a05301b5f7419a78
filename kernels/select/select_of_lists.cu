#include "kernels/select/set_operation.cuh"
#include "kernels/sorted_sets.hpp"

namespace sortie::kernels {
namespace {

/// Longer shares spread the search for where they begin over more items; their codes have to fit in the registers.
template <class Bits, bool kHasValues>
using ChosenSetShape = SetShape<512,
                                (sizeof(Bits) == 8 ? 11
                                 : kHasValues      ? 15
                                                   : 31),
                                2>;

/// For devices whose blocks have less shared memory than the tiles above take: 64 KB.
using NarrowSetShape = SetShape<512, 23, 2>;

template <class Bits, bool kHasValues, class Codec>
void launch_chosen(const SetOperands<Bits, Codec>& set, void* scratch, cudaStream_t stream) {
  using Shape = ChosenSetShape<Bits, kHasValues>;
  constexpr std::uint64_t kBytes = SetArea<Bits, Shape, kHasValues>::kBytes + sizeof(SetCounts<Shape>);
  if constexpr (kBytes > (std::uint64_t{64} << 10)) {
    if (kBytes > shared_bytes_per_block()) {
      return launch_set_operation<NarrowSetShape, kHasValues>(set, scratch, stream);
    }
  }
  launch_set_operation<Shape, kHasValues>(set, scratch, stream);
}

}  // namespace

std::uint64_t set_scratch_bytes(std::uint64_t count) {
  constexpr std::uint64_t kSmallestTile = ChosenSetShape<std::uint64_t, true>::kTile;
  return SetScratch(divide_up(count, kSmallestTile), nullptr).layout.size_bytes();
}

template <class Bits, class Codec>
void select_of_lists(SetSelection selection, const ListItems<Bits>& first, const ListItems<Bits>& second,
                     const Codec& codec, const KeptItems<Bits>& out, void* scratch, cudaStream_t stream) {
  const std::uint64_t count = first.count + second.count;
  const bool keeps_both = selection == SetSelection::kUnion || selection == SetSelection::kSymmetricDifference;
  const std::uint64_t room = keeps_both ? count : first.count;
  if (room == 0) {
    check_cuda(cudaMemsetAsync(out.count, 0, sizeof *out.count, stream), "clearing the number of items kept");
    return;
  }
  const SetOperands<Bits, Codec> set{kept_kinds(selection),
                                     first,
                                     second,
                                     codec,
                                     out,
                                     room,
                                     ValueCopy::of(out.value_bytes, first.values, second.values, out.values),
                                     0,
                                     nullptr,
                                     {}};
  if (out.value_bytes == 0) {
    launch_chosen<Bits, false>(set, scratch, stream);
  } else {
    launch_chosen<Bits, true>(set, scratch, stream);
  }
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses there.
#define SORTIE_SELECT_OF_LISTS(Bits, Codec)                                                                 \
  template void select_of_lists(SetSelection, const ListItems<Bits>&, const ListItems<Bits>&, const Codec&, \
                                const KeptItems<Bits>&, void*, cudaStream_t);
// NOLINTEND(bugprone-macro-parentheses)

SORTIE_SELECT_OF_LISTS(std::uint8_t, ShortCodec<std::uint8_t>)
SORTIE_SELECT_OF_LISTS(std::uint16_t, ShortCodec<std::uint16_t>)
SORTIE_SELECT_OF_LISTS(std::uint32_t, KeyCodec<std::uint32_t>)
SORTIE_SELECT_OF_LISTS(std::uint64_t, KeyCodec<std::uint64_t>)

#undef SORTIE_SELECT_OF_LISTS

}  // namespace sortie::kernels

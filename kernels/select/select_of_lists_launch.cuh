// The launch of a set operation, and what it is instantiated for: select_of_lists.cu and select_of_float_lists.cu have
// the codecs.
#pragma once

#include <cstdint>

#include "kernels/select/set_operation.cuh"
#include "kernels/sorted_sets.hpp"

namespace sortie::kernels {

/// Longer shares spread the search for where they begin over more items; their codes have to fit in the registers.
template <class Bits, bool kHasSlots>
using ChosenSetShape = SetShape<512,
                                (sizeof(Bits) == 8 ? 11
                                 : kHasSlots       ? 15
                                                   : 31),
                                2>;

/// For devices whose blocks have less shared memory than the tiles above take: 64 KB.
using NarrowSetShape = SetShape<512, 23, 2>;

template <class Bits, bool kHasValues, class Codec>
void launch_chosen(const SetOperands<Bits, Codec>& set, void* scratch, cudaStream_t stream) {
  constexpr bool kHasSlots = kHasValues || kSharesCodes<Codec>;
  using Shape = ChosenSetShape<Bits, kHasSlots>;
  constexpr std::uint64_t kBytes = SetArea<Bits, Shape, kHasSlots>::kBytes + sizeof(SetCounts<Shape>);
  if constexpr (kBytes > (std::uint64_t{64} << 10)) {
    if (kBytes > shared_bytes_per_block()) {
      return launch_set_operation<NarrowSetShape, kHasValues>(set, scratch, stream);
    }
  }
  launch_set_operation<Shape, kHasValues>(set, scratch, stream);
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

}  // namespace sortie::kernels

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses there.
#define SORTIE_SELECT_OF_LISTS(Bits, Codec)                                                                 \
  template void select_of_lists(SetSelection, const ListItems<Bits>&, const ListItems<Bits>&, const Codec&, \
                                const KeptItems<Bits>&, void*, cudaStream_t);
// NOLINTEND(bugprone-macro-parentheses)

#include "kernels/merge.hpp"

#include <algorithm>
#include <type_traits>

#include "kernels/common/key_codec.hpp"
#include "kernels/merge/list_merge_plan.hpp"
#include "kernels/merge/merge_order.hpp"
#include "kernels/merge/merge_plan.hpp"

namespace sortie::kernels {
namespace {

/// A pass merges lists of 2^first_round sequences, 2^way_bits at a time.
struct PassShape {
  unsigned first_round;
  unsigned way_bits;
};

/// The rounds of merges two by two that make one of K sequences, divided among the passes as evenly as possible.
PassShape pass_shape(std::uint32_t sequence_count, unsigned pass) {
  unsigned rounds = 0;
  while ((std::uint64_t{1} << rounds) < sequence_count) ++rounds;
  const unsigned passes = merge_pass_count(sequence_count);
  const unsigned first_round = rounds * pass / passes;
  return {first_round, rounds * (pass + 1) / passes - first_round};
}

/// Merges of two lists have a kernel of their own, which knows more about its sides and is faster.
template <class Order, class Key, class Value>
void run_pass(const Order& order, const InOutArrays<Key, Value>& arrays, const SortedSequences& sequences,
              const PassShape& shape, void* scratch, cudaStream_t stream) {
  if (sequences.item_count == 0) return;
  if (shape.way_bits == 1) return merge_round(order, arrays, sequences, shape.first_round, scratch, stream);
  merge_list_pass(order, arrays, {sequences.offsets, sequences.sequence_count, shape.first_round, shape.way_bits},
                  sequences.item_count, scratch, stream);
}

template <class Number, class Value>
void merge_numbers(const InOutArrays<Number, Value>& arrays, const SortedSequences& sequences, const PassShape& shape,
                   SortOrder order, void* scratch, cudaStream_t stream) {
  with_codec<Number>(order, [&](const auto& codec) {
    using Codec = std::decay_t<decltype(codec)>;
    const CodeOrder<CodeOf<Number>, Value, Codec> code_order{codec};
    run_pass(code_order, bits_of(arrays), sequences, shape, scratch, stream);
  });
}

/// Runs all passes: merge(in_out, shape) runs one of them.
template <class Key, class Value, class Merge>
void run_passes(const MergeArrays<Key>& keys, const MergeArrays<Value>& values, std::uint32_t sequence_count,
                const Merge& merge) {
  const unsigned passes = merge_pass_count(sequence_count);
  const Key* keys_in = keys.input;
  const Value* values_in = values.input;
  for (unsigned pass = 0; pass < passes; ++pass) {
    const bool to_output = (passes - pass) % 2 == 1;
    Key* const keys_out = to_output ? keys.output : keys.spare;
    Value* const values_out = to_output ? values.output : values.spare;
    merge(InOutArrays<Key, Value>{keys_in, keys_out, values_in, values_out}, pass_shape(sequence_count, pass));
    keys_in = keys_out;
    values_in = values_out;
  }
}

/// Where the second of two lists is read, as if it lay behind `first_count` items. The type of the larger phase says
/// how its addresses are counted.
template <class Bits, class Value>
RightSides<Bits, Value> right_sides(const Bits* keys, const Value* values, std::uint64_t first_count) {
  const auto key_address = reinterpret_cast<std::uintptr_t>(keys);
  const auto value_address = reinterpret_cast<std::uintptr_t>(values);
  const bool count_values = kHasValue<Value> && sizeof(Value) < sizeof(Bits);
  const unsigned shift = count_values ? right_phase_shift(first_count, value_address, sizeof(Value))
                                      : right_phase_shift(first_count, key_address, sizeof(Bits));
  return {reinterpret_cast<const Bits*>(key_address - first_count * sizeof(Bits)),
          reinterpret_cast<const Value*>(value_address - first_count * sizeof(Value)), shift};
}

}  // namespace

std::uint64_t merge_scratch_bytes(std::uint64_t item_count, std::uint32_t sequence_count) {
  ScratchLayout layout;
  merge_tiles(layout, item_count, sequence_count);
  return std::max(layout.size_bytes(), list_pass_scratch_bytes(item_count, sequence_count));
}

std::uint64_t two_list_scratch_bytes(std::uint64_t item_count) {
  ScratchLayout layout;
  two_list_tiles(layout, item_count);
  return layout.size_bytes();
}

template <SortKey Key, class Value>
void merge_sequences(const MergeArrays<Key>& keys, const MergeArrays<Value>& values, const SortedSequences& sequences,
                     SortOrder order, void* scratch, cudaStream_t stream) {
  run_passes(keys, values, sequences.sequence_count, [&](const auto& arrays, const PassShape& shape) {
    merge_numbers(arrays, sequences, shape, order, scratch, stream);
  });
}

MergeResult merge_sequences(const PrefixPairs& primary, const PrefixPairs& alternate, const SortedSequences& sequences,
                            const RecordKeys* tie_break, void* scratch, cudaStream_t stream) {
  run_passes(arrays_in_turn(primary.prefixes, alternate.prefixes, sequences.sequence_count),
             arrays_in_turn(primary.indices, alternate.indices, sequences.sequence_count), sequences.sequence_count,
             [&](const InOutArrays<std::uint64_t, std::uint32_t>& arrays, const PassShape& shape) {
               if (tie_break == nullptr) {
                 merge_numbers(arrays, sequences, shape, SortOrder::kAscending, scratch, stream);
               } else {
                 run_pass(PairOrder{*tie_break}, arrays, sequences, shape, scratch, stream);
               }
             });
  return merge_result(sequences.sequence_count);
}

template <SortKey Key, class Value>
void merge_two_lists(const MergeList<Key, Value>& first, const MergeList<Key, Value>& second, Key* keys, Value* values,
                     SortOrder order, void* scratch, cudaStream_t stream) {
  const MergePair pair{0, first.count, first.count + second.count};
  if (pair.end == 0) return;
  using Bits = CodeOf<Key>;
  const auto arrays = bits_of(InOutArrays<Key, Value>{first.keys, keys, first.values, values});
  const auto right = right_sides(reinterpret_cast<const Bits*>(second.keys), second.values, first.count);
  with_codec<Key>(order, [&](const auto& codec) {
    merge_two(CodeOrder<Bits, Value, std::decay_t<decltype(codec)>>{codec}, arrays, right, pair, scratch, stream);
  });
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses there.
#define SORTIE_MERGES_OF_ITEMS(Key, Value)                                                                             \
  template void merge_sequences(const MergeArrays<Key>&, const MergeArrays<Value>&, const SortedSequences&, SortOrder, \
                                void*, cudaStream_t);                                                                  \
  template void merge_two_lists(const MergeList<Key, Value>&, const MergeList<Key, Value>&, Key*, Value*, SortOrder,   \
                                void*, cudaStream_t);

#define SORTIE_MERGES_OF(Key)                \
  SORTIE_MERGES_OF_ITEMS(Key, NoValue)       \
  SORTIE_MERGES_OF_ITEMS(Key, std::uint32_t) \
  SORTIE_MERGES_OF_ITEMS(Key, std::uint64_t)

SORTIE_MERGES_OF(std::uint32_t)
SORTIE_MERGES_OF(std::int32_t)
SORTIE_MERGES_OF(float)
SORTIE_MERGES_OF(std::uint64_t)
SORTIE_MERGES_OF(std::int64_t)
SORTIE_MERGES_OF(double)
// NOLINTEND(bugprone-macro-parentheses)

#undef SORTIE_MERGES_OF
#undef SORTIE_MERGES_OF_ITEMS

}  // namespace sortie::kernels

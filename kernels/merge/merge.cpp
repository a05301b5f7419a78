#include "kernels/merge.hpp"

#include <algorithm>
#include <utility>

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

/// Runs all passes, with primary and alternate arrays as input and output in turn. merge(in_out, shape) runs one of
/// them.
template <class Key, class Value, class Merge>
MergeResult ping_pong_passes(Key* primary_keys, Key* alternate_keys, Value* primary_values, Value* alternate_values,
                             std::uint32_t sequence_count, const Merge& merge) {
  for (unsigned pass = 0; pass < merge_pass_count(sequence_count); ++pass) {
    merge(InOutArrays<Key, Value>{primary_keys, alternate_keys, primary_values, alternate_values},
          pass_shape(sequence_count, pass));
    std::swap(primary_keys, alternate_keys);
    std::swap(primary_values, alternate_values);
  }
  return merge_result(sequence_count);
}

}  // namespace

std::uint64_t merge_scratch_bytes(std::uint64_t item_count, std::uint32_t sequence_count) {
  ScratchLayout layout;
  merge_tiles(layout, item_count, sequence_count);
  return std::max(layout.size_bytes(), list_pass_scratch_bytes(item_count, sequence_count));
}

template <SortKey Key>
MergeResult merge_sequences(Key* primary, Key* alternate, const SortedSequences& sequences, SortOrder order,
                            void* scratch, cudaStream_t stream) {
  NoValue* const no_values = nullptr;
  return ping_pong_passes(primary, alternate, no_values, no_values, sequences.sequence_count,
                          [&](const auto& arrays, const PassShape& shape) {
                            merge_numbers(arrays, sequences, shape, order, scratch, stream);
                          });
}

template <SortKey Key, SortValue Value>
MergeResult merge_sequences(Key* primary_keys, Key* alternate_keys, Value* primary_values, Value* alternate_values,
                            const SortedSequences& sequences, SortOrder order, void* scratch, cudaStream_t stream) {
  return ping_pong_passes(primary_keys, alternate_keys, primary_values, alternate_values, sequences.sequence_count,
                          [&](const auto& arrays, const PassShape& shape) {
                            merge_numbers(arrays, sequences, shape, order, scratch, stream);
                          });
}

MergeResult merge_sequences(const PrefixPairs& primary, const PrefixPairs& alternate, const SortedSequences& sequences,
                            const RecordKeys* tie_break, void* scratch, cudaStream_t stream) {
  return ping_pong_passes(primary.prefixes, alternate.prefixes, primary.indices, alternate.indices,
                          sequences.sequence_count,
                          [&](const InOutArrays<std::uint64_t, std::uint32_t>& arrays, const PassShape& shape) {
                            if (tie_break == nullptr) {
                              merge_numbers(arrays, sequences, shape, SortOrder::kAscending, scratch, stream);
                            } else {
                              run_pass(PairOrder{*tie_break}, arrays, sequences, shape, scratch, stream);
                            }
                          });
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses there.
#define SORTIE_MERGES_OF_PAIRS(Key, Value)                                                                   \
  template MergeResult merge_sequences(Key*, Key*, Value*, Value*, const SortedSequences&, SortOrder, void*, \
                                       cudaStream_t);

#define SORTIE_MERGES_OF(Key)                                                                               \
  template MergeResult merge_sequences(Key*, Key*, const SortedSequences&, SortOrder, void*, cudaStream_t); \
  SORTIE_MERGES_OF_PAIRS(Key, std::uint32_t)                                                                \
  SORTIE_MERGES_OF_PAIRS(Key, std::uint64_t)

SORTIE_MERGES_OF(std::uint32_t)
SORTIE_MERGES_OF(std::int32_t)
SORTIE_MERGES_OF(float)
SORTIE_MERGES_OF(std::uint64_t)
SORTIE_MERGES_OF(std::int64_t)
SORTIE_MERGES_OF(double)
// NOLINTEND(bugprone-macro-parentheses)

#undef SORTIE_MERGES_OF
#undef SORTIE_MERGES_OF_PAIRS

}  // namespace sortie::kernels

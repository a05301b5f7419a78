#include "kernels/merge.hpp"

#include <utility>

#include "kernels/common/key_codec.hpp"
#include "kernels/merge/merge_order.hpp"
#include "kernels/merge/merge_plan.hpp"

namespace sortie::kernels {
namespace {

template <class Number, class Value>
void merge_numbers(const InOutArrays<Number, Value>& arrays, const SortedSequences& sequences, unsigned round,
                   SortOrder order, void* scratch, cudaStream_t stream) {
  with_codec<Number>(order, [&](const auto& codec) {
    using Codec = std::decay_t<decltype(codec)>;
    const CodeOrder<CodeOf<Number>, Value, Codec> code_order{codec};
    merge_round(code_order, bits_of(arrays), sequences, round, scratch, stream);
  });
}

/// Runs all rounds, with primary and alternate arrays as input and output in turn. merge(in_out, round) runs one of
/// them.
template <class Key, class Value, class Merge>
MergeResult ping_pong_rounds(Key* primary_keys, Key* alternate_keys, Value* primary_values, Value* alternate_values,
                             std::uint32_t sequence_count, const Merge& merge) {
  for (unsigned round = 0; round < merge_round_count(sequence_count); ++round) {
    merge(InOutArrays<Key, Value>{primary_keys, alternate_keys, primary_values, alternate_values}, round);
    std::swap(primary_keys, alternate_keys);
    std::swap(primary_values, alternate_values);
  }
  return merge_result(sequence_count);
}

}  // namespace

std::uint64_t merge_scratch_bytes(std::uint64_t item_count, std::uint32_t sequence_count) {
  ScratchLayout layout;
  merge_tiles(layout, item_count, sequence_count);
  return layout.size_bytes();
}

template <SortKey Key>
void merge_pass(const Key* in, Key* out, const SortedSequences& sequences, unsigned round, SortOrder order,
                void* scratch, cudaStream_t stream) {
  merge_numbers(InOutArrays<Key, NoValue>{in, out, nullptr, nullptr}, sequences, round, order, scratch, stream);
}

template <SortKey Key, SortValue Value>
void merge_pass(const Key* keys_in, Key* keys_out, const Value* values_in, Value* values_out,
                const SortedSequences& sequences, unsigned round, SortOrder order, void* scratch, cudaStream_t stream) {
  merge_numbers(InOutArrays<Key, Value>{keys_in, keys_out, values_in, values_out}, sequences, round, order, scratch,
                stream);
}

void merge_pass(const PrefixPairs& in, const PrefixPairs& out, const SortedSequences& sequences, unsigned round,
                const RecordKeys* tie_break, void* scratch, cudaStream_t stream) {
  const InOutArrays<std::uint64_t, std::uint32_t> arrays{in.prefixes, out.prefixes, in.indices, out.indices};
  if (tie_break == nullptr) {
    merge_numbers(arrays, sequences, round, SortOrder::kAscending, scratch, stream);
  } else {
    merge_round(PairOrder{*tie_break}, arrays, sequences, round, scratch, stream);
  }
}

template <SortKey Key>
MergeResult merge_rounds(Key* primary, Key* alternate, const SortedSequences& sequences, SortOrder order, void* scratch,
                         cudaStream_t stream) {
  NoValue* const no_values = nullptr;
  return ping_pong_rounds(
      primary, alternate, no_values, no_values, sequences.sequence_count,
      [&](const auto& arrays, unsigned round) { merge_numbers(arrays, sequences, round, order, scratch, stream); });
}

template <SortKey Key, SortValue Value>
MergeResult merge_rounds(Key* primary_keys, Key* alternate_keys, Value* primary_values, Value* alternate_values,
                         const SortedSequences& sequences, SortOrder order, void* scratch, cudaStream_t stream) {
  return ping_pong_rounds(
      primary_keys, alternate_keys, primary_values, alternate_values, sequences.sequence_count,
      [&](const auto& arrays, unsigned round) { merge_numbers(arrays, sequences, round, order, scratch, stream); });
}

MergeResult merge_rounds(const PrefixPairs& primary, const PrefixPairs& alternate, const SortedSequences& sequences,
                         const RecordKeys* tie_break, void* scratch, cudaStream_t stream) {
  for (unsigned round = 0; round < merge_round_count(sequences.sequence_count); ++round) {
    const PrefixPairs& in = round % 2 == 0 ? primary : alternate;
    const PrefixPairs& out = round % 2 == 0 ? alternate : primary;
    merge_pass(in, out, sequences, round, tie_break, scratch, stream);
  }
  return merge_result(sequences.sequence_count);
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses there.
#define SORTIE_MERGES_OF_PAIRS(Key, Value)                                                                             \
  template void merge_pass(const Key*, Key*, const Value*, Value*, const SortedSequences&, unsigned, SortOrder, void*, \
                           cudaStream_t);                                                                              \
  template MergeResult merge_rounds(Key*, Key*, Value*, Value*, const SortedSequences&, SortOrder, void*, cudaStream_t);

#define SORTIE_MERGES_OF(Key)                                                                                   \
  template void merge_pass(const Key*, Key*, const SortedSequences&, unsigned, SortOrder, void*, cudaStream_t); \
  template MergeResult merge_rounds(Key*, Key*, const SortedSequences&, SortOrder, void*, cudaStream_t);        \
  SORTIE_MERGES_OF_PAIRS(Key, std::uint32_t)                                                                    \
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

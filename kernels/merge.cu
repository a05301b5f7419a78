#include "kernels/merge.hpp"

#include <utility>

#include "kernels/launch.hpp"
#include "kernels/merge_tile.cuh"
#include "kernels/scratch_layout.hpp"

namespace sortie::kernels {
namespace {

MergeTile* merge_tiles(ScratchLayout& layout, std::uint64_t item_count, std::uint32_t sequence_count) {
  const std::uint64_t spare_slots = 2 * merge_pair_count(sequence_count, 0);
  return layout.take<MergeTile>(item_count / kSmallestMergeTile + spare_slots);
}

template <MergeKind kKind, class Key>
void launch_round(MergeRound<Key> round, const SortedSequences& sequences, const RecordKeys& records, void* scratch,
                  cudaStream_t stream) {
  if (sequences.item_count == 0 || sequences.sequence_count == 0) return;
  using Shape = TunedShape<Key, kKind>;
  constexpr MergeTuning kTuning = Shape::kTuning;
  static_assert(kTuning.tile_capacity() % kTuning.stride == 0 && kTuning.group() >= 2);
  static_assert(kTuning.tile_items() >= kSmallestMergeTile);
  ScratchLayout layout(scratch);
  round.tiles = merge_tiles(layout, sequences.item_count, sequences.sequence_count);
  round.offsets = sequences.offsets;
  round.sequence_count = sequences.sequence_count;
  round.slot_count =
      merge_slot_count(sequences.item_count, merge_pair_count(sequences.sequence_count, round.round), kTuning);
  const unsigned plan_grid = grid_of_tiles(divide_up(round.slot_count, kMergePlanThreads));
  plan_merge_kernel<Key, kKind, Shape><<<plan_grid, kMergePlanThreads, 0, stream>>>(round, records);
  check_launch("merge plan kernel");
  merge_tiles_kernel<Key, kKind, Shape>
      <<<grid_of_tiles(round.slot_count), kTuning.threads, 0, stream>>>(round, records);
  check_launch("merge kernel");
}

template <class Key>
void merge_key_round(const Key* in, Key* out, const SortedSequences& sequences, unsigned round, void* scratch,
                     cudaStream_t stream) {
  MergeRound<Key> arguments{};
  arguments.keys_in = in;
  arguments.keys_out = out;
  arguments.round = round;
  launch_round<MergeKind::kKeys>(arguments, sequences, RecordKeys{}, scratch, stream);
}

template <class Key>
MergeResult merge_key_rounds(Key* primary, Key* alternate, const SortedSequences& sequences, void* scratch,
                             cudaStream_t stream) {
  for (unsigned round = 0; round < merge_round_count(sequences.sequence_count); ++round) {
    merge_key_round(primary, alternate, sequences, round, scratch, stream);
    std::swap(primary, alternate);
  }
  return merge_result(sequences.sequence_count);
}

}  // namespace

std::uint64_t merge_scratch_bytes(std::uint64_t item_count, std::uint32_t sequence_count) {
  ScratchLayout layout;
  merge_tiles(layout, item_count, sequence_count);
  return layout.size_bytes();
}

void merge_pass(const std::uint32_t* in, std::uint32_t* out, const SortedSequences& sequences, unsigned round,
                void* scratch, cudaStream_t stream) {
  merge_key_round(in, out, sequences, round, scratch, stream);
}

void merge_pass(const std::uint64_t* in, std::uint64_t* out, const SortedSequences& sequences, unsigned round,
                void* scratch, cudaStream_t stream) {
  merge_key_round(in, out, sequences, round, scratch, stream);
}

void merge_pass(const PrefixPairs& in, const PrefixPairs& out, const SortedSequences& sequences, unsigned round,
                const RecordKeys* tie_break, void* scratch, cudaStream_t stream) {
  MergeRound<std::uint64_t> arguments{};
  arguments.keys_in = in.prefixes;
  arguments.indices_in = in.indices;
  arguments.keys_out = out.prefixes;
  arguments.indices_out = out.indices;
  arguments.round = round;
  if (tie_break == nullptr) {
    launch_round<MergeKind::kPairs>(arguments, sequences, RecordKeys{}, scratch, stream);
  } else {
    launch_round<MergeKind::kTiedPairs>(arguments, sequences, *tie_break, scratch, stream);
  }
}

MergeResult merge_rounds(std::uint32_t* primary, std::uint32_t* alternate, const SortedSequences& sequences,
                         void* scratch, cudaStream_t stream) {
  return merge_key_rounds(primary, alternate, sequences, scratch, stream);
}

MergeResult merge_rounds(std::uint64_t* primary, std::uint64_t* alternate, const SortedSequences& sequences,
                         void* scratch, cudaStream_t stream) {
  return merge_key_rounds(primary, alternate, sequences, scratch, stream);
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

}  // namespace sortie::kernels

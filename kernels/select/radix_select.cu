#include "kernels/radix_select.hpp"

#include "kernels/select/select_digit.cuh"
#include "kernels/select/select_instances.hpp"
#include "kernels/select/select_moves.cuh"

namespace sortie::kernels {
namespace {

/// Fewer items lie in the cache: to read them again for every digit takes no longer than to move the candidates.
constexpr std::uint64_t kCompactFrom = std::uint64_t{1} << 22;

/// Of uniform keys one in 2048 is a candidate after the first digit, or some two by the sample.
constexpr std::uint64_t kCandidatesPart = 64;

/// So many items are worth a sample, if but a small part of them is selected.
constexpr std::uint64_t kSampleFrom = std::uint64_t{1} << 22;
constexpr std::uint64_t kSampledPart = 256;

/// The rank in the sample of the last candidate: twice what the last selected item has on average, and some more.
constexpr std::uint64_t sample_rank(std::uint64_t count, std::uint64_t selected_count) {
  return 32 + 2 * selected_count * kSelectSample / count;
}

template <class Bits>
std::uint64_t candidate_capacity(std::uint64_t count, std::uint64_t selected_count) {
  if (count < kCompactFrom || kMostCompactions<Bits> == 0) return 0;
  return selected_count + count / kCandidatesPart;
}

template <class Bits, class Position>
struct SelectScratch {
  SelectScratch(std::uint64_t count, std::uint64_t selected_count, void* area = nullptr) : layout(area) {
    known = layout.take<SelectedDigits>(kMostSelectDigits + 1);
    counts = layout.take<DigitCounts>(kSelectDigitCount<Bits> + 1);
    tile_count = divide_up(count, kMoveTile<Bits>);
    selected_scan = scan_state(layout, tile_count, 2);
    const std::uint64_t capacity = candidate_capacity<Bits>(count, selected_count);
    takes_sample = capacity != 0 && count >= kSampleFrom && selected_count <= count / kSampledPart;
    sample_scan = scan_state(layout, takes_sample ? tile_count : 0);
    compact_scan = scan_state(layout, capacity == 0 ? 0 : tile_count);
    auto* const sampled = layout.take<std::uint64_t>(1);
    cleared_bytes = layout.size_bytes();
    candidates = {layout.take<Bits>(capacity), layout.take<Position>(capacity), capacity, sampled};
  }

  ScratchLayout layout;
  SelectedDigits* known;
  DigitCounts* counts;
  std::uint64_t tile_count;
  ScanState selected_scan;
  bool takes_sample;
  ScanState sample_scan;
  ScanState compact_scan;
  std::uint64_t cleared_bytes;
  Candidates<Bits, Position> candidates;
};

template <class Bits, class Codec, class Position>
class RadixSelect {
 public:
  RadixSelect(const Selection<Bits, Codec, Position>& selection, const SelectScratch<Bits, Position>& scratch,
              cudaStream_t stream)
      : selection_(selection),
        scratch_(scratch),
        stream_(stream),
        overlaps_(has_code_for_90(select_digit_kernel<Bits, Codec, Position>)) {}

  void find_digits() const {
    if constexpr (kMostCompactions<Bits> != 0) {
      if (scratch_.takes_sample) sample();
    }
    const unsigned grid = persistent_grid(divide_up(selection_.count, kDigitTile<Bits>), kDigitBlocks);
    for (unsigned digit = 0; digit < kSelectDigitCount<Bits>; ++digit) {
      launch_overlapping(select_digit_kernel<Bits, Codec, Position>, "kernel that selects a digit",
                         {grid, kDigitThreads}, overlaps_, stream_, selection_, digit, scratch_.counts + digit);
      if constexpr (kMostCompactions<Bits> != 0) {
        if (selection_.candidates.capacity != 0 && digit < kMostCompactions<Bits>) {
          compact(digit + 1, scratch_.compact_scan);
        }
      }
    }
  }

  void move_selected(Bits* selected_keys, Position* selected_positions) const {
    launch_overlapping(move_selected_kernel<Bits, Codec, Position>, "kernel that moves selected items",
                       {move_grid(), kMoveThreads}, overlaps_, stream_, selection_,
                       SelectedArrays<Bits, Position>{selected_keys, selected_positions}, scratch_.selected_scan,
                       scratch_.tile_count);
  }

 private:
  void sample() const {
    launch_overlapping(sample_digit_kernel<Bits, Codec, Position>, "kernel that samples digits",
                       {kSelectSample / kSampleItems / kDigitThreads, kDigitThreads}, overlaps_, stream_, selection_,
                       sample_rank(selection_.count, selection_.selected_count),
                       scratch_.counts + kSelectDigitCount<Bits>);
    compact(0, scratch_.sample_scan);
  }

  void compact(unsigned digits, const ScanState& scan) const {
    launch_overlapping(compact_candidates_kernel<Bits, Codec, Position>, "kernel that moves candidates",
                       {move_grid(), kMoveThreads}, overlaps_, stream_, selection_, digits, scan);
  }

  unsigned move_grid() const { return persistent_grid(scratch_.tile_count, kMoveBlocks); }

  const Selection<Bits, Codec, Position> selection_;
  const SelectScratch<Bits, Position>& scratch_;
  const cudaStream_t stream_;
  const bool overlaps_;  ///< see launch_overlapping()
};

}  // namespace

template <class Bits, SortValue Position>
std::uint64_t radix_select_scratch_bytes(std::uint64_t count, std::uint64_t selected_count) {
  return SelectScratch<Bits, Position>(count, selected_count).layout.size_bytes();
}

template <class Bits, class Codec, SortValue Position>
void radix_select(const Bits* keys, std::uint64_t count, const Codec& codec, std::uint64_t selected_count,
                  Bits* selected_keys, Position* selected_positions, void* scratch, cudaStream_t stream) {
  const SelectScratch<Bits, Position> areas(count, selected_count, scratch);
  check_cuda(cudaMemsetAsync(scratch, 0, areas.cleared_bytes, stream), "clearing the counts of a selection");
  const Selection<Bits, Codec, Position> selection{{keys, codec}, count, selected_count, areas.candidates, areas.known};
  const RadixSelect<Bits, Codec, Position> select(selection, areas, stream);
  select.find_digits();
  select.move_selected(selected_keys, selected_positions);
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses there.
#define SORTIE_RADIX_SELECT_BYTES(Bits, Position) \
  template std::uint64_t radix_select_scratch_bytes<Bits, Position>(std::uint64_t, std::uint64_t);
#define SORTIE_RADIX_SELECT(Bits, Codec, Position)                                                                   \
  template void radix_select(const Bits*, std::uint64_t, const Codec<Bits>&, std::uint64_t, Bits*, Position*, void*, \
                             cudaStream_t);
// NOLINTEND(bugprone-macro-parentheses)

SORTIE_EACH_SELECT_SIZE(SORTIE_RADIX_SELECT_BYTES)
SORTIE_EACH_SELECT_CODEC(SORTIE_RADIX_SELECT)

#undef SORTIE_RADIX_SELECT
#undef SORTIE_RADIX_SELECT_BYTES

}  // namespace sortie::kernels

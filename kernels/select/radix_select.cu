#include "kernels/radix_select.hpp"

#include "kernels/select/compact_items.cuh"

namespace sortie::kernels {
namespace {

constexpr unsigned kDigitBits = 8;
constexpr unsigned kDigits = 1U << kDigitBits;
constexpr unsigned kCountItems = 16;
constexpr unsigned kMostKeyDigits = 8;

/// What is known of the code of the last item that is selected.
struct Selected {
  std::uint64_t code;  ///< the digits found so far; lower ones are 0
  std::uint64_t rank;  ///< how many items are selected of those that agree with these digits
};

struct SelectScratch {
  ScratchLayout layout;
  Selected* selected;     ///< [d]: after d digits
  std::uint64_t* counts;  ///< [d * kDigits + v]: items that agree, with value v of the next digit
  ScanState scan;         ///< a column for items below the code, and one for its equals
};

SelectScratch select_scratch(std::uint64_t count, void* area = nullptr) {
  SelectScratch scratch{ScratchLayout(area), nullptr, nullptr, {}};
  scratch.selected = scratch.layout.take<Selected>(kMostKeyDigits + 1);
  scratch.counts = scratch.layout.take<std::uint64_t>(kMostKeyDigits * kDigits);
  scratch.scan = select_scan(scratch.layout, count, 2);
  return scratch;
}

/// How far a code is shifted so that digit number `digit`, counted from the highest, is its lowest.
template <class Bits>
__device__ unsigned shift_of(unsigned digit) {
  return 8 * sizeof(Bits) - kDigitBits * (digit + 1);
}

template <class Bits>
__device__ bool agrees(Bits code, const Selected& selected, unsigned digit) {
  if (digit == 0) return true;
  const unsigned shift = shift_of<Bits>(digit) + kDigitBits;
  return code >> shift == static_cast<Bits>(selected.code) >> shift;
}

__global__ void begin_selection_kernel(Selected* selected, std::uint64_t selected_count) {
  *selected = {0, selected_count};
}

template <class Bits, class Codec>
__global__ void __launch_bounds__(kSelectThreads)
    count_digits_kernel(const CodedKeys<Bits, Codec> keys, std::uint64_t count, unsigned digit,
                        const Selected* selected, std::uint64_t* counts) {
  __shared__ unsigned in_block[kDigits];
  for (unsigned v = threadIdx.x; v < kDigits; v += kSelectThreads) in_block[v] = 0;
  __syncthreads();
  const Selected known = *selected;
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * kSelectThreads * kCountItems + threadIdx.x;
  for (unsigned k = 0; k < kCountItems; ++k) {
    const std::uint64_t i = begin + k * kSelectThreads;
    if (i >= count) break;
    const Bits code = keys[i];
    if (agrees(code, known, digit)) atomicAdd(&in_block[code >> shift_of<Bits>(digit) & (kDigits - 1)], 1U);
  }
  __syncthreads();
  for (unsigned v = threadIdx.x; v < kDigits; v += kSelectThreads) {
    if (in_block[v] != 0) atomicAdd(reinterpret_cast<unsigned long long*>(&counts[v]), in_block[v]);
  }
}

/// Finds the next digit: the lowest value up to which there are enough items.
template <class Bits>
__global__ void choose_digit_kernel(unsigned digit, Selected* selected, const std::uint64_t* counts) {
  Selected known = selected[0];
  unsigned value = 0;
  while (value + 1 < kDigits && counts[value] < known.rank) known.rank -= counts[value++];
  known.code |= std::uint64_t{value} << shift_of<Bits>(digit);
  selected[1] = known;
}

template <class Bits, class Position>
struct SelectedArrays {
  Bits* keys;
  Position* positions;
};

template <class Bits, class Codec, class Position>
__global__ void __launch_bounds__(kSelectThreads)
    move_selected_kernel(const Bits* keys, const Codec codec, std::uint64_t count, const Selected* selected,
                         std::uint64_t selected_count, const SelectedArrays<Bits, Position> out, const ScanState scan) {
  __shared__ TileScanStorage<kSelectThreads> storage;
  const unsigned tile = claim_tile(scan.tile_counter);
  const std::uint64_t first = std::uint64_t{tile} * kSelectTile + threadIdx.x * kSelectItems;
  const auto last = static_cast<Bits>(selected->code);
  Bits codes[kSelectItems];
  unsigned below_here = 0;
  unsigned equal_here = 0;
#pragma unroll
  for (unsigned k = 0; k < kSelectItems; ++k) {
    if (first + k >= count) break;
    codes[k] = codec.encode(keys[first + k]);
    below_here += codes[k] < last ? 1 : 0;
    equal_here += codes[k] == last ? 1 : 0;
  }
  std::uint64_t below = scan_tile<kSelectThreads>(storage, scan.status, tile, below_here);
  std::uint64_t equal = scan_tile<kSelectThreads>(storage, scan.status + gridDim.x, tile, equal_here);
  equal += selected_count - selected->rank;  // behind all that are below
#pragma unroll
  for (unsigned k = 0; k < kSelectItems; ++k) {
    if (first + k >= count || codes[k] > last) continue;
    const std::uint64_t target = codes[k] < last ? below++ : equal++;
    if (target >= selected_count) continue;
    out.keys[target] = codec.decode(codes[k]);
    out.positions[target] = static_cast<Position>(first + k);
  }
}

}  // namespace

std::uint64_t radix_select_scratch_bytes(std::uint64_t count) { return select_scratch(count).layout.size_bytes(); }

template <class Bits, class Codec, SortValue Position>
void radix_select(const Bits* keys, std::uint64_t count, const Codec& codec, std::uint64_t selected_count,
                  Bits* selected_keys, Position* selected_positions, void* scratch, cudaStream_t stream) {
  const SelectScratch areas = select_scratch(count, scratch);
  check_cuda(cudaMemsetAsync(scratch, 0, areas.layout.size_bytes(), stream), "clearing the counts of a selection");
  begin_selection_kernel<<<1, 1, 0, stream>>>(areas.selected, selected_count);
  check_launch("kernel that begins a selection");
  const unsigned count_grid = grid_of_tiles(divide_up(count, kSelectThreads * kCountItems));
  for (unsigned digit = 0; digit < sizeof(Bits); ++digit) {
    std::uint64_t* const counts = areas.counts + std::uint64_t{digit} * kDigits;
    count_digits_kernel<<<count_grid, kSelectThreads, 0, stream>>>(CodedKeys<Bits, Codec>{keys, codec}, count, digit,
                                                                   areas.selected + digit, counts);
    check_launch("kernel that counts digits of a selection");
    choose_digit_kernel<Bits><<<1, 1, 0, stream>>>(digit, areas.selected + digit, counts);
    check_launch("kernel that chooses a digit of a selection");
  }
  const unsigned grid = grid_of_tiles(divide_up(count, kSelectTile));
  move_selected_kernel<<<grid, kSelectThreads, 0, stream>>>(
      keys, codec, count, areas.selected + sizeof(Bits), selected_count,
      SelectedArrays<Bits, Position>{selected_keys, selected_positions}, areas.scan);
  check_launch("kernel that moves selected items");
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses there.
#define SORTIE_RADIX_SELECT_TO(Bits, Codec, Position)                                                                \
  template void radix_select(const Bits*, std::uint64_t, const Codec<Bits>&, std::uint64_t, Bits*, Position*, void*, \
                             cudaStream_t);
#define SORTIE_RADIX_SELECT_OF(Bits, Codec)          \
  SORTIE_RADIX_SELECT_TO(Bits, Codec, std::uint32_t) \
  SORTIE_RADIX_SELECT_TO(Bits, Codec, std::uint64_t)
// NOLINTEND(bugprone-macro-parentheses)

SORTIE_RADIX_SELECT_OF(std::uint8_t, ShortCodec)
SORTIE_RADIX_SELECT_OF(std::uint16_t, ShortCodec)
SORTIE_RADIX_SELECT_OF(std::uint32_t, KeyCodec)
SORTIE_RADIX_SELECT_OF(std::uint64_t, KeyCodec)

#undef SORTIE_RADIX_SELECT_OF
#undef SORTIE_RADIX_SELECT_TO

}  // namespace sortie::kernels

#include "kernels/odd_even_sort.hpp"

#include <algorithm>

#include <sortie/cuda/block_sort.cuh>

#include "kernels/common/item_arrays.hpp"
#include "kernels/common/key_codec.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/odd_even/odd_even_plan.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kSpanItems = 2 * kOddEvenHalfItems;
static_assert(kOddEvenListMultiple % kSpanItems == 0);

/// Arrays in memory whose keys are sorted by their codes. A span in shared memory holds codes.
template <class SpanArrays>
struct CodedArrays {
  using Span = SpanArrays;
  Span arrays;
  KeyCodec<typename Span::Key> codec;

  __device__ auto load(std::uint64_t at) const {
    auto item = arrays.load(at);
    item.key = codec.encode(item.key);
    return item;
  }
  __device__ void store(std::uint64_t at, typename Span::Item item) const {
    item.key = codec.decode(item.key);
    arrays.store(at, item);
  }
};

template <class Key>
__device__ KeyArray<Key> shared_span(const KeyArray<Key>&) {
  __shared__ Key keys[kSpanItems];
  return {keys};
}

template <class Key>
__device__ PairArray<Key> shared_span(const PairArray<Key>&) {
  __shared__ Key keys[kSpanItems];
  __shared__ std::uint32_t values[kSpanItems];
  return {keys, values};
}

/// Orders items by their codes.
struct CodesAscend {
  template <class Item>
  __device__ bool operator()(const Item& a, const Item& b) const {
    return a.key < b.key;
  }
};

/// Sets moved[phase] to 1 if anything moves. If the phase before moved nothing, all items are in order already: its
/// spans reach across this one's borders.
template <class Arrays>
__global__ void __launch_bounds__(kOddEvenThreads)
    odd_even_phase_kernel(const CodedArrays<Arrays> arrays, std::uint64_t count, std::uint64_t list_items,
                          unsigned phase, unsigned* moved) {
  if (phase >= 2 && moved[phase - 1] == 0) return;
  const OddEvenSpan position = odd_even_span(blockIdx.x, phase, list_items, count, kOddEvenHalfItems);
  if (position.count == 0) return;
  const Arrays span = shared_span(arrays.arrays);
  for (unsigned i = threadIdx.x; i < position.count; i += kOddEvenThreads)
    span.store(i, arrays.load(position.begin + i));
  if (!cuda::odd_even_sort_in_block(span, position.count, CodesAscend())) return;
  for (unsigned i = threadIdx.x; i < position.count; i += kOddEvenThreads)
    arrays.store(position.begin + i, span.load(i));
  if (threadIdx.x == 0) moved[phase] = 1;
}

std::uint64_t phase_count(std::uint64_t count, std::uint64_t list_items) {
  return odd_even_phase_count(std::min(count, list_items), kOddEvenHalfItems);
}

template <class Arrays>
void odd_even_sort(const CodedArrays<Arrays>& arrays, std::uint64_t count, std::uint64_t list_items, void* scratch,
                   cudaStream_t stream) {
  if (count < 2) return;
  const std::uint64_t phases = phase_count(count, list_items);
  unsigned* moved = ScratchLayout(scratch).take<unsigned>(phases);
  check_cuda(cudaMemsetAsync(moved, 0, phases * sizeof *moved, stream), "clearing the flags of odd-even phases");
  const unsigned grid = grid_of_tiles(odd_even_span_count(count, kOddEvenHalfItems));
  for (unsigned phase = 0; phase < phases; ++phase) {
    odd_even_phase_kernel<<<grid, kOddEvenThreads, 0, stream>>>(arrays, count, list_items, phase, moved);
    check_launch("odd-even phase kernel");
  }
}

}  // namespace

std::uint64_t odd_even_scratch_bytes(std::uint64_t count, std::uint64_t list_items) {
  ScratchLayout layout;
  layout.take<unsigned>(phase_count(count, list_items));
  return layout.size_bytes();
}

template <SortKey Key>
void odd_even_sort_keys(Key* keys, std::uint64_t count, std::uint64_t list_items, SortOrder order, void* scratch,
                        cudaStream_t stream) {
  using Arrays = KeyArray<CodeOf<Key>>;
  odd_even_sort(CodedArrays<Arrays>{{as_codes(keys)}, codec_of<Key>(order)}, count, list_items, scratch, stream);
}

template <SortKey Key>
void odd_even_sort_pairs(Key* keys, std::uint32_t* values, std::uint64_t count, std::uint64_t list_items,
                         SortOrder order, void* scratch, cudaStream_t stream) {
  using Arrays = PairArray<CodeOf<Key>>;
  odd_even_sort(CodedArrays<Arrays>{{as_codes(keys), values}, codec_of<Key>(order)}, count, list_items, scratch,
                stream);
}

#define SORTIE_ODD_EVEN_SORTS_OF(Key)                                                                   \
  template void odd_even_sort_keys(Key*, std::uint64_t, std::uint64_t, SortOrder, void*, cudaStream_t); \
  template void odd_even_sort_pairs(Key*, std::uint32_t*, std::uint64_t, std::uint64_t, SortOrder, void*, cudaStream_t);

SORTIE_ODD_EVEN_SORTS_OF(std::uint32_t)
SORTIE_ODD_EVEN_SORTS_OF(std::int32_t)
SORTIE_ODD_EVEN_SORTS_OF(float)
SORTIE_ODD_EVEN_SORTS_OF(std::uint64_t)
SORTIE_ODD_EVEN_SORTS_OF(std::int64_t)
SORTIE_ODD_EVEN_SORTS_OF(double)

#undef SORTIE_ODD_EVEN_SORTS_OF

}  // namespace sortie::kernels

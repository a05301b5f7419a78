#include "kernels/odd_even_sort.hpp"

#include <algorithm>

#include "kernels/item_arrays.hpp"
#include "kernels/launch.hpp"
#include "kernels/odd_even_plan.hpp"
#include "kernels/scratch_layout.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kSpanItems = 2 * kOddEvenHalfItems;
static_assert(kOddEvenListMultiple % kSpanItems == 0);

template <class Key>
__device__ KeyArray<Key> shared_span(const KeyArray<Key>&) {
  __shared__ Key keys[kSpanItems];
  return {keys};
}

__device__ KeyArray<std::uint32_t> shared_span(const FloatArray&) {
  __shared__ std::uint32_t codes[kSpanItems];
  return {codes};
}

template <class Key>
__device__ PairArray<Key> shared_span(const PairArray<Key>&) {
  __shared__ Key keys[kSpanItems];
  __shared__ std::uint32_t values[kSpanItems];
  return {keys, values};
}

/// Orders items `low` and `low + 1`. Returns whether they moved.
template <class Arrays>
__device__ bool transpose(const Arrays& arrays, unsigned low, unsigned count) {
  if (low + 1 >= count) return false;
  const auto a = arrays.load(low);
  const auto b = arrays.load(low + 1);
  if (!(b.key < a.key)) return false;
  arrays.store(low, b);
  arrays.store(low + 1, a);
  return true;
}

/// Sorts `count` items in shared memory: at most as many steps as items. Returns whether any moved, to all.
template <class Arrays>
__device__ bool sort_span(const Arrays& span, unsigned count) {
  bool any_moved = false;
  for (unsigned step = 0; step < count; step += 2) {
    const bool even_moved = transpose(span, 2 * threadIdx.x, count);
    __syncthreads();
    const bool odd_moved = transpose(span, 2 * threadIdx.x + 1, count);
    if (__syncthreads_or(even_moved || odd_moved) == 0) break;
    any_moved = true;
  }
  return any_moved;
}

/// moved[phase] becomes 1 if anything moves. Where the phase before, of spans across this one's borders, moved
/// nothing, all is in order already.
template <class Arrays>
__global__ void __launch_bounds__(kOddEvenThreads)
    odd_even_phase_kernel(const Arrays arrays, std::uint64_t count, std::uint64_t list_items, unsigned phase,
                          unsigned* moved) {
  if (phase >= 2 && moved[phase - 1] == 0) return;
  const OddEvenSpan place = odd_even_span(blockIdx.x, phase, list_items, count, kOddEvenHalfItems);
  if (place.count == 0) return;
  const auto span = shared_span(arrays);
  for (unsigned i = threadIdx.x; i < place.count; i += kOddEvenThreads) span.store(i, arrays.load(place.begin + i));
  __syncthreads();
  if (!sort_span(span, place.count)) return;
  for (unsigned i = threadIdx.x; i < place.count; i += kOddEvenThreads) arrays.store(place.begin + i, span.load(i));
  if (threadIdx.x == 0) moved[phase] = 1;
}

std::uint64_t phase_count(std::uint64_t count, std::uint64_t list_items) {
  return odd_even_phase_count(std::min(count, list_items), kOddEvenHalfItems);
}

template <class Arrays>
void odd_even_sort(const Arrays& arrays, std::uint64_t count, std::uint64_t list_items, void* scratch,
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

void odd_even_sort_keys(float* keys, std::uint64_t count, std::uint64_t list_items, void* scratch,
                        cudaStream_t stream) {
  odd_even_sort(FloatArray{reinterpret_cast<std::uint32_t*>(keys)}, count, list_items, scratch, stream);
}

void odd_even_sort_keys(std::uint32_t* keys, std::uint64_t count, std::uint64_t list_items, void* scratch,
                        cudaStream_t stream) {
  odd_even_sort(KeyArray<std::uint32_t>{keys}, count, list_items, scratch, stream);
}

void odd_even_sort_keys(std::uint64_t* keys, std::uint64_t count, std::uint64_t list_items, void* scratch,
                        cudaStream_t stream) {
  odd_even_sort(KeyArray<std::uint64_t>{keys}, count, list_items, scratch, stream);
}

void odd_even_sort_pairs(const PrefixPairs& pairs, std::uint64_t count, std::uint64_t list_items, void* scratch,
                         cudaStream_t stream) {
  odd_even_sort(PairArray<std::uint64_t>{pairs.prefixes, pairs.indices}, count, list_items, scratch, stream);
}

}  // namespace sortie::kernels

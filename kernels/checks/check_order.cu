#include "kernels/check_order.hpp"

#include "kernels/common/launch.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerMultiprocessor = 8;
constexpr unsigned kPacks = 4;  ///< packs of 16 bytes that a thread loads at once
constexpr unsigned kAllLanes = 0xffffffff;
constexpr unsigned kWarpLanes = 32;
constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

template <class Key>
struct alignas(16) KeyPack {
  static constexpr unsigned kKeys = 16 / sizeof(Key);
  Key keys[kKeys];
};

/// may_descend() looks at two neighbouring keys alone. If its answer is not certain, descends() says whether the items
/// at `place` - 1 and `place` are out of order.
struct KeysDescend {
  static constexpr bool kCertain = true;

  template <class Key>
  __device__ static bool may_descend(Key left, Key right) {
    return right < left;
  }
  template <class Key>
  __device__ bool descends(Key left, Key right, std::uint64_t) const {
    return right < left;
  }
};

struct PairsDescend {
  static constexpr bool kCertain = false;

  const std::uint32_t* indices;
  RecordKeys records;
  bool has_records;

  __device__ static bool may_descend(std::uint64_t left, std::uint64_t right) { return right <= left; }
  __device__ bool descends(std::uint64_t left, std::uint64_t right, std::uint64_t place) const {
    if (left != right) return right < left;
    const std::uint32_t left_index = indices[place - 1];
    const std::uint32_t right_index = indices[place];
    if (left_index == right_index) return false;
    const bool left_is_later = right_index < left_index;
    if (!has_records) return left_is_later;
    // The item with the higher index may come first only if its key is strictly less.
    return left_is_later ? !records.before(left_index, right_index, 1) : records.before(right_index, left_index, 1);
  }
};

/// The descents that a thread found. It visits positions in ascending order.
struct Descents {
  std::uint64_t first = kNowhere;
  std::uint32_t count = 0;

  /// Bit k of `descending`: the item at `place` + k descends.
  __device__ void add(unsigned descending, std::uint64_t place) {
    if (descending == 0) return;
    if (count == 0) first = place + __ffs(static_cast<int>(descending)) - 1;
    count += __popc(descending);
  }
};

/// Adds up what all lanes found. The result is valid in lane 0.
__device__ Descents found_by_warp(Descents own) {
  for (unsigned distance = kWarpLanes / 2; distance > 0; distance /= 2) {
    own.count += __shfl_down_sync(kAllLanes, own.count, distance);
    const std::uint64_t first = __shfl_down_sync(kAllLanes, own.first, distance);
    if (first < own.first) own.first = first;
  }
  return own;
}

/// Called by all threads of the grid. Most warps find nothing and write nothing.
__device__ void report(const Descents& own, OrderCheck* result) {
  if (!__any_sync(kAllLanes, own.count != 0)) return;
  const Descents found = found_by_warp(own);
  if (threadIdx.x % kWarpLanes != 0) return;
  atomicAdd(reinterpret_cast<unsigned long long*>(&result->descents), static_cast<unsigned long long>(found.count));
  atomicMin(reinterpret_cast<unsigned long long*>(&result->first_descent),
            static_cast<unsigned long long>(found.first));
}

/// Bit k of the result: key k + 1 of the pack descends, where `next` follows the last key. Records are read only if a
/// key may descend, which is rare in an ordered array.
template <class Key, class Descend>
__device__ unsigned descending_in(const KeyPack<Key>& pack, Key next, std::uint64_t first_place, std::uint64_t count,
                                  const Descend& order) {
  constexpr unsigned kKeys = KeyPack<Key>::kKeys;
  bool may_descend = Descend::may_descend(pack.keys[kKeys - 1], next);
#pragma unroll
  for (unsigned k = 1; k < kKeys; ++k) {
    may_descend = may_descend || Descend::may_descend(pack.keys[k - 1], pack.keys[k]);
  }
  if (!may_descend) return 0;
  unsigned descending = 0;
#pragma unroll
  for (unsigned k = 0; k < kKeys; ++k) {
    const Key right = k + 1 < kKeys ? pack.keys[k + 1] : next;
    if (Descend::may_descend(pack.keys[k], right)) descending |= 1u << k;
  }
  if constexpr (!Descend::kCertain) {
#pragma unroll
    for (unsigned k = 0; k < kKeys; ++k) {
      if ((descending >> k & 1) == 0) continue;
      const Key right = k + 1 < kKeys ? pack.keys[k + 1] : next;
      const std::uint64_t place = first_place + k + 1;
      if (place >= count || !order.descends(pack.keys[k], right, place)) descending &= ~(1u << k);
    }
  }
  return descending;
}

/// Checks whole packs only. A lane gets the key behind its pack from the next lane, the last lane from memory. The
/// largest key stands behind the last key of the array.
template <class Key, class Descend>
__global__ void __launch_bounds__(kThreads)
    check_order_kernel(const Key* keys, std::uint64_t count, const __grid_constant__ Descend descend,
                       OrderCheck* result) {
  using Pack = KeyPack<Key>;
  const std::uint64_t pack_count = count / Pack::kKeys;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads * kPacks;
  const auto* packs = reinterpret_cast<const Pack*>(keys);
  const bool last_lane = threadIdx.x % kWarpLanes == kWarpLanes - 1;
  Descents found;
  for (std::uint64_t base = std::uint64_t{blockIdx.x} * kThreads * kPacks; base < pack_count; base += stride) {
    Pack loaded[kPacks];
    Key behind[kPacks];
#pragma unroll
    for (unsigned k = 0; k < kPacks; ++k) {
      const std::uint64_t pack = base + k * kThreads + threadIdx.x;
      const std::uint64_t next_place = (pack + 1) * Pack::kKeys;
      if (pack < pack_count) loaded[k] = packs[pack];
      const bool from_memory = last_lane || pack + 1 >= pack_count;
      behind[k] = from_memory && next_place < count ? keys[next_place] : static_cast<Key>(~Key{0});
    }
#pragma unroll
    for (unsigned k = 0; k < kPacks; ++k) {
      const std::uint64_t pack = base + k * kThreads + threadIdx.x;
      const Key from_next = __shfl_down_sync(kAllLanes, loaded[k].keys[0], 1);
      if (pack >= pack_count) continue;
      const bool from_memory = last_lane || pack + 1 == pack_count;
      const std::uint64_t first_place = pack * Pack::kKeys;
      const Key next = from_memory ? behind[k] : from_next;
      found.add(descending_in(loaded[k], next, first_place, count, descend), first_place + 1);
    }
  }
  report(found, result);
}

/// Checks the items of the last pack if it is not full, except its first: one for each lane of a warp.
template <class Key, class Descend>
__global__ void check_rest_kernel(const Key* keys, std::uint64_t count, const __grid_constant__ Descend descend,
                                  OrderCheck* result) {
  Descents found;
  const std::uint64_t place = count / KeyPack<Key>::kKeys * KeyPack<Key>::kKeys + 1 + threadIdx.x;
  if (place < count && descend.descends(keys[place - 1], keys[place], place)) found.add(1, place);
  report(found, result);
}

__global__ void clear_order_check_kernel(OrderCheck* result) { *result = {0, kNowhere}; }

template <class Key, class Descend>
void launch_check(const Key* keys, std::uint64_t count, const Descend& descend, OrderCheck* result,
                  cudaStream_t stream) {
  clear_order_check_kernel<<<1, 1, 0, stream>>>(result);
  check_launch("order check clearing kernel");
  const std::uint64_t pack_count = count / KeyPack<Key>::kKeys;
  if (pack_count > 0) {
    const unsigned grid = persistent_grid(divide_up(pack_count, kThreads * kPacks), kBlocksPerMultiprocessor);
    check_order_kernel<<<grid, kThreads, 0, stream>>>(keys, count, descend, result);
    check_launch("order check kernel");
  }
  if (count % KeyPack<Key>::kKeys > 1) {
    check_rest_kernel<<<1, kWarpLanes, 0, stream>>>(keys, count, descend, result);
    check_launch("order check rest kernel");
  }
}

}  // namespace

void check_order(const std::uint32_t* keys, std::uint64_t count, OrderCheck* result, cudaStream_t stream) {
  launch_check(keys, count, KeysDescend{}, result, stream);
}

void check_order(const std::uint64_t* keys, std::uint64_t count, OrderCheck* result, cudaStream_t stream) {
  launch_check(keys, count, KeysDescend{}, result, stream);
}

void check_order(const PrefixPairs& pairs, std::uint64_t count, const RecordKeys* tie_break, OrderCheck* result,
                 cudaStream_t stream) {
  const PairsDescend descend{pairs.indices, tie_break != nullptr ? *tie_break : RecordKeys{}, tie_break != nullptr};
  launch_check(static_cast<const std::uint64_t*>(pairs.prefixes), count, descend, result, stream);
}

}  // namespace sortie::kernels

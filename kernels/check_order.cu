#include "kernels/check_order.hpp"

#include "kernels/launch.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerMultiprocessor = 8;
constexpr unsigned kPacks = 4;  ///< of 16 bytes that a thread loads at once
constexpr unsigned kAllLanes = 0xffffffff;
constexpr unsigned kWarpLanes = 32;
constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

template <class Key>
struct alignas(16) KeyPack {
  static constexpr unsigned kKeys = 16 / sizeof(Key);
  Key keys[kKeys];
};

/// Whether the neighbours at `place` - 1 and `place`, whose keys are given, are out of order; may_descend() is
/// the part of the question that the keys answer.
struct KeysDescend {
  template <class Key>
  __device__ static bool may_descend(Key left, Key right) {
    return right < left;
  }
  template <class Key>
  __device__ bool operator()(Key left, Key right, std::uint64_t) const {
    return right < left;
  }
};

struct PairsDescend {
  const std::uint32_t* indices;
  RecordKeys records;
  bool has_records;

  __device__ static bool may_descend(std::uint64_t left, std::uint64_t right) { return right <= left; }
  __device__ bool operator()(std::uint64_t left, std::uint64_t right, std::uint64_t place) const {
    if (left != right) return right < left;
    const std::uint32_t left_index = indices[place - 1];
    const std::uint32_t right_index = indices[place];
    if (left_index == right_index) return false;
    const bool left_is_later = right_index < left_index;
    if (!has_records) return left_is_later;
    // The one with the higher index may come first only if its key is strictly less.
    return left_is_later ? !records.before(left_index, right_index, 1) : records.before(right_index, left_index, 1);
  }
};

struct Descents {
  std::uint64_t count = 0;
  std::uint64_t first = kNowhere;

  __device__ void add(std::uint64_t place) {
    ++count;
    if (place < first) first = place;
  }
};

__device__ void report(const Descents& own, OrderCheck* result) {
  if (own.count == 0) return;
  atomicAdd(reinterpret_cast<unsigned long long*>(&result->descents), static_cast<unsigned long long>(own.count));
  atomicMin(reinterpret_cast<unsigned long long*>(&result->first_descent), static_cast<unsigned long long>(own.first));
}

/// Compares the keys of a pack with one another and the last with `next`, the first key behind. Places are
/// looked at only if something may descend, which in an ordered array is seldom.
template <class Key, class Descend>
__device__ void check_pack(const KeyPack<Key>& pack, Key next, std::uint64_t first_place, std::uint64_t count,
                           const Descend& descend, Descents& found) {
  bool may_descend = Descend::may_descend(pack.keys[KeyPack<Key>::kKeys - 1], next);
#pragma unroll
  for (unsigned k = 1; k < KeyPack<Key>::kKeys; ++k) {
    may_descend = may_descend || Descend::may_descend(pack.keys[k - 1], pack.keys[k]);
  }
  if (!may_descend) return;
#pragma unroll
  for (unsigned k = 0; k < KeyPack<Key>::kKeys; ++k) {
    const Key right = k + 1 < KeyPack<Key>::kKeys ? pack.keys[k + 1] : next;
    const std::uint64_t place = first_place + k + 1;
    if (place < count && descend(pack.keys[k], right, place)) found.add(place);
  }
}

/// Whole packs only. A lane gets the key behind its pack from the next lane, the last lane from memory.
template <class Key, class Descend>
__global__ void __launch_bounds__(kThreads)
    check_order_kernel(const Key* keys, std::uint64_t count, const __grid_constant__ Descend descend,
                       OrderCheck* result) {
  using Pack = KeyPack<Key>;
  const std::uint64_t pack_count = count / Pack::kKeys;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads * kPacks;
  const auto* packs = reinterpret_cast<const Pack*>(keys);
  Descents found;
  for (std::uint64_t base = std::uint64_t{blockIdx.x} * kThreads * kPacks; base < pack_count; base += stride) {
    Pack loaded[kPacks];
    Key behind[kPacks];
#pragma unroll
    for (unsigned k = 0; k < kPacks; ++k) {
      const std::uint64_t pack = base + k * kThreads + threadIdx.x;
      const std::uint64_t next_place = (pack + 1) * Pack::kKeys;
      if (pack < pack_count) loaded[k] = packs[pack];
      const bool next_lane_has_it = threadIdx.x % kWarpLanes != kWarpLanes - 1 && pack + 1 < pack_count;
      behind[k] = !next_lane_has_it && next_place < count ? keys[next_place] : static_cast<Key>(~Key{0});
    }
#pragma unroll
    for (unsigned k = 0; k < kPacks; ++k) {
      const std::uint64_t pack = base + k * kThreads + threadIdx.x;
      const Key from_next = __shfl_down_sync(kAllLanes, loaded[k].keys[0], 1);
      const bool next_lane_has_it = threadIdx.x % kWarpLanes != kWarpLanes - 1 && pack + 1 < pack_count;
      if (pack < pack_count) {
        check_pack(loaded[k], next_lane_has_it ? from_next : behind[k], pack * Pack::kKeys, count, descend, found);
      }
    }
  }
  report(found, result);
}

/// The neighbours that begin in the last pack, where it is cut short.
template <class Key, class Descend>
__global__ void check_rest_kernel(const Key* keys, std::uint64_t count, const __grid_constant__ Descend descend,
                                  OrderCheck* result) {
  Descents found;
  for (std::uint64_t place = count / KeyPack<Key>::kKeys * KeyPack<Key>::kKeys + 1; place < count; ++place) {
    if (descend(keys[place - 1], keys[place], place)) found.add(place);
  }
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
    check_rest_kernel<<<1, 1, 0, stream>>>(keys, count, descend, result);
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

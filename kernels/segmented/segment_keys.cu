#include "kernels/common/launch.hpp"
#include "kernels/segment_keys.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kSegmentThreads = 256;

/// The last segment that begins at or before the item; empty segments end where they begin, and hold none.
__device__ std::uint32_t segment_of(std::uint64_t item, const std::uint64_t* offsets, std::uint32_t segment_count) {
  std::uint32_t begin = 0;
  std::uint32_t end = segment_count;
  while (begin + 1 < end) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (offsets[middle] <= item) {
      begin = middle;
    } else {
      end = middle;
    }
  }
  return begin;
}

template <class Bits, class Codec>
__global__ void __launch_bounds__(kSegmentThreads)
    compose_segment_keys_kernel(const Bits* keys, std::uint64_t count, const Codec codec, const std::uint64_t* offsets,
                                std::uint32_t segment_count, std::uint64_t* composed) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kSegmentThreads + threadIdx.x;
  if (i >= count) return;
  const std::uint64_t segment = segment_of(i, offsets, segment_count);
  composed[i] = segment << (8 * sizeof(Bits)) | codec.encode(keys[i]);
}

template <class Bits, class Codec>
__global__ void __launch_bounds__(kSegmentThreads)
    take_segment_keys_kernel(const std::uint64_t* composed, std::uint64_t count, const Codec codec, Bits* keys) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kSegmentThreads + threadIdx.x;
  if (i < count) keys[i] = codec.decode(static_cast<Bits>(composed[i]));
}

unsigned segment_grid(std::uint64_t count) { return grid_of_tiles(divide_up(count, kSegmentThreads)); }

}  // namespace

template <class Bits, class Codec>
void compose_segment_keys(const Bits* keys, std::uint64_t count, const Codec& codec, const std::uint64_t* offsets,
                          std::uint32_t segment_count, std::uint64_t* composed, cudaStream_t stream) {
  if (count == 0) return;
  compose_segment_keys_kernel<<<segment_grid(count), kSegmentThreads, 0, stream>>>(keys, count, codec, offsets,
                                                                                   segment_count, composed);
  check_launch("kernel that puts segments in front of keys");
}

template <class Bits, class Codec>
void take_segment_keys(const std::uint64_t* composed, std::uint64_t count, const Codec& codec, Bits* keys,
                       cudaStream_t stream) {
  if (count == 0) return;
  take_segment_keys_kernel<<<segment_grid(count), kSegmentThreads, 0, stream>>>(composed, count, codec, keys);
  check_launch("kernel that takes keys from behind segments");
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses there.
#define SORTIE_SEGMENT_KEYS_OF(Bits, Codec)                                                                \
  template void compose_segment_keys(const Bits*, std::uint64_t, const Codec<Bits>&, const std::uint64_t*, \
                                     std::uint32_t, std::uint64_t*, cudaStream_t);                         \
  template void take_segment_keys(const std::uint64_t*, std::uint64_t, const Codec<Bits>&, Bits*, cudaStream_t);
// NOLINTEND(bugprone-macro-parentheses)

SORTIE_SEGMENT_KEYS_OF(std::uint8_t, ShortCodec)
SORTIE_SEGMENT_KEYS_OF(std::uint16_t, ShortCodec)
SORTIE_SEGMENT_KEYS_OF(std::uint32_t, KeyCodec)

#undef SORTIE_SEGMENT_KEYS_OF

}  // namespace sortie::kernels

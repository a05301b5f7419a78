// Packs 64-bit keys of which at most four bytes vary into 32-bit codes: the varying bytes, in their order. A radix
// sort moves the codes between its first pass and its last, and so saves a third or a half of the traffic. Packing
// takes one GPU instruction (PRMT, any four bytes of eight), unpacking two. Host and device code, for tests without a
// GPU.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

/// Byte k of the result is the byte of `high:low` (0 the lowest) that nibble k of `selector` names. Nibbles are less
/// than 8.
SORTIE_HD constexpr std::uint32_t select_bytes(std::uint32_t low, std::uint32_t high, std::uint32_t selector) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(low, high, selector);
#else
  const std::uint64_t bytes = std::uint64_t{high} << 32 | low;
  std::uint32_t selected = 0;
  for (unsigned k = 0; k < 4; ++k) {
    selected |= static_cast<std::uint32_t>(bytes >> (8 * (selector >> (4 * k) & 7)) & 0xff) << (8 * k);
  }
  return selected;
#endif
}

/// Says which bytes of the keys vary, and holds the value of the others.
class BytePacking {
 public:
  BytePacking() = default;

  /// A bit of `ones` is set if it is one in any key, and a bit of `zeros` if it is zero in any key.
  SORTIE_HD constexpr BytePacking(std::uint64_t ones, std::uint64_t zeros) : constant_(ones & ~zeros) {
    unsigned packed = 0;
    for (unsigned byte = 0; byte < 8; ++byte) {
      const bool varies = (ones & zeros) >> (8 * byte) & 0xff;
      if (varies && packed < 4) pack_ |= byte << (4 * packed);
      std::uint32_t& unpack = byte < 4 ? unpack_low_ : unpack_high_;
      unpack |= (varies ? packed & 3 : 4 + byte % 4) << (4 * (byte % 4));
      packed += varies;
      varying_ |= (varies ? 1u : 0u) << byte;
    }
    fits_ = packed <= 4;
  }

  /// Whether pack() loses nothing.
  SORTIE_HD constexpr bool fits() const { return fits_; }

  SORTIE_HD constexpr std::uint32_t pack(std::uint64_t key) const {
    return select_bytes(static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32), pack_);
  }

  /// The inverse of pack(), for the keys that the constructor was told about.
  SORTIE_HD constexpr std::uint64_t unpack(std::uint32_t code) const {
    const std::uint32_t low = select_bytes(code, static_cast<std::uint32_t>(constant_), unpack_low_);
    const std::uint32_t high = select_bytes(code, static_cast<std::uint32_t>(constant_ >> 32), unpack_high_);
    return std::uint64_t{high} << 32 | low;
  }

  /// The position in the code of the key byte whose lowest bit is bit `shift`. That byte must vary.
  SORTIE_HD constexpr unsigned packed_shift(unsigned shift) const {
    unsigned below = 0;
    for (unsigned byte = 0; byte < shift / 8; ++byte) below += varying_ >> byte & 1;
    return 8 * below;
  }

 private:
  std::uint64_t constant_ = 0;  ///< the bytes that do not vary
  std::uint32_t pack_ = 0;      ///< byte selectors, as for select_bytes()
  std::uint32_t unpack_low_ = 0;
  std::uint32_t unpack_high_ = 0;
  unsigned varying_ = 0;  ///< one bit per byte: whether it varies
  bool fits_ = false;
};

/// A codec (key_codec.hpp) that packs the codes of another one. Both members must outlive it.
template <class Codec>
struct PackingCodec {
  static constexpr bool kRecodes = true;

  const Codec& codec;
  const BytePacking& packing;

  SORTIE_HD constexpr std::uint32_t encode(std::uint64_t number) const { return packing.pack(codec.encode(number)); }
  SORTIE_HD constexpr std::uint64_t decode(std::uint32_t code) const { return codec.decode(packing.unpack(code)); }
};

}  // namespace sortie::kernels

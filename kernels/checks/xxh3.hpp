// XXH3-128 of one record, with the default secret and no seed. Host and device compute the same value as
// XXH3_128bits() of the xxHash library, which base/checksum.hpp uses.
// Collet, "XXH3 algorithm" (xxHash, doc/xxhash_spec.md).
//
// A record is read through a reader, so that it may lie in registers, in shared memory or anywhere:
//   reader.word(at)   8 bytes from `at`, little-endian      reader.half(at)   4 bytes      reader.byte(at)
//   reader.pair(at)   16 bytes; records of more than 16 bytes need no other function
#pragma once

#include <cstdint>

#include <sortie/report.hpp>

#include "base/bytes.hpp"
#include "base/host_device.hpp"

namespace sortie::kernels {

/// 192 bytes, as 24 little-endian words. Kernels take it as an argument, which puts it in constant memory.
struct Xxh3Secret {
  static constexpr unsigned kBytes = 192;
  std::uint64_t words[kBytes / 8];

  /// The 8 bytes from byte `at`.
  SORTIE_HD constexpr std::uint64_t word(unsigned at) const {
    const unsigned shift = 8 * (at % 8);
    const std::uint64_t low = words[at / 8] >> shift;
    return shift == 0 ? low : low | words[at / 8 + 1] << (64 - shift);
  }
};

inline constexpr Xxh3Secret kXxh3Secret = {{
    0xbe4ba423396cfeb8, 0x1cad21f72c81017c, 0xdb979083e96dd4de, 0x1f67b3b7a4a44072, 0x78e5c0cc4ee679cb,
    0x2172ffcc7dd05a82, 0x8e2443f7744608b8, 0x4c263a81e69035e0, 0xcb00c391bb52283c, 0xa32e531b8b65d088,
    0x4ef90da297486471, 0xd8acdea946ef1938, 0x3f349ce33f76faa8, 0x1d4f0bc7c7bbdcf9, 0x3159b4cd4be0518a,
    0x647378d9c97e9fc8, 0xc3ebd33483acc5ea, 0xeb6313faffa081c5, 0x49daf0b751dd0d17, 0x9e68d429265516d3,
    0xfca1477d58be162b, 0xce31d07ad1b8f88f, 0x280416958f3acb45, 0x7e404bbbcafbd7af,
}};

/// 16 bytes of a record.
struct Xxh3Pair {
  std::uint64_t first;
  std::uint64_t second;
};

struct Xxh3 {
  static constexpr std::uint64_t kPrime32_1 = 0x9e3779b1;
  static constexpr std::uint64_t kPrime32_2 = 0x85ebca77;
  static constexpr std::uint64_t kPrime32_3 = 0xc2b2ae3d;
  static constexpr std::uint64_t kPrime64_1 = 0x9e3779b185ebca87;
  static constexpr std::uint64_t kPrime64_2 = 0xc2b2ae3d27d4eb4f;
  static constexpr std::uint64_t kPrime64_3 = 0x165667b19e3779f9;
  static constexpr std::uint64_t kPrime64_4 = 0x85ebca77c2b2ae63;
  static constexpr std::uint64_t kPrime64_5 = 0x27d4eb2f165667c5;
  static constexpr std::uint64_t kMixer1 = 0x165667919e3779f9;
  static constexpr std::uint64_t kMixer2 = 0x9fb21c651e98df25;

  /// The high and the low half of a product. The device adds up four products of halves, and adds each carry to the
  /// next product as it is made.
  SORTIE_HD static Checksum multiply(std::uint64_t a, std::uint64_t b) {
#if defined(__CUDA_ARCH__)
    const auto a_low = static_cast<std::uint32_t>(a);
    const auto b_low = static_cast<std::uint32_t>(b);
    const std::uint64_t a_high = a >> 32;
    const std::uint64_t b_high = b >> 32;
    const std::uint64_t low = std::uint64_t{a_low} * b_low;
    const std::uint64_t middle = a_low * b_high + (low >> 32);
    const std::uint64_t other_middle = a_high * b_low + static_cast<std::uint32_t>(middle);
    const std::uint64_t high = a_high * b_high + (middle >> 32) + (other_middle >> 32);
    return {other_middle << 32 | static_cast<std::uint32_t>(low), high};
#else
    const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
    return {static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64)};
#endif
  }

  SORTIE_HD static std::uint64_t multiply_fold(std::uint64_t a, std::uint64_t b) {
    const Checksum product = multiply(a, b);
    return product.low ^ product.high;
  }

  SORTIE_HD static std::uint64_t avalanche(std::uint64_t hash) {
    hash = (hash ^ hash >> 37) * kMixer1;
    return hash ^ hash >> 32;
  }

  /// The finaliser of XXH64.
  SORTIE_HD static std::uint64_t long_avalanche(std::uint64_t hash) {
    hash = (hash ^ hash >> 33) * kPrime64_2;
    hash = (hash ^ hash >> 29) * kPrime64_3;
    return hash ^ hash >> 32;
  }

  SORTIE_HD static std::uint32_t byte_swap_half(std::uint32_t value) {
    return static_cast<std::uint32_t>(byte_swap(value) >> 32);
  }
};

template <class Reader>
SORTIE_HD Checksum xxh3_upto_3(const Reader& record, std::uint32_t length, const Xxh3Secret& secret) {
  const std::uint32_t low =
      (record.byte(0) << 16) | (record.byte(length / 2) << 24) | record.byte(length - 1) | (length << 8);
  const std::uint32_t swapped = Xxh3::byte_swap_half(low);
  const std::uint32_t high = swapped << 13 | swapped >> 19;
  const std::uint64_t flips = secret.word(0) ^ secret.word(0) >> 32;
  const std::uint64_t more_flips = secret.word(8) ^ secret.word(8) >> 32;
  return {Xxh3::long_avalanche(low ^ (flips & 0xffffffff)), Xxh3::long_avalanche(high ^ (more_flips & 0xffffffff))};
}

template <class Reader>
SORTIE_HD Checksum xxh3_upto_8(const Reader& record, std::uint64_t length, const Xxh3Secret& secret) {
  const std::uint64_t input = record.half(0) | static_cast<std::uint64_t>(record.half(length - 4)) << 32;
  Checksum hash = Xxh3::multiply(input ^ secret.word(16) ^ secret.word(24), Xxh3::kPrime64_1 + (length << 2));
  hash.high += hash.low << 1;
  hash.low ^= hash.high >> 3;
  hash.low = (hash.low ^ hash.low >> 35) * Xxh3::kMixer2;
  hash.low ^= hash.low >> 28;
  hash.high = Xxh3::avalanche(hash.high);
  return hash;
}

template <class Reader>
SORTIE_HD Checksum xxh3_upto_16(const Reader& record, std::uint64_t length, const Xxh3Secret& secret) {
  const std::uint64_t first = record.word(0);
  const std::uint64_t last = record.word(length - 8);
  const std::uint64_t flipped = last ^ secret.word(48) ^ secret.word(56);
  Checksum middle = Xxh3::multiply(first ^ last ^ secret.word(32) ^ secret.word(40), Xxh3::kPrime64_1);
  middle.low += (length - 1) << 54;
  middle.high += (flipped & 0xffffffff00000000) + (flipped & 0xffffffff) * Xxh3::kPrime32_2;
  middle.low ^= byte_swap(middle.high);
  Checksum hash = Xxh3::multiply(middle.low, Xxh3::kPrime64_2);
  hash.high += middle.high * Xxh3::kPrime64_2;
  return {Xxh3::avalanche(hash.low), Xxh3::avalanche(hash.high)};
}

/// Adds two times 16 bytes of the record to the sum.
template <class Reader>
SORTIE_HD void xxh3_mix(Checksum& sum, const Reader& record, std::uint64_t at, std::uint64_t other_at,
                        const Xxh3Secret& secret, unsigned secret_at) {
  const Xxh3Pair one = record.pair(at);
  const Xxh3Pair other = record.pair(other_at);
  sum.low += Xxh3::multiply_fold(one.first ^ secret.word(secret_at), one.second ^ secret.word(secret_at + 8));
  sum.low ^= other.first + other.second;
  sum.high +=
      Xxh3::multiply_fold(other.first ^ secret.word(secret_at + 16), other.second ^ secret.word(secret_at + 24));
  sum.high ^= one.first + one.second;
}

SORTIE_HD inline Checksum xxh3_finish_mix(const Checksum& sum, std::uint64_t length) {
  const std::uint64_t high = sum.low * Xxh3::kPrime64_1 + sum.high * Xxh3::kPrime64_4 + length * Xxh3::kPrime64_2;
  return {Xxh3::avalanche(sum.low + sum.high), 0 - Xxh3::avalanche(high)};
}

/// Mixes from both ends inwards.
template <class Reader>
SORTIE_HD Checksum xxh3_upto_128(const Reader& record, std::uint64_t length, const Xxh3Secret& secret) {
  Checksum sum{length * Xxh3::kPrime64_1, 0};
  if (length > 96) xxh3_mix(sum, record, 48, length - 64, secret, 96);
  if (length > 64) xxh3_mix(sum, record, 32, length - 48, secret, 64);
  if (length > 32) xxh3_mix(sum, record, 16, length - 32, secret, 32);
  xxh3_mix(sum, record, 0, length - 16, secret, 0);
  return xxh3_finish_mix(sum, length);
}

template <class Reader>
SORTIE_HD Checksum xxh3_upto_240(const Reader& record, std::uint64_t length, const Xxh3Secret& secret) {
  Checksum sum{length * Xxh3::kPrime64_1, 0};
  for (unsigned at = 0; at < 128; at += 32) xxh3_mix(sum, record, at, at + 16, secret, at);
  sum = {Xxh3::avalanche(sum.low), Xxh3::avalanche(sum.high)};
  for (unsigned at = 128; at + 32 <= length; at += 32) xxh3_mix(sum, record, at, at + 16, secret, at - 128 + 3);
  xxh3_mix(sum, record, length - 16, length - 32, secret, 136 - 17 - 16);
  return xxh3_finish_mix(sum, length);
}

/// The eight accumulators for longer records. They take a stripe of 64 bytes at a time, and are scrambled after every
/// sixteen stripes.
struct Xxh3Lanes {
  static constexpr unsigned kStripeBytes = 64;
  static constexpr unsigned kBlockStripes = (Xxh3Secret::kBytes - kStripeBytes) / 8;

  std::uint64_t sums[8] = {Xxh3::kPrime32_3, Xxh3::kPrime64_1, Xxh3::kPrime64_2, Xxh3::kPrime64_3,
                           Xxh3::kPrime64_4, Xxh3::kPrime32_2, Xxh3::kPrime64_5, Xxh3::kPrime32_1};

  template <class Reader>
  SORTIE_HD void add_stripe(const Reader& record, std::uint64_t at, const Xxh3Secret& secret, unsigned secret_at) {
    for (unsigned i = 0; i < 8; i += 2) {
      const Xxh3Pair pair = record.pair(at + 8 * i);
      sums[i] += keyed_product(pair.first ^ secret.word(secret_at + 8 * i)) + pair.second;
      sums[i + 1] += keyed_product(pair.second ^ secret.word(secret_at + 8 * i + 8)) + pair.first;
    }
  }

  SORTIE_HD static std::uint64_t keyed_product(std::uint64_t keyed) { return (keyed & 0xffffffff) * (keyed >> 32); }

  SORTIE_HD void scramble(const Xxh3Secret& secret) {
    for (unsigned i = 0; i < 8; ++i) {
      const std::uint64_t shifted = sums[i] ^ sums[i] >> 47;
      sums[i] = (shifted ^ secret.word(Xxh3Secret::kBytes - kStripeBytes + 8 * i)) * Xxh3::kPrime32_1;
    }
  }

  SORTIE_HD std::uint64_t merged(std::uint64_t start, const Xxh3Secret& secret, unsigned secret_at) const {
    std::uint64_t hash = start;
    for (unsigned i = 0; i < 8; i += 2) {
      hash += Xxh3::multiply_fold(sums[i] ^ secret.word(secret_at + 8 * i),
                                  sums[i + 1] ^ secret.word(secret_at + 8 * i + 8));
    }
    return Xxh3::avalanche(hash);
  }
};

template <class Reader>
SORTIE_HD Checksum xxh3_long(const Reader& record, std::uint64_t length, const Xxh3Secret& secret) {
  constexpr unsigned kStripe = Xxh3Lanes::kStripeBytes;
  Xxh3Lanes lanes;
  const std::uint64_t stripe_count = (length - 1) / kStripe;
  for (std::uint64_t stripe = 0; stripe < stripe_count; ++stripe) {
    const auto in_block = static_cast<unsigned>(stripe % Xxh3Lanes::kBlockStripes);
    lanes.add_stripe(record, stripe * kStripe, secret, 8 * in_block);
    if (in_block + 1 == Xxh3Lanes::kBlockStripes) lanes.scramble(secret);
  }
  lanes.add_stripe(record, length - kStripe, secret, Xxh3Secret::kBytes - kStripe - 7);
  return {lanes.merged(length * Xxh3::kPrime64_1, secret, 11),
          lanes.merged(~(length * Xxh3::kPrime64_2), secret, Xxh3Secret::kBytes - kStripe - 11)};
}

/// The hash of a record of more than 16 bytes.
template <class Reader>
SORTIE_HD Checksum xxh3_over_16(const Reader& record, std::uint64_t length, const Xxh3Secret& secret) {
  if (length > 240) return xxh3_long(record, length, secret);
  if (length > 128) return xxh3_upto_240(record, length, secret);
  return xxh3_upto_128(record, length, secret);
}

template <class Reader>
SORTIE_HD Checksum xxh3_128(const Reader& record, std::uint64_t length, const Xxh3Secret& secret) {
  if (length > 16) return xxh3_over_16(record, length, secret);
  if (length > 8) return xxh3_upto_16(record, length, secret);
  if (length > 3) return xxh3_upto_8(record, length, secret);
  if (length > 0) return xxh3_upto_3(record, static_cast<std::uint32_t>(length), secret);
  return {Xxh3::long_avalanche(secret.word(64) ^ secret.word(72)),
          Xxh3::long_avalanche(secret.word(80) ^ secret.word(88))};
}

}  // namespace sortie::kernels

// Random numbers by position. Each number of a stream is computed by itself, so that any thread can make any part of a
// file. For everything but standard gensort records, whose generator is lcg128.hpp.
#pragma once

#include <cstdint>

namespace sortie::tools {

/// A bijection of 64-bit numbers that changes half of the output bits with any input bit (splitmix64's finaliser,
/// Steele, Lea & Flood 2014).
constexpr std::uint64_t mix_bits(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

/// Number `index` of the stream named by `seed`.
constexpr std::uint64_t random_at(std::uint64_t seed, std::uint64_t index) {
  return mix_bits(seed + (index + 1) * 0x9e3779b97f4a7c15);
}

/// A stream of numbers, for records that take several.
class MixStream {
 public:
  explicit constexpr MixStream(std::uint64_t seed) : seed_(seed) {}

  constexpr std::uint64_t next() { return random_at(seed_, index_++); }

  /// Uniform in [0, bound), up to a bias of bound / 2^32. bound <= 2^32.
  constexpr std::uint64_t below(std::uint64_t bound) { return ((next() >> 32) * bound) >> 32; }

 private:
  std::uint64_t seed_;
  std::uint64_t index_ = 0;
};

/// Scales `fraction` / 2^64 to a range of `bound` numbers. The result is monotone in `fraction` and below `bound`.
constexpr std::uint64_t scale_fraction(std::uint64_t fraction, std::uint64_t bound) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(fraction) * bound) >> 64);
}

}  // namespace sortie::tools

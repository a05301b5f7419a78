// gensort's random numbers: a 128-bit linear congruential generator with skip-ahead in O(log n), so that any range of
// records can be made by itself.
#pragma once

#include <cstdint>

namespace sortie::tools {

using Uint128 = unsigned __int128;

constexpr Uint128 make_uint128(std::uint64_t high, std::uint64_t low) { return (Uint128{high} << 64) | low; }

/// x' = a x + c modulo 2^128, as one affine map that can be composed with itself.
struct AffineStep {
  Uint128 factor = make_uint128(0x2360ed051fc65da4, 0x4385df649fccf645);
  Uint128 increment = make_uint128(0x4a696d4772617952, 0x4950202020202001);

  constexpr Uint128 apply(Uint128 value) const { return factor * value + increment; }

  /// This step followed by `next`.
  constexpr AffineStep then(const AffineStep& next) const {
    return {factor * next.factor, next.factor * increment + next.increment};
  }
};

/// The map that makes `count` steps at once, by repeated squaring.
constexpr AffineStep repeat_step(Uint128 count) {
  AffineStep result{1, 0};
  for (AffineStep power; count != 0; count >>= 1, power = power.then(power)) {
    if ((count & 1) != 0) result = result.then(power);
  }
  return result;
}

class Lcg128 {
 public:
  /// Starts so that next() gives the number after `index` + 1 steps from `seed`.
  constexpr Lcg128(Uint128 seed, Uint128 index) : value_(repeat_step(index).apply(seed)) {}

  constexpr Uint128 next() { return value_ = AffineStep{}.apply(value_); }

 private:
  Uint128 value_;
};

}  // namespace sortie::tools

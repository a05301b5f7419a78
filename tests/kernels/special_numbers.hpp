// Numbers of every type that are hard on sorts, for the tests of sorts that take all types.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "kernels/stable_sorted.hpp"
#include "support/distributions.hpp"

namespace sortie::kernels {

using NumberTypes = testing::Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;

/// Special numbers as bits: the ends of the range, both zeros, infinities, denormals, and NaNs of either sign with
/// payloads. Sorts of every kind of number must handle all of these bit patterns.
template <class Bits>
std::vector<Bits> special_bits() {
  constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  const Bits infinity = sizeof(Bits) == 4
                            ? static_cast<Bits>(std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity()))
                            : static_cast<Bits>(std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity()));
  std::vector<Bits> specials;
  for (const Bits bits : {Bits{0}, Bits{1}, Bits{2}, infinity - 1, infinity, infinity + 1, infinity + 2, kSign - 1}) {
    specials.insert(specials.end(), {bits, static_cast<Bits>(bits | kSign)});
  }
  return specials;
}

/// Numbers with any bits of a distribution, and special numbers among them.
template <class Number>
std::vector<Number> numbers_with_specials(Distribution distribution, std::uint64_t count, std::uint64_t seed) {
  std::vector<CodeOf<Number>> bits = make_keys<CodeOf<Number>>(distribution, count, seed);
  const std::vector<CodeOf<Number>> specials = special_bits<CodeOf<Number>>();
  std::mt19937_64 random(seed);
  for (std::uint64_t i = 0; i < count / 10; ++i) bits[random() % count] = specials[random() % specials.size()];
  return from_bits<Number>(bits);
}

}  // namespace sortie::kernels

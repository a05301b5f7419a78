// Keys for tests of sorts and merges, in distributions known to be hard on sorts. The same seed gives the same keys on
// every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace sortie {

enum class Distribution { kUniform, kConstant, kSorted, kReversed, kFewValued, kZipf };

inline constexpr Distribution kAllDistributions[] = {Distribution::kUniform,   Distribution::kConstant,
                                                     Distribution::kSorted,    Distribution::kReversed,
                                                     Distribution::kFewValued, Distribution::kZipf};

inline std::string to_string(Distribution distribution) {
  switch (distribution) {
    case Distribution::kUniform:
      return "uniform";
    case Distribution::kConstant:
      return "constant";
    case Distribution::kSorted:
      return "sorted";
    case Distribution::kReversed:
      return "reversed";
    case Distribution::kFewValued:
      return "few-valued";
    case Distribution::kZipf:
      return "Zipf";
  }
  return "";
}

/// Spreads a small number over all bits (the finaliser of SplitMix64).
inline std::uint64_t scramble(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

/// A rank in [0, 2^20). Its probability falls as one over the rank.
inline std::uint64_t zipf_rank(std::mt19937_64& random) {
  const double uniform = static_cast<double>(random() >> 11) * 0x1p-53;
  return static_cast<std::uint64_t>(std::exp2(uniform * 20.0)) - 1;
}

/// `count` unsigned integers that use all bits of Key.
template <class Key>
std::vector<Key> make_keys(Distribution distribution, std::uint64_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto constant = static_cast<Key>(scramble(seed + 1));
  std::vector<Key> keys(count);
  for (Key& key : keys) {
    switch (distribution) {
      case Distribution::kConstant:
        key = constant;
        break;
      case Distribution::kFewValued:
        key = static_cast<Key>(scramble(random() % 7 + 1));
        break;
      case Distribution::kZipf:
        key = static_cast<Key>(scramble(zipf_rank(random) + 1));
        break;
      default:
        key = static_cast<Key>(random());
    }
  }
  if (distribution == Distribution::kSorted) std::ranges::sort(keys);
  if (distribution == Distribution::kReversed) std::ranges::sort(keys, std::greater<>());
  return keys;
}

}  // namespace sortie

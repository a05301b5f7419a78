// Makes keys on the device, in the distributions that make a difference to sorts.
#pragma once

#include <cstdint>
#include <string_view>

#include <cuda_runtime_api.h>

#include "device/device_memory.hpp"

namespace sortie::bench {

enum class KeyDistribution {
  kUniform,
  kConstant,
  kFewValued,
  kConstantHigh,
  kSorted,
  kReversed,
  kNearlySorted,
  kZipf,
  kWords,
  kGeometric,
  kGroups
};

inline constexpr KeyDistribution kAllKeyDistributions[] = {
    KeyDistribution::kUniform,      KeyDistribution::kConstant, KeyDistribution::kFewValued,
    KeyDistribution::kConstantHigh, KeyDistribution::kSorted,   KeyDistribution::kReversed,
    KeyDistribution::kNearlySorted, KeyDistribution::kZipf,     KeyDistribution::kWords,
    KeyDistribution::kGeometric,    KeyDistribution::kGroups};

constexpr std::string_view to_string(KeyDistribution distribution) {
  switch (distribution) {
    case KeyDistribution::kUniform:
      return "uniform";
    case KeyDistribution::kConstant:
      return "constant";
    case KeyDistribution::kFewValued:
      return "few-valued";
    case KeyDistribution::kConstantHigh:
      return "constant-high";
    case KeyDistribution::kSorted:
      return "sorted";
    case KeyDistribution::kReversed:
      return "reversed";
    case KeyDistribution::kNearlySorted:
      return "nearly-sorted";
    case KeyDistribution::kZipf:
      return "zipf";
    case KeyDistribution::kWords:
      return "words";
    case KeyDistribution::kGeometric:
      return "geometric";
    case KeyDistribution::kGroups:
      return "groups";
  }
  return "";
}

/// Device memory for `count` items.
template <class T>
struct Array {
  explicit Array(std::uint64_t count) : buffer(count * sizeof(T)) {}
  T* data() const { return reinterpret_cast<T*>(buffer.data()); }
  DeviceBuffer buffer;
};

/// Few-valued: 256 values. Constant-high: the upper half of the bits is the same in all keys. Nearly sorted: one key in
/// 64 is random. Zipf: ranks below 2^20, each mapped to a random value. Words: the first letters of words of one to
/// nine letters, 2^16 of them, with ranks as by Zipf. Geometric: how many trials fail, each with probability 63/64.
/// Groups: 2^20 values at most, but for the lowest five sixteenths of the bits, which are random. Asynchronous. Throws
/// Error. `Key`: unsigned, of 8 to 64 bits.
template <class Key>
void fill_keys(KeyDistribution distribution, Key* keys, std::uint64_t count, cudaStream_t stream);

/// Writes 0, 1, 2, ... Asynchronous. Throws Error.
/// `Value`: std::uint32_t or std::uint64_t.
template <class Value>
void fill_positions(Value* values, std::uint64_t count, cudaStream_t stream);

/// Returns all numbers below `count`, each once, in random order, as after a sort of random keys. Synchronises. Throws
/// Error.
Array<std::uint32_t> shuffled_indices(std::uint64_t count, cudaStream_t stream);

}  // namespace sortie::bench

// The order-independent checksum that input and output of every sort must agree on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <sortie/report.hpp>

namespace sortie {

/// XXH3-128 of one record, its delimiter included.
Checksum hash_record(std::span<const std::byte> record);

inline Checksum& operator+=(Checksum& sum, const Checksum& term) {
  sum.low += term.low;
  sum.high += term.high + (sum.low < term.low ? 1 : 0);
  return sum;
}

inline Checksum operator-(const Checksum& left, const Checksum& right) {
  return {left.low - right.low, left.high - right.high - (left.low < right.low ? 1 : 0)};
}

/// The sum over an array of 4- or 8-byte numbers: each element is mixed, not hashed byte by byte.
Checksum checksum_numbers(std::span<const std::byte> numbers, std::size_t number_bytes);

}  // namespace sortie

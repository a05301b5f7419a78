// Bits one behind the other, the highest of each byte first: blocks of bzip2 begin and end at any bit. Used by the
// output of bzip2.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace sortie {

class BitString {
 public:
  /// Appends the first `count` bits of `bytes`.
  void append(std::span<const std::byte> bytes, std::size_t count);
  /// Appends zeros up to the end of a byte.
  void end_byte() { used_ = 0; }

  /// Moves the whole bytes out.
  std::vector<std::byte> take_whole_bytes();

 private:
  std::vector<std::byte> bytes_;
  unsigned used_ = 0;  // bits of the last byte, unless it is a whole one
};

inline std::vector<std::byte> BitString::take_whole_bytes() {
  std::vector<std::byte> rest;
  if (used_ > 0) {
    rest.push_back(bytes_.back());
    bytes_.pop_back();
  }
  return std::exchange(bytes_, std::move(rest));
}

inline void BitString::append(std::span<const std::byte> bytes, std::size_t count) {
  const unsigned room = 8 - used_;
  for (; count > 0; bytes = bytes.subspan(1)) {
    const auto bits = static_cast<unsigned>(std::min<std::size_t>(8, count));
    const std::byte byte = bytes[0] & (std::byte{0xff} << (8 - bits));
    if (used_ > 0) bytes_.back() |= byte >> used_;
    if (used_ == 0 || bits > room) bytes_.push_back(used_ == 0 ? byte : byte << room);
    count -= bits;
    if (bits < 8) used_ = (used_ + bits) % 8;
  }
}

}  // namespace sortie

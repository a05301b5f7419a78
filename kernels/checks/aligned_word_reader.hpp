// A reader (xxh3.hpp) of records that begin and end at any byte of an array of aligned 4-byte words.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "kernels/checks/xxh3.hpp"

namespace sortie::kernels {

/// Reads a record of any alignment by its aligned 4-byte words, never beyond the word that holds its last byte.
/// `Words` is any type whose operator[] gives such words. `Place` is an integer that can number all their bytes. If
/// `kWholeWords`, records begin and end with a word.
template <class Words, class Place, bool kWholeWords = false>
class AlignedWordReader {
 public:
  /// The record begins `skip` bytes behind the first word.
  SORTIE_HD AlignedWordReader(const Words& words, Place skip) : words_(words), skip_(skip) {}

  SORTIE_HD std::uint32_t byte(Place at) const {
    const Place place = skip_ + at;
    return words_[place / 4] >> (8 * static_cast<unsigned>(place % 4)) & 0xff;
  }

  SORTIE_HD std::uint32_t half(Place at) const {
    const Place first = (skip_ + at) / 4;
    const unsigned shift = shift_of(at);
    return joined(words_[first], shift == 0 ? 0 : words_[first + 1], shift);
  }

  SORTIE_HD std::uint64_t word(Place at) const {
    const Place first = (skip_ + at) / 4;
    const unsigned shift = shift_of(at);
    const std::uint32_t middle = words_[first + 1];
    const std::uint32_t last = shift == 0 ? 0 : words_[first + 2];
    return joined(words_[first], middle, shift) | static_cast<std::uint64_t>(joined(middle, last, shift)) << 32;
  }

  SORTIE_HD Xxh3Pair pair(Place at) const {
    const Place first = (skip_ + at) / 4;
    const unsigned shift = shift_of(at);
    std::uint32_t parts[5] = {words_[first], words_[first + 1], words_[first + 2], words_[first + 3], 0};
    if (shift != 0) parts[4] = words_[first + 4];
    return {joined(parts[0], parts[1], shift) | static_cast<std::uint64_t>(joined(parts[1], parts[2], shift)) << 32,
            joined(parts[2], parts[3], shift) | static_cast<std::uint64_t>(joined(parts[3], parts[4], shift)) << 32};
  }

 private:
  SORTIE_HD unsigned shift_of(Place at) const { return kWholeWords ? 0 : 8 * static_cast<unsigned>((skip_ + at) % 4); }

  /// The 32 bits that begin `shift` bits into `high:low`.
  SORTIE_HD static std::uint32_t joined(std::uint32_t low, std::uint32_t high, unsigned shift) {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(high) << 32 | low) >> shift);
  }

  Words words_;
  Place skip_;
};

}  // namespace sortie::kernels

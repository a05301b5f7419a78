// Escapes a key, so that further keys and the line can follow it. Neither the delimiter of lines nor the key's end mark
// occurs in the escaped key, and memcmp orders escaped keys as it orders the keys: a shorter key is less, because the
// end mark is less than all other bytes. A descending key is complemented. The record codec has a writer for each key.
//
// Before the complement, with the end mark E = 0, or E = 1 if 0 is what must not occur:
//
//   byte b <= E + 1            ->  E + 1, E + 1 + b
//   F, what must not occur     ->  F ^ 1, then 1 or 2     F is the delimiter, complemented if the key is descending
//   F ^ 1                      ->  F ^ 1, then 2 or 1     the lesser of the two takes the 1
//   any other                  ->  itself
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "record/text/byte_words.hpp"
#include "record/text/text_filter.hpp"

namespace sortie {

class KeyWriter {
 public:
  /// `filter`: applied to the bytes on the way; may be null.
  KeyWriter(char delimiter, bool descending, const TextFilter* filter);

  /// Bytes that write() may touch for a key of `size` bytes.
  static constexpr std::size_t room(std::size_t size) { return 2 * size + 8 + 1; }

  /// Writes `key` with its end mark; returns the byte behind it. Precondition: `out` has room().
  std::byte* write(std::string_view key, std::byte* out) const {
    switch (manner_) {
      case Manner::kWords: {
        const std::size_t plain = write_blocks(key, out);
        out += plain;
        if (plain < key.size()) out = write_words<false>(key.substr(plain), out);
        break;
      }
      case Manner::kFoldedWords:
        out = write_words<true>(key, out);
        break;
      case Manner::kBytes:
        out = write_bytes(key, out);
    }
    *out = end_mark_;
    return out + 1;
  }

  /// Ends the key in [begin, end) in place, and writes one byte behind it. Precondition: no byte of the key needs an
  /// escape; none from 0x10 to 0xF0 does.
  std::byte* finish_plain(std::byte* begin, std::byte* end) const {
    if (complement_ != 0) {
      for (std::byte* at = begin; at < end; ++at) *at = ~*at;
    }
    *end = end_mark_;
    return end + 1;
  }

  /// Restores the key in [begin, end), without its end mark, to `out`, which is `begin` or does not overlap it. Returns
  /// the end of the restored key, which is no longer than [begin, end). Precondition: write() has written it, without a
  /// filter. Damaged bytes give some other key.
  std::byte* restore(const std::byte* begin, const std::byte* end, std::byte* out) const;

  /// Length of the key that restore() would make of [begin, end).
  std::size_t restored_bytes(const std::byte* begin, const std::byte* end) const;

  /// The byte that ends each key, and occurs in none.
  std::byte end_mark() const { return end_mark_; }

 private:
  /// What a byte is written as: the first `count` of `bytes`.
  struct Code {
    unsigned char count = 1;
    std::array<unsigned char, 2> bytes{};
  };

  /// How keys are written: by words if nearly every byte is written as itself, apart from its case; else byte by byte.
  enum class Manner { kWords, kFoldedWords, kBytes };

  static Manner manner_for(const TextFilter* filter);
  Code escape(unsigned byte) const;
  template <bool kFold>
  std::byte* write_words(std::string_view key, std::byte* out) const;
  /// Writes bytes in blocks as long as they stand for themselves, and returns how many. Touches at most key.size()
  /// bytes of `out`. Precondition: Manner::kWords.
  std::size_t write_blocks(std::string_view key, std::byte* out) const;
  std::byte* write_bytes(std::string_view key, std::byte* out) const;
  /// Whether a written byte, without complement, is the first of the two that stand for one.
  bool is_lead(unsigned byte) const { return byte == low_bound_ - 1U || byte == (forbidden_ ^ 1U); }
  bool has_lead(std::uint64_t word) const {
    return (zero_bytes(word ^ every_byte(static_cast<unsigned char>(low_bound_ - 1))) |
            zero_bytes(word ^ every_byte(forbidden_ ^ 1))) != 0;
  }

  std::array<Code, 256> codes_;
  Manner manner_;
  unsigned char low_bound_ = 2;   // bytes below are escaped
  unsigned char forbidden_ = 0;   // the byte that must not occur, before the complement
  std::uint64_t pair_ = 0;        // the even one of `forbidden_` and its neighbour, in every byte
  std::uint64_t complement_ = 0;  // all ones: descending
  std::byte end_mark_{};
};

}  // namespace sortie

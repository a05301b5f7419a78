// Writes bytes so that a certain byte does not occur among them: consistent overhead byte stuffing (Cheshire and Baker,
// IEEE/ACM Transactions on Networking 7(2), 1999). 254 bytes take one byte more at most, and whole stretches are
// copied. Used by the record codec: with the delimiter F, bytes of any value stand in place of a line's text. They are
// records that are no lines, payloads of length-prefixed records, and states of groups.
//
//   bytes     | stretch F | stretch F | 254 bytes without F | stretch |
//   stuffed   | code stretch | code stretch | code 254 bytes | code stretch |
//
// A code is the length of its stretch plus 1, xor F: no length gives F. Each stretch but the last one and those of 254
// bytes stands for an F behind it, too.
#pragma once

#include <cstddef>
#include <span>

namespace sortie {

/// Ends the lines that records become which are none. Neither it nor its neighbour 0x1F is a frequent byte of text or
/// numbers, and neither are their complements, for descending keys: these four cost a byte more each in a key.
inline constexpr char kStuffedDelimiter = '\x1E';

/// Bytes that stuff() may write for `size` bytes.
constexpr std::size_t stuffed_room(std::size_t size) { return size + size / 254 + 1; }

/// Writes `bytes` without `forbidden` to `out`; returns the byte behind them.
std::byte* stuff(std::span<const std::byte> bytes, std::byte forbidden, std::byte* out);

/// The same with the forbidden byte behind them.
inline std::byte* stuff_and_end(std::span<const std::byte> bytes, std::byte forbidden, std::byte* out) {
  out = stuff(bytes, forbidden, out);
  *out = forbidden;
  return out + 1;
}

/// Whether `stuffed` is what it was made of behind a single code: no byte was forbidden.
constexpr bool is_one_stretch(std::span<const std::byte> stuffed, std::byte forbidden) {
  return !stuffed.empty() && std::to_integer<std::size_t>(stuffed[0] ^ forbidden) == stuffed.size();
}

/// How many bytes stuff() has made `stuffed` of.
std::size_t unstuffed_bytes(std::span<const std::byte> stuffed, std::byte forbidden);

/// Restores them in place. The result begins behind the first byte of `stuffed`. Damaged bytes give other ones.
std::span<std::byte> unstuff(std::span<std::byte> stuffed, std::byte forbidden);

}  // namespace sortie

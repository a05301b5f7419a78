// Bytes of any length as part of a key: in their order, a shorter text before those that it begins, and so that other
// keys can follow. What must not occur in a line's key is rare in it.
//
//   null, if it comes first   02
//   text                      its bytes, then 03       00 to 04 become 04, 05 + b; FE and FF become FE, b
//   null, if it comes last    FF
//
// All bytes of a descending key are complemented, and the two codes of null change places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sortie::table {

struct TextCode {
  std::uint64_t complement = 0;  ///< all ones: descending
  std::byte null{};              ///< complemented if need be

  TextCode(bool descending, bool nulls_first);

  std::size_t measure(std::string_view text) const;
  /// Returns the byte behind the code, and touches none behind it.
  std::byte* encode(std::string_view text, std::byte* out) const;
  std::byte* encode_null(std::byte* out) const {
    *out = null;
    return out + 1;
  }
  /// Restores the text that begins at `code`, before `end`, in `out`, which has room for as many bytes as there are.
  /// Returns the byte behind the code; moves `out` behind the text.
  const std::byte* decode(const std::byte* code, const std::byte* end, std::byte*& out) const;
};

}  // namespace sortie::table

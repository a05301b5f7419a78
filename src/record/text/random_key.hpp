// Keys of random but repeatable orders: of the bytes of a key (-R, hash), where equal keys stay together, and
// of a record in a shuffle. The key step calls the first ones, the record codec the last.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace sortie {

/// Appends the MD5 digest of `seed` and `key_bytes`, then `key_bytes` themselves, so that different keys never mix even
/// if their digests collide. GNU sort hashes the same: the text of the key, or in a locale what append_transformed()
/// makes of it. Thread-safe. Time: linear in `key_bytes`.
void append_random_key(std::string_view key_bytes, const std::array<std::byte, 16>& seed, std::string& out);

/// The first 8 bytes of the MD5 digest of `text` as a number, the highest first. Thread-safe.
std::uint64_t first_of_md5(std::string_view text);

/// A hash in place of the bytes of a key: 128 bits of XXH3, whose secret is made of the seed. Two of n different keys
/// get the same bytes with a probability of about n^2 / 2^129, unless somebody who knows the seed made them so.
class HashKey {
 public:
  explicit HashKey(const std::array<std::byte, 16>& seed);

  /// Appends the 16 bytes of a key. Thread-safe. Time: linear in `key_bytes`.
  void append(std::string_view key_bytes, std::string& out) const;

 private:
  std::vector<unsigned char> secret_;
};

/// The key of a record in a shuffle: 56 bits that are random to whoever does not know the seed, made of the record's
/// place among all inputs. So the order depends on neither memory, threads nor engine. Two of n records have equal keys
/// with a probability of n^2 / 2^57; such a pair keeps an order that no seed decides.
///
///   | 8 bytes, none of which is the delimiter or the end mark | end mark |
class ShuffleKey {
 public:
  /// Bytes that write() writes.
  static constexpr std::size_t kBytes = sizeof(std::uint64_t) + 1;

  /// `delimiter`: must not occur in a key.
  ShuffleKey(const std::array<std::byte, 16>& seed, char delimiter);

  /// Writes the key of the record at `position`, with its end mark; returns the byte behind it.
  std::byte* write(std::uint64_t position, std::byte* out) const {
    store_as(out, (hash(position) | kTopBits) ^ flip_);
    out[kBytes - 1] = end_mark_;
    return out + kBytes;
  }

  /// The byte that ends each key, and occurs in none.
  std::byte end_mark() const { return end_mark_; }

 private:
  // The top bit of each byte tells a key from delimiter and end mark.
  static constexpr std::uint64_t kTopBits = 0x8080808080808080;

  std::uint64_t hash(std::uint64_t position) const;

  std::array<std::uint64_t, 2> seed_;
  std::uint64_t flip_;  // of the top bits
  std::byte end_mark_;
};

}  // namespace sortie

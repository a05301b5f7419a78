#include "record/text/random_key.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include <boost/uuid/detail/md5.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sortie {
namespace {

/// Hashes `seed`, then `text`, in aligned blocks: Boost's MD5 reads whole words of its input wherever it lies.
void hash_aligned(std::span<const std::byte> seed, std::string_view text, boost::uuids::detail::md5& hash) {
  alignas(std::uint32_t) std::array<std::byte, 64> block;
  std::ranges::copy(seed, block.begin());
  std::size_t used = seed.size();
  do {
    const std::string_view next = text.substr(0, block.size() - used);
    std::copy(next.begin(), next.end(), reinterpret_cast<char*>(block.data()) + used);
    hash.process_bytes(block.data(), used + next.size());
    text.remove_prefix(next.size());
    used = 0;
  } while (!text.empty());
}

}  // namespace

void append_random_key(std::string_view key_bytes, const std::array<std::byte, 16>& seed, std::string& out) {
  boost::uuids::detail::md5 hash;
  hash_aligned(seed, key_bytes, hash);
  boost::uuids::detail::md5::digest_type digest;
  hash.get_digest(digest);
  for (const auto word : digest) {  // the first byte of the digest is the highest of the first word
    for (std::size_t shift = 8 * sizeof word; shift > 0;) {
      shift -= 8;
      out.push_back(static_cast<char>(word >> shift & 0xff));
    }
  }
  out.append(key_bytes);
}

std::uint64_t first_of_md5(std::string_view text) {
  boost::uuids::detail::md5 hash;
  hash_aligned({}, text, hash);
  boost::uuids::detail::md5::digest_type digest;
  hash.get_digest(digest);
  return std::uint64_t{digest[0]} << 32 | digest[1];
}

HashKey::HashKey(const std::array<std::byte, 16>& seed) : secret_(XXH3_SECRET_DEFAULT_SIZE) {
  XXH3_generateSecret(secret_.data(), secret_.size(), seed.data(), seed.size());
}

void HashKey::append(std::string_view key_bytes, std::string& out) const {
  const XXH128_hash_t hash =
      XXH3_128bits_withSecret(key_bytes.data(), key_bytes.size(), secret_.data(), secret_.size());
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, hash);
  out.append(reinterpret_cast<const char*>(bytes.digest), sizeof bytes.digest);
}

ShuffleKey::ShuffleKey(const std::array<std::byte, 16>& seed, char delimiter)
    : seed_(std::bit_cast<std::array<std::uint64_t, 2>>(seed)),
      flip_((static_cast<unsigned char>(delimiter) & 0x80) != 0 ? kTopBits : 0),
      end_mark_(static_cast<std::byte>(delimiter ^ 1)) {}

std::uint64_t ShuffleKey::hash(std::uint64_t position) const {
  const std::array<std::uint64_t, 3> bytes{seed_[0], seed_[1], position};
  return XXH3_64bits(bytes.data(), sizeof bytes);
}

}  // namespace sortie

#include <sortie/shuffle_keys.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <span>

#include "base/bytes.hpp"
#include "base/checksum.hpp"
#include "base/random_bits.hpp"

namespace sortie {
namespace {

RandomSeed made_up_seed() {
  RandomSeed seed;
  store_as(seed.data(), random_bits());
  store_as(seed.data() + sizeof(std::uint64_t), random_bits());
  return seed;
}

/// The bytes of the hash, as they lie in memory, are the key.
Checksum hash_number(const RandomSeed& seed, std::uint64_t number) {
  std::array<std::byte, sizeof(RandomSeed) + sizeof number> bytes;
  std::ranges::copy(seed, bytes.begin());
  store_as(bytes.data() + sizeof(RandomSeed), number);
  return hash_record(bytes);
}

}  // namespace

ShuffleKeys::ShuffleKeys(const std::optional<RandomSeed>& seed) : seed_(seed ? *seed : made_up_seed()) {}

std::vector<std::byte> ShuffleKeys::key(std::uint64_t number) const {
  const Checksum hash = hash_number(seed_, number);
  const auto key = std::as_bytes(std::span(&hash, 1));
  return {key.begin(), key.end()};
}

void ShuffleKeys::write_words(std::uint64_t first_number, std::span<std::uint64_t> first_words,
                              std::span<std::uint64_t> second_words) const {
  assert(first_words.size() == second_words.size());
  for (std::size_t i = 0; i < first_words.size(); ++i) {
    const Checksum hash = hash_number(seed_, first_number + i);
    const auto bytes = std::as_bytes(std::span(&hash, 1));
    first_words[i] = load_big_padded(bytes.data(), sizeof(std::uint64_t));
    second_words[i] = load_big_padded(bytes.data() + sizeof(std::uint64_t), sizeof(std::uint64_t));
  }
}

}  // namespace sortie

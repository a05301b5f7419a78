#include "formats/shuffle_key.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "base/bytes.hpp"
#include "base/checksum.hpp"
#include "base/random_bits.hpp"

namespace sortie::formats {
namespace {

RandomSeed made_up_seed() {
  RandomSeed seed;
  store_as(seed.data(), random_bits());
  store_as(seed.data() + sizeof(std::uint64_t), random_bits());
  return seed;
}

}  // namespace

ShuffleKeys::ShuffleKeys(const std::optional<RandomSeed>& seed) : seed_(seed ? *seed : made_up_seed()) {}

std::vector<std::byte> ShuffleKeys::key(std::uint64_t number) const {
  std::array<std::byte, sizeof(RandomSeed) + sizeof number> bytes;
  std::ranges::copy(seed_, bytes.begin());
  store_as(bytes.data() + sizeof(RandomSeed), number);
  const Checksum hash = hash_record(bytes);
  const auto key = std::as_bytes(std::span(&hash, 1));
  return {key.begin(), key.end()};
}

}  // namespace sortie::formats

#include "record/text/shuffle_key.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sortie {

ShuffleKey::ShuffleKey(const std::array<std::byte, 16>& seed, char delimiter)
    : seed_(std::bit_cast<std::array<std::uint64_t, 2>>(seed)),
      flip_((static_cast<unsigned char>(delimiter) & 0x80) != 0 ? kTopBits : 0),
      end_mark_(static_cast<std::byte>(delimiter ^ 1)) {}

std::uint64_t ShuffleKey::hash(std::uint64_t position) const {
  const std::array<std::uint64_t, 3> bytes{seed_[0], seed_[1], position};
  return XXH3_64bits(bytes.data(), sizeof bytes);
}

}  // namespace sortie

#include <sortie/byte_checksum.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sortie {

struct ByteChecksum::State {
  XXH3_state_t hash;
};

ByteChecksum::ByteChecksum() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->hash); }
ByteChecksum::~ByteChecksum() = default;
ByteChecksum::ByteChecksum(ByteChecksum&&) noexcept = default;
ByteChecksum& ByteChecksum::operator=(ByteChecksum&&) noexcept = default;

void ByteChecksum::add(std::span<const std::byte> bytes) {
  XXH3_128bits_update(&state_->hash, bytes.data(), bytes.size());
  bytes_ += bytes.size();
}

Checksum ByteChecksum::value() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->hash);
  return {hash.low64, hash.high64};
}

}  // namespace sortie

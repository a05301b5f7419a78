// Keys of a random but repeatable order (-R): a seeded hash, so that equal keys stay together. The key writer calls it
// for each key of this kind.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace sortie {

/// Appends the MD5 digest of `seed` and `key_bytes`, then `key_bytes` themselves, so that different keys never mix even
/// if their digests collide. GNU sort hashes the same: the text of the key, or in a locale what append_transformed()
/// makes of it. Thread-safe. Time: linear in `key_bytes`.
void append_random_key(std::string_view key_bytes, const std::array<std::byte, 16>& seed, std::string& out);

}  // namespace sortie

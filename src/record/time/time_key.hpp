// Keys of times: moments as bytes from 0x10 to 0xF0, in the order of memcmp(). The record codec writes them.
#pragma once

#include <cstddef>

#include "record/time/civil_time.hpp"

namespace sortie {

/// Bytes that write_time_key() may write.
inline constexpr std::size_t kTimeKeyRoom = 17;

/// Writes the key of `instant` and returns its end. Less is a key that ends sooner. Precondition: no more than a day
/// from the years 1 to 9999.
std::byte* write_time_key(const Instant& instant, std::byte* out);

}  // namespace sortie

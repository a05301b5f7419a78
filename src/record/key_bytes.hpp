// The bytes that a key writer passes on as they are, whatever the delimiter of lines and the direction. Encoders of
// keys that choose their own bytes take them from here, so that keys stay short.
#pragma once

namespace sortie {

/// 3 to 9 and 12 to 243.
inline constexpr unsigned kKeyBytes = 239;

/// The byte of rank `rank`, which is below kKeyBytes.
constexpr unsigned char key_byte(unsigned rank) { return static_cast<unsigned char>(rank < 7 ? rank + 3 : rank + 5); }

/// The rank of one of these bytes.
constexpr unsigned key_rank(unsigned char byte) { return byte < 12 ? byte - 3U : byte - 5U; }

}  // namespace sortie

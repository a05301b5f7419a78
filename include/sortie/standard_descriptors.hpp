// For the main() of a program that may be started without standard input, output or error. The next files that it opens
// would take their numbers, and be read or written as if they were the standard ones.
#pragma once

namespace sortie {

/// Fills the places of closed standard descriptors, so that reading and writing there fails as before. Call it before
/// anything is opened. Throws Error.
void occupy_closed_standard_descriptors();

/// Whether the descriptor is closed, or was when occupy_closed_standard_descriptors() was called.
bool was_closed(int descriptor) noexcept;

}  // namespace sortie

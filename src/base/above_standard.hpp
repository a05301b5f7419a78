// Keeps descriptors of files that the library opens above those of standard input, output and error: otherwise a
// program that runs without these would mix its messages with its data. Used wherever a file is opened.
#pragma once

namespace sortie {

/// Returns a descriptor above 2 of the same open file, and closes `descriptor` if that is a different one. Returns -1
/// with errno set if `descriptor` is negative, or if no number is left.
int above_standard(int descriptor) noexcept;

}  // namespace sortie

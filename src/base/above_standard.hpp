// Descriptors of files that the library opens are above those of standard input, output and error: a program that runs
// without these would have its messages and its data mixed otherwise. Used wherever a file is opened.
#pragma once

namespace sortie {

/// The same open file with a number above 2; `descriptor` itself is closed if it is another. -1 with errno set if
/// `descriptor` is negative, or there is no number left.
int above_standard(int descriptor) noexcept;

}  // namespace sortie

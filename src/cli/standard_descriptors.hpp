// A program may be started with standard input, output or error closed. The next file that it opens would
// then take the place, and be read or written as if it were the standard one.
#pragma once

namespace sortie::cli {

/// Fills the place of closed standard descriptors so that using them fails. Throws Error. Called first.
void occupy_closed_standard_descriptors();

}  // namespace sortie::cli

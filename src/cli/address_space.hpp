// Threads reserve address space for their memory, far more than they use. If ulimit -v leaves little, the command makes
// do with less. Called by main().
#pragma once

namespace sortie::cli {

/// Makes all threads that are started from now on reserve less. Does nothing without a limit. Failures are ignored.
void spare_address_space() noexcept;

}  // namespace sortie::cli

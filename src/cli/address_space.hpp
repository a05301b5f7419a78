// Threads reserve address space for their memory, far more than they use. Where ulimit -v leaves little, the command
// makes do with less. Called by main().
#pragma once

namespace sortie::cli {

/// For all threads that are started from now on. Does nothing without a limit. A wish: what fails is left as it was.
void spare_address_space() noexcept;

}  // namespace sortie::cli

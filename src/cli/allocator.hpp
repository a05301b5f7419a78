// How the C library's allocator gives memory to the command and takes it back. Called by main(). The library leaves the
// allocator of the programs that use it as it is.
#pragma once

namespace sortie::cli {

/// Makes large blocks go back to the system as soon as they are freed. Where address space is limited (ulimit -v),
/// threads that are started from now on reserve less of it. Failures are ignored.
void set_up_allocator() noexcept;

}  // namespace sortie::cli

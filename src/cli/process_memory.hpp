// How the command takes memory from the system, for blocks and for the stacks of its threads, whatever the limits on
// stacks (ulimit -s) and memory (ulimit -d, -v) say. Called by main(): the library leaves the process that uses it as
// it is. Failures are ignored.
#pragma once

#include <functional>

namespace sortie::cli {

/// Makes large blocks go back to the system as soon as they are freed. Where address space is limited (ulimit -v),
/// threads that are started from now on reserve less of it.
void set_up_allocator() noexcept;

/// Gives all threads that are started from now on a usual stack if a limit would leave them less than they need, and no
/// more than they need if memory is limited.
void size_thread_stacks() noexcept;

/// Returns what `work`, which must not throw, returns. It runs on a thread of its own if the stack of the calling
/// thread, the first one, may get too small. Call after size_thread_stacks(), before other threads are started.
int run_with_stack(const std::function<int()>& work);

}  // namespace sortie::cli

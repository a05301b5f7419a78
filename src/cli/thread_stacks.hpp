// Room on the stacks of the command's threads, whatever the limits on stacks (ulimit -s) and address space (ulimit -v)
// say. Called by main().
#pragma once

#include <functional>

namespace sortie::cli {

/// For all threads that are started from now on: a usual stack where a limit would leave them less than they need, and
/// no more than they need where address space is limited. A wish: what fails is left as it was.
void size_thread_stacks() noexcept;

/// Returns what `work`, which must not throw, returns. It runs on a thread of its own if the stack of the calling
/// thread, the first one, may get too small. Call after size_thread_stacks(), before other threads are started.
int run_with_stack(const std::function<int()>& work);

}  // namespace sortie::cli

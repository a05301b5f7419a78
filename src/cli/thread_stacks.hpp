// Gives the command's threads room on their stacks, whatever the limits on stacks (ulimit -s) and memory (ulimit -d,
// -v) say. Called by main().
#pragma once

#include <functional>

namespace sortie::cli {

/// Gives all threads that are started from now on a usual stack if a limit would leave them less than they need, and no
/// more than they need if memory is limited. Failures are ignored.
void size_thread_stacks() noexcept;

/// Returns what `work`, which must not throw, returns. It runs on a thread of its own if the stack of the calling
/// thread, the first one, may get too small. Call after size_thread_stacks(), before other threads are started.
int run_with_stack(const std::function<int()>& work);

}  // namespace sortie::cli

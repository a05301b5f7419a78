// Runs work on a given number of threads, even more than the machine has. Results must not depend on the number.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace sortie::test {

template <class Work>
void with_threads(int threads, const Work& work) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  tbb::task_arena(threads).execute(work);
}

}  // namespace sortie::test

// Runs work on a given number of threads, even more than the machine has. Results must not depend on the number.
#pragma once

#include "base/thread_team.hpp"

namespace sortie::test {

template <class Work>
void with_threads(unsigned threads, const Work& work) {
  ThreadTeam(threads).run(work);
}

}  // namespace sortie::test

// The wall time that has passed since a point in time, in seconds. Used wherever work is timed for a report or a
// choice.
#pragma once

#include <chrono>

namespace sortie {

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace sortie

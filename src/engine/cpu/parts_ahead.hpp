// Makes the parts of a sorted run ahead of their consumer, with the threads that it leaves idle. Used by the sorted
// runs of the CPU engine.
//
//   consumer   | part 0: waits while space for the output is prepared | part 1 | part 2 | part 3 | ...
//   made           | part 1 | part 2 | part 3 |                       | part 4 | part 5 | part 6 | ...
//   slot      0        1        2        3                              0        1        2
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>

#include "base/parallel.hpp"

namespace sortie {

/// A smaller part is passed on before another thread would wake up.
inline constexpr std::size_t kLeastPassedBytes = 256 << 10;

/// Calls `pass(part)` for all parts in order, each beside `make(slot)`, which returns the next part, a span, empty
/// behind the last one. A part stays in its slot until pass() returns; `slots`: their number, at least 2. While
/// the first part is passed on, parts are made until all slots are full: its consumer may wait for an output that is
/// not ready. Later on one part is made for each that is passed on, in the slots that have been used by then.
template <class Make, class Pass>
void make_parts_ahead(std::size_t slots, const Make& make, const Pass& pass) {
  struct SetAtEnd {
    std::atomic<bool>& flag;
    ~SetAtEnd() { flag = true; }
  };
  std::size_t made_count = 1;
  std::deque made{make(0)};  // in order
  for (bool is_first = true; !made.front().empty(); is_first = false) {
    const auto part = made.front();
    made.pop_front();
    std::atomic<bool> is_passed = false;
    const auto pass_on = [&] {
      const SetAtEnd set{is_passed};
      pass(part);
    };
    const auto make_next = [&] {
      do {
        if (!made.empty() && made.back().empty()) return;
        made.push_back(make(made_count % slots));
        ++made_count;
      } while (is_first && made_count < slots && !is_passed);
    };
    if (part.size_bytes() < kLeastPassedBytes) {
      pass_on();
      make_next();
    } else {
      run_with_background(pass_on, make_next);
    }
    if (is_first) slots = made_count;
  }
}

}  // namespace sortie

// Parallel loops on the threads of the calling thread's team, by oneTBB. A team of one thread runs them in place, and
// so does a loop of one turn: then oneTBB is not started, which takes longer than the sort of a small input. All
// parallel work of the library goes through these functions. An exception of one turn ends the loop and is thrown to
// the caller.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <cstddef>

#include "base/thread_team.hpp"

namespace sortie {

/// Whether the calling thread shares its loops with no other.
inline bool is_alone() {
  const ThreadTeam* const team = ThreadTeam::current();
  return team != nullptr && team->threads() == 1;
}

/// Calls `body(i)` once for every i from `begin` to before `end`, in any order.
template <class Body>
void parallel_for(std::size_t begin, std::size_t end, const Body& body) {
  if (end <= begin) return;
  if (end - begin > 1 && !is_alone()) {
    tbb::parallel_for(begin, end, body);
    return;
  }
  for (std::size_t i = begin; i < end; ++i) body(i);
}

/// Cuts `begin` to `end` into ranges of about `grain` indexes and calls `body(begin, end)` for each, in any order.
template <class Body>
void parallel_for_ranges(std::size_t begin, std::size_t end, std::size_t grain, const Body& body) {
  if (end <= begin) return;
  if (end - begin > grain && !is_alone()) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(begin, end, grain),
                      [&](const auto& range) { body(range.begin(), range.end()); });
    return;
  }
  for (std::size_t at = begin; at < end; at += grain) body(at, std::min(end, at + grain));
}

/// Calls `body(i, value)` once for every i below `count`: it returns `value` with the result of i added. `join(a, b)`
/// makes one value of those of neighbouring ranges; `identity` adds nothing to any value.
template <class Value, class Body, class Join>
Value parallel_reduce(std::size_t count, const Value& identity, const Body& body, const Join& join) {
  const auto add_range = [&](std::size_t begin, std::size_t end, Value value) {
    for (std::size_t i = begin; i < end; ++i) value = body(i, value);
    return value;
  };
  if (count < 2 || is_alone()) return add_range(0, count, identity);
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, count), identity,
      [&](const auto& range, const Value& value) { return add_range(range.begin(), range.end(), value); }, join);
}

/// Calls both, at the same time if there are threads for it.
template <class First, class Second>
void parallel_invoke(const First& first, const Second& second) {
  if (!is_alone()) {
    tbb::parallel_invoke(first, second);
    return;
  }
  first();
  second();
}

/// Calls `work`. While it waits in a loop for other threads, the calling thread takes up nothing from outside of
/// `work`.
template <class Work>
void run_isolated(const Work& work) {
  if (is_alone()) {
    work();
  } else {
    tbb::this_task_arena::isolate(work);
  }
}

/// Calls `foreground` on the calling thread, and `background` on a thread that it leaves idle, or after it. Returns, or
/// throws, when both have ended. If both throw, the exception of `foreground` is the one that counts; a team of one
/// thread does not begin with `background` then.
template <class Foreground, class Background>
void run_with_background(const Foreground& foreground, const Background& background) {
  if (is_alone()) {
    foreground();
    background();
    return;
  }
  tbb::task_group group;
  group.run(background);
  try {
    run_isolated(foreground);
  } catch (...) {
    try {
      group.wait();
    } catch (...) {  // the exception of `foreground` is thrown
    }
    throw;
  }
  group.wait();
}

}  // namespace sortie

#include "base/parallel.hpp"

#include <cassert>
#include <cstring>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace sortie {
namespace {

/// Bytes that one task copies: many compared with the cost of a task, few compared with a piece.
constexpr std::size_t kCopiedBytes = 1 << 20;

}  // namespace

bool is_alone() {
  const ThreadTeam* const team = ThreadTeam::current();
  return team != nullptr && team->threads() == 1;
}

void parallel_for_ranges(std::size_t begin, std::size_t end, std::size_t grain,
                         FunctionRef<void(std::size_t, std::size_t)> body) {
  if (end <= begin) return;
  if (end - begin > grain && !is_alone()) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(begin, end, grain), [&](const auto& range) {
      throw_if_stopped();
      body(range.begin(), range.end());
    });
    return;
  }
  throw_if_stopped();
  body(begin, end);
}

void parallel_invoke(FunctionRef<void()> first, FunctionRef<void()> second) {
  if (!is_alone()) {
    tbb::parallel_invoke(first, second);
    return;
  }
  first();
  second();
}

void run_isolated(FunctionRef<void()> work) {
  if (is_alone()) {
    work();
  } else {
    tbb::this_task_arena::isolate(work);
  }
}

void run_with_background(FunctionRef<void()> foreground, FunctionRef<void()> background) {
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

void copy_in_parallel(std::span<std::byte> target, std::span<const std::byte> source) {
  assert(target.size() >= source.size());
  if (source.empty()) return;
  parallel_for_ranges(0, source.size(), kCopiedBytes, [&](std::size_t begin, std::size_t end) {
    std::memcpy(target.data() + begin, source.data() + begin, end - begin);
  });
}

}  // namespace sortie

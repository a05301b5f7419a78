#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>

namespace sortie {
namespace {

/// The least bytes that a turn copies: many compared with the cost of a turn, few compared with a piece.
constexpr std::size_t kCopiedBytes = 1 << 20;
/// A turn takes one in so many of the indexes that are left, for each thread: many at first, few at the end, so that
/// all threads end at about the same time (Polychronopoulos and Kuck, Guided self-scheduling, 1987).
constexpr std::size_t kTurnsOfThread = 4;

// Does `work` with the threads of the team, of which `most_helpers` are of use beside the calling thread, which does
// `own` first.
void share(ThreadTeam& team, SharedWork& work, std::size_t most_helpers, FunctionRef<void()> own) {
  team.offer(work, most_helpers);
  try {
    own();
  } catch (...) {
    team.abandon(work);
    throw;
  }
  team.finish(work);
}

}  // namespace

bool is_alone() { return parallel_threads() == 1; }

void parallel_for_ranges(std::size_t begin, std::size_t end, std::size_t grain,
                         FunctionRef<void(std::size_t, std::size_t)> body) {
  if (end <= begin) return;
  if (end - begin <= grain || is_alone()) {
    throw_if_stopped();
    body(begin, end);
    return;
  }
  ThreadTeam& team = *ThreadTeam::current();
  const std::size_t turns = kTurnsOfThread * team.threads();
  std::atomic<std::size_t> next = begin;
  const auto take_turn = [&] {
    std::size_t from = next;
    std::size_t to = 0;
    do {
      if (from >= end) return false;
      to = from + std::min(end - from, std::max(grain, (end - from) / turns));
    } while (!next.compare_exchange_weak(from, to));
    throw_if_stopped();
    body(from, to);
    return true;
  };
  SharedWork work(take_turn);
  share(team, work, (end - begin - 1) / grain, [] {});
}

void run_with_background(FunctionRef<void()> foreground, FunctionRef<void()> background) {
  if (is_alone()) {
    foreground();
    background();
    return;
  }
  std::atomic<bool> has_begun = false;
  const auto take_turn = [&] {
    if (has_begun.exchange(true)) return false;
    background();
    return true;
  };
  SharedWork work(take_turn);
  share(*ThreadTeam::current(), work, 1, foreground);
}

void copy_in_parallel(std::span<std::byte> target, std::span<const std::byte> source) {
  assert(target.size() >= source.size());
  if (source.empty()) return;
  parallel_for_ranges(0, source.size(), kCopiedBytes, [&](std::size_t begin, std::size_t end) {
    std::memcpy(target.data() + begin, source.data() + begin, end - begin);
  });
}

}  // namespace sortie

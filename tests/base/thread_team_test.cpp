#include "base/thread_team.hpp"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <future>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/parallel.hpp"
#include "base/task_thread.hpp"

namespace sortie {
namespace {

// The threads that take part in a loop. The loop lasts long enough for all of them to join.
std::set<std::thread::id> threads_of_loop() {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  parallel_for(0, 64, [&](std::size_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::scoped_lock lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  return threads;
}

TEST(ThreadTeam, OfOneSharesLoopsWithNoOther) {
  ThreadTeam team(1);
  team.run([] {
    EXPECT_EQ(parallel_threads(), 1U);
    EXPECT_EQ(threads_of_loop(), std::set{std::this_thread::get_id()});
  });
}

TEST(ThreadTeam, HasNoMoreThreadsThanItsNumber) {
  ThreadTeam team(2);
  team.run([] {
    EXPECT_EQ(parallel_threads(), 2U);
    EXPECT_LE(threads_of_loop().size(), 2U);
  });
}

TEST(ThreadTeam, GivesWayToOneWithinItAndComesBack) {
  ThreadTeam outer(3);
  outer.run([&] {
    ThreadTeam inner(2);
    EXPECT_EQ(inner.run([] { return parallel_threads(); }), 2U);
    EXPECT_EQ(ThreadTeam::current(), &outer);
  });
}

TEST(ThreadTeam, PassesOnWhatItsWorkThrows) {
  ThreadTeam team(2);
  EXPECT_THROW(team.run([] { throw std::runtime_error("work"); }), std::runtime_error);
  EXPECT_EQ(ThreadTeam::current(), nullptr);
}

// More threads than the team reckons with wait for each other. None may have to wait for a place in the team.
TEST(ThreadTeam, LetsMoreThreadsWorkThanItReckonsWith) {
  ThreadTeam team(1, 1);
  team.run([] {
    std::atomic<int> arrived = 0;
    std::deque<TaskThread> threads(3);
    std::vector<std::future<void>> ended;
    for (TaskThread& thread : threads) {
      ended.push_back(thread.post([&] {
        ++arrived;
        while (arrived < 3) std::this_thread::yield();
      }));
    }
    for (std::future<void>& thread_ended : ended) thread_ended.get();
    EXPECT_EQ(arrived, 3);
  });
}

TEST(ThreadTeam, IsSilentAboutMoreThreadsThanProcessors) {
  ThreadTeam team(1000);
  testing::internal::CaptureStderr();
  EXPECT_EQ(team.run([] { return parallel_threads(); }), 1000U);
  team.run([] { threads_of_loop(); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ThreadTeam, LeavesTheLimitOfOtherWorkAsItIs) {
  const auto limit = [] { return tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism); };
  const std::size_t before = limit();
  ThreadTeam team(1);
  team.run([&] { EXPECT_EQ(limit(), before); });
  EXPECT_EQ(limit(), before);
}

}  // namespace
}  // namespace sortie

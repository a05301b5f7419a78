#include "base/thread_team.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <filesystem>
#include <future>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "base/task_thread.hpp"
#include "support/thread_count.hpp"

namespace sortie {
namespace {

using test::has_no_more_threads_than;
using test::thread_count;

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
  ThreadTeam* const before = ThreadTeam::current();
  ThreadTeam team(2);
  EXPECT_THROW(team.run([] { throw std::runtime_error("work"); }), std::runtime_error);
  EXPECT_EQ(ThreadTeam::current(), before);
}

TEST(ThreadTeam, StartsNoThreadBeforeItIsNeeded) {
  const std::size_t before = thread_count();
  ThreadTeam team(8);
  team.run([&] {
    parallel_for(0, 1, [](std::size_t) {});
    EXPECT_TRUE(has_no_more_threads_than(before));
    parallel_for(0, 3, [](std::size_t) {});
    EXPECT_TRUE(has_no_more_threads_than(before + 2));
  });
}

// Whoever is not free when a second work is offered does not count.
TEST(ThreadTeam, StartsAThreadForEachWorkThatIsOffered) {
  for (int i = 0; i < 20; ++i) {
    ThreadTeam team(3);
    team.run([] {
      std::atomic<int> begun = 0;
      const auto wait_for_both = [&] {
        while (begun < 2) std::this_thread::yield();
      };
      const auto begin = [&] {
        ++begun;
        wait_for_both();
      };
      run_with_background([&] { run_with_background(wait_for_both, begin); }, begin);
    });
  }
}

TEST(ThreadTeam, EndsItsThreads) {
  const std::size_t before = thread_count();
  for (int i = 0; i < 50; ++i) {
    ThreadTeam team(4);
    team.run([] { parallel_for(0, 100, [](std::size_t) {}); });
  }
  EXPECT_TRUE(has_no_more_threads_than(before));
}

TEST(ThreadTeam, HasThreadsThatBelongToIt) {
  std::stop_source stop;
  ThreadTeam team(4, stop.get_token());
  team.run([&] {
    parallel_for(0, 64, [&](std::size_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      EXPECT_EQ(ThreadTeam::current(), &team);
    });
    stop.request_stop();
    EXPECT_THROW(parallel_for(0, 64, [](std::size_t) {}), Stopped);
    team.ignore_stops();
    parallel_for(0, 64, [](std::size_t) {});
  });
}

TEST(StopPoll, ThrowsAfterAWhile) {
  std::stop_source stop;
  stop.request_stop();
  ThreadTeam team(1, stop.get_token());
  team.run([] {
    StopPoll ask_for_stop;
    const auto call_often = [&] {
      for (int i = 0; i < 100'000; ++i) ask_for_stop();
    };
    EXPECT_THROW(call_often(), Stopped);
  });
}

// More threads than the team has wait for each other. None may have to wait for a place in the team.
TEST(ThreadTeam, TakesAnyNumberOfMembers) {
  ThreadTeam team(1);
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

// Loops of several members, and loops within their turns, all at the same time.
TEST(ThreadTeam, ServesManyLoopsAtATime) {
  ThreadTeam team(4);
  std::atomic<std::size_t> turns = 0;
  const auto sum_up = [&] {
    team.run([&] {
      for (int i = 0; i < 200; ++i) {
        parallel_for(0, 10, [&](std::size_t) { parallel_for(0, 10, [&](std::size_t) { ++turns; }); });
      }
    });
  };
  std::vector<std::thread> members;
  for (int i = 0; i < 3; ++i) members.emplace_back(sum_up);
  sum_up();
  for (std::thread& member : members) member.join();
  EXPECT_EQ(turns, 4 * 200 * 10 * 10U);
}

// A member that waits helps only within the turns that it waits for.
TEST(ThreadTeam, LetsAMemberTakeUpNoOtherTurnWhileItWaits) {
  ThreadTeam team(2);
  team.run([] {
    thread_local bool is_inside = false;
    parallel_for(0, 200, [](std::size_t) {
      EXPECT_FALSE(is_inside);
      is_inside = true;
      parallel_for(0, 4, [](std::size_t) { std::this_thread::yield(); });
      is_inside = false;
    });
  });
}

TEST(ThreadTeam, LetsAMemberHelpThoseForWhomItWaits) {
  ThreadTeam team(2);
  team.run([] {
    std::atomic<bool> has_begun = false;
    std::set<std::thread::id> threads;
    run_with_background(
        [&] {
          while (!has_begun) std::this_thread::yield();
        },
        [&] {
          has_begun = true;
          threads = threads_of_loop();
        });
    EXPECT_EQ(threads.size(), 2U);
  });
}

// A module that was loaded has a copy of the code of its own. Threads that one copy has started wake up for the other.
TEST(ThreadTeam, IsSharedWithAModule) {
  const auto path = std::filesystem::read_symlink("/proc/self/exe").replace_filename("libsortie_loop_module.so");
  void* const module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(module, nullptr) << ::dlerror();
  using Loop = void (*)(ThreadTeam::Slot, std::size_t, void (*)());
  const auto loop_in_module = reinterpret_cast<Loop>(::dlsym(module, "sortie_loop_in_module"));
  ASSERT_NE(loop_in_module, nullptr);
  static std::atomic<int> turns;
  turns = 0;
  const auto let_threads_sleep = [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
  for (int i = 0; i < 10; ++i) {
    ThreadTeam team(4);
    team.run([&] {
      loop_in_module(ThreadTeam::slot(), 8, [] { ++turns; });
      let_threads_sleep();
      EXPECT_GT(threads_of_loop().size(), 1U);
      let_threads_sleep();
      loop_in_module(ThreadTeam::slot(), 8, [] { ++turns; });
      let_threads_sleep();
    });
  }
  EXPECT_EQ(turns, 160);
}

TEST(ThreadTeam, MayBeLargerThanTheMachine) {
  ThreadTeam team(100);
  EXPECT_EQ(team.run([] { return parallel_threads(); }), 100U);
  EXPECT_GT(team.run([] { return threads_of_loop().size(); }), 1U);
}

}  // namespace
}  // namespace sortie

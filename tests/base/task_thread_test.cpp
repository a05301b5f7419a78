#include "base/task_thread.hpp"

#include <pthread.h>

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace sortie {
namespace {

/// While it lives, no thread can be started: none has an address space for such a stack.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t attributes;
    pthread_getattr_default_np(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t{1} << 47);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }
  ~NoMoreThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;

 private:
  pthread_attr_t before_;
};

TEST(TaskThread, DoesTasksInOrderOnItsOwnThread) {
  std::vector<int> order;
  TaskThread thread;
  thread.post([&] { order.push_back(1); });
  thread.post([&] { order.push_back(2); });
  const std::thread::id other = thread.post([] { return std::this_thread::get_id(); }).get();
  EXPECT_NE(other, std::this_thread::get_id());
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(TaskThread, BeginsWithWhatNamesIt) {
  std::vector<int> order;
  TaskThread thread([&] { order.push_back(0); });
  thread.post([&] { order.push_back(1); }).get();
  EXPECT_EQ(order, (std::vector<int>{0, 1}));
}

TEST(TaskThread, FirstFailureIsTheFailureOfAllLaterTasks) {
  TaskThread thread;
  bool ran = false;
  thread.post([]() -> void { throw std::runtime_error("first"); });
  auto later = thread.post([&] { ran = true; });
  try {
    later.get();
    FAIL() << "did not throw";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "first");
  }
  EXPECT_FALSE(ran);
}

TEST(TaskThread, FailureAtItsBeginIsTheFailureOfAllTasks) {
  TaskThread thread([] { throw std::runtime_error("begin"); });
  EXPECT_THROW(thread.post([] { return 1; }).get(), std::runtime_error);
}

TEST(TaskThread, WhatATaskHoldsIsFreeWhenItIsDone) {
  TaskThread thread;
  auto held = std::make_shared<int>(1);
  thread.post([held] { return *held; }).get();
  EXPECT_EQ(held.use_count(), 1);
  std::future<void> failed = thread.post([held]() -> void { throw std::runtime_error("failed"); });
  std::future<void> refused = thread.post([held] {});
  refused.wait();
  EXPECT_EQ(held.use_count(), 1);
}

TEST(TaskThread, DropsWhatHasNotBegunAtItsEnd) {
  std::promise<void> begun;
  std::promise<void> go_on;
  std::future<void> dropped;
  bool done = false;
  bool ran = false;
  std::thread ender;
  {
    TaskThread thread;
    thread.post([&] {
      begun.set_value();
      go_on.get_future().wait();
      done = true;
    });
    dropped = thread.post([&] { ran = true; });
    begun.get_future().wait();
    // Once the destructor has dropped the second task, the first may end.
    ender = std::thread([&] {
      dropped.wait();
      go_on.set_value();
    });
  }
  ender.join();
  EXPECT_TRUE(done);
  EXPECT_FALSE(ran);
  EXPECT_THROW(dropped.get(), std::future_error);
}

TEST(TaskThread, EndsBehindItsTasksWhenItIsAskedTo) {
  bool done = false;
  TaskThread thread;
  auto first = thread.post([&] { done = true; });
  thread.ask_to_end();
  first.get();
  EXPECT_TRUE(done);
}

TEST(TaskThread, TheCallerDoesTheTasksIfNoThreadCanBeStarted) {
  const NoMoreThreads none;
  bool named = false;
  TaskThread thread([&] { named = true; });
  auto first = thread.post([] { return std::this_thread::get_id(); });
  EXPECT_EQ(first.get(), std::this_thread::get_id());
  EXPECT_FALSE(named);
  thread.post([]() -> void { throw std::runtime_error("first"); });
  EXPECT_THROW(thread.post([] {}).get(), std::runtime_error);
}

TEST(TaskThread, WorksInTheTeamOfThePostingThread) {
  ThreadTeam team(3);
  TaskThread thread;
  team.run([&] {
    EXPECT_EQ(thread.post([] { return ThreadTeam::current(); }).get(), &team);
    EXPECT_EQ(thread.post_outside_team([] { return ThreadTeam::current(); }).get(), nullptr);
  });
  EXPECT_EQ(thread.post([] { return ThreadTeam::current(); }).get(), ThreadTeam::current());
}

}  // namespace
}  // namespace sortie

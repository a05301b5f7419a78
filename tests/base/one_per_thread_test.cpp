#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace sortie {
namespace {

struct Counted {
  Counted() { ++alive; }
  ~Counted() { --alive; }
  int value = 0;
  static inline std::atomic<int> alive = 0;
};

TEST(OnePerThread, GivesEveryThreadItsOwnObjectAndDestroysAllOfThem) {
  constexpr int kThreads = 8;
  {
    OnePerThread<Counted> objects;
    std::atomic<int> waiting = kThreads;
    std::vector<std::thread> threads;
    for (int i = 1; i <= kThreads; ++i) {
      threads.emplace_back([&, i] {
        objects.local().value = i;
        --waiting;
        while (waiting != 0) std::this_thread::yield();  // all of them are alive at once
        EXPECT_EQ(objects.local().value, i);
        EXPECT_EQ(&objects.local(), &objects.local());
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(Counted::alive, kThreads);
  }
  EXPECT_EQ(Counted::alive, 0);
}

}  // namespace
}  // namespace sortie

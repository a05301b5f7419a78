#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace sortie {
namespace {

class Parallel : public testing::TestWithParam<unsigned> {
 protected:
  ThreadTeam team_{GetParam()};
};

TEST_P(Parallel, VisitsEveryIndexOnce) {
  team_.run([] {
    std::vector<std::atomic<int>> visits(1000);
    parallel_for(10, visits.size(), [&](std::size_t i) { ++visits[i]; });
    parallel_for_ranges(0, 10, 3, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    parallel_for(5, 5, [&](std::size_t i) { ++visits[i]; });
    for (const std::atomic<int>& visit : visits) ASSERT_EQ(visit, 1);
  });
}

TEST_P(Parallel, AddsUpInOrder) {
  team_.run([] {
    const std::vector<std::size_t> all = parallel_reduce(
        500, std::vector<std::size_t>(),
        [](std::size_t i, std::vector<std::size_t> sum) {
          sum.push_back(i);
          return sum;
        },
        [](std::vector<std::size_t> a, const std::vector<std::size_t>& b) {
          a.insert(a.end(), b.begin(), b.end());
          return a;
        });
    ASSERT_EQ(all.size(), 500U);
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], i);
    EXPECT_EQ(parallel_reduce(
                  0, 7, [](std::size_t, int) { return 1; }, [](int a, int b) { return a + b; }),
              7);
  });
}

TEST_P(Parallel, ThrowsWhatATurnThrowsWhenAllHaveEnded) {
  team_.run([] {
    EXPECT_THROW(parallel_for(0, 100,
                              [](std::size_t i) {
                                if (i == 50) throw std::runtime_error("turn");
                              }),
                 std::runtime_error);
    std::atomic<bool> background_has_begun = false;
    bool background_has_ended = false;
    const auto fail = [&] {
      const auto waits_until = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
      while (!background_has_begun && std::chrono::steady_clock::now() < waits_until) std::this_thread::yield();
      throw std::runtime_error("foreground");
    };
    EXPECT_THROW(run_with_background(fail,
                                     [&] {
                                       background_has_begun = true;
                                       std::this_thread::sleep_for(std::chrono::milliseconds(5));
                                       background_has_ended = true;
                                     }),
                 std::runtime_error);
    EXPECT_EQ(background_has_ended, background_has_begun);
  });
}

TEST_P(Parallel, ThrowsWhatTheForegroundThrowsIfTheBackgroundFailsToo) {
  team_.run([] {
    EXPECT_THROW(run_with_background([] { throw std::runtime_error("foreground"); },
                                     [] { throw std::logic_error("background"); }),
                 std::runtime_error);
    EXPECT_THROW(run_with_background([] {}, [] { throw std::logic_error("background"); }), std::logic_error);
  });
}

TEST_P(Parallel, CallsBoth) {
  team_.run([] {
    int first = 0;
    int second = 0;
    run_with_background([&] { first = 10; }, [&] { second = 20; });
    EXPECT_EQ(first + second, 30);
  });
}

TEST_P(Parallel, GivesRangesOfTheGrain) {
  team_.run([] {
    std::mutex mutex;
    std::size_t covered = 0;
    std::size_t small = 0;
    parallel_for_ranges(7, 1000, 30, [&](std::size_t begin, std::size_t end) {
      const std::scoped_lock lock(mutex);
      covered += end - begin;
      small += end - begin < 30 ? 1 : 0;
    });
    EXPECT_EQ(covered, 993U);
    EXPECT_LE(small, 1U);
  });
}

INSTANTIATE_TEST_SUITE_P(Teams, Parallel, testing::Values(1U, 2U, 4U));

}  // namespace
}  // namespace sortie

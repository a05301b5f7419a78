#include "base/slot_pool.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <optional>

namespace sortie {
namespace {

TEST(SlotPool, GivesEachSlotToOneHolder) {
  SlotPool pool(3);
  const SlotPool::Slot first = pool.acquire();
  const SlotPool::Slot second = pool.acquire();
  const SlotPool::Slot third = pool.acquire();
  EXPECT_EQ(first.number(), 0u);
  EXPECT_EQ(second.number(), 1u);
  EXPECT_EQ(third.number(), 2u);
}

TEST(SlotPool, GivesTheSlotThatWasGivenBackLast) {
  SlotPool pool(3);
  const SlotPool::Slot kept = pool.acquire();
  { const SlotPool::Slot given_back = pool.acquire(); }
  EXPECT_EQ(pool.acquire().number(), 1u);
}

TEST(SlotPool, WaitsUntilASlotIsGivenBack) {
  SlotPool pool(1);
  std::optional<SlotPool::Slot> held(pool.acquire());
  std::future<std::size_t> next = std::async(std::launch::async, [&] { return pool.acquire().number(); });
  EXPECT_EQ(next.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  held.reset();
  EXPECT_EQ(next.get(), 0u);
}

TEST(SlotPool, AMovedSlotIsGivenBackOnce) {
  SlotPool pool(2);
  {
    SlotPool::Slot from = pool.acquire();
    const SlotPool::Slot to = std::move(from);
    EXPECT_EQ(to.number(), 0u);
    EXPECT_EQ(pool.acquire().number(), 1u);
  }
  const SlotPool::Slot first = pool.acquire();
  const SlotPool::Slot second = pool.acquire();
  EXPECT_NE(first.number(), second.number());
}

}  // namespace
}  // namespace sortie

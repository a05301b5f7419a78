#include "base/bounded_queue.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

namespace sortie {
namespace {

void let_others_run() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

TEST(BoundedQueue, PassesItemsOnInOrder) {
  BoundedQueue<int> queue(2);
  std::vector<int> popped;
  std::thread consumer([&] {
    while (const auto item = queue.pop()) popped.push_back(*item);
  });
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(queue.push(i));
  queue.close();
  consumer.join();
  std::vector<int> expected(1000);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(popped, expected);
}

TEST(BoundedQueue, HoldsTheProducerBackWhileItIsFull) {
  BoundedQueue<int> queue(2);
  std::atomic<int> pushed{0};
  std::thread producer([&] {
    for (int i = 0; i < 3; ++i, ++pushed) queue.push(i);
  });
  let_others_run();
  EXPECT_EQ(pushed, 2);
  EXPECT_EQ(queue.pop(), 0);
  producer.join();
  EXPECT_EQ(pushed, 3);
}

TEST(BoundedQueue, KeepsItsItemsWhenItIsClosed) {
  BoundedQueue<int> queue(2);
  queue.push(7);
  queue.close();
  EXPECT_FALSE(queue.push(8));
  EXPECT_EQ(queue.pop(), 7);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(BoundedQueue, DropsItsItemsWhenItIsAbandoned) {
  BoundedQueue<std::shared_ptr<int>> queue(2);
  const auto item = std::make_shared<int>(1);
  queue.push(item);
  queue.abandon();
  EXPECT_EQ(item.use_count(), 1);
  EXPECT_FALSE(queue.push(item));
  EXPECT_EQ(item.use_count(), 1);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(BoundedQueue, WakesBothSidesWhenItIsClosed) {
  BoundedQueue<int> full;
  BoundedQueue<int> empty;
  full.push(1);
  std::thread producer([&] { EXPECT_FALSE(full.push(2)); });
  std::thread consumer([&] { EXPECT_EQ(empty.pop(), std::nullopt); });
  let_others_run();
  full.close();
  empty.close();
  producer.join();
  consumer.join();
}

}  // namespace
}  // namespace sortie

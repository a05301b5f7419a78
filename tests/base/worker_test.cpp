#include "base/worker.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "base/bounded_queue.hpp"

namespace sortie {
namespace {

TEST(Worker, DoesItsWork) {
  int done = 0;
  Worker worker([&] { done = 1; }, [] { FAIL(); });
  worker.join();
  EXPECT_EQ(done, 1);
  worker.join();  // a second call is harmless
}

TEST(Worker, RethrowsOnceWhatItsWorkThrew) {
  Worker worker([] { throw std::runtime_error("broken"); }, [] {});
  EXPECT_THROW(worker.join(), std::runtime_error);
  EXPECT_NO_THROW(worker.join());
}

TEST(Worker, FreesItsProducerWhenItFails) {
  BoundedQueue<int> queue;
  Worker worker(
      [&] {
        queue.pop();
        throw std::runtime_error("broken");
      },
      [&] { queue.abandon(); });
  while (queue.push(1)) {
  }
  EXPECT_THROW(worker.join(), std::runtime_error);
}

TEST(Worker, WaitsInItsDestructorAndDoesNotThrow) {
  bool done = false;
  {
    Worker worker(
        [&] {
          done = true;
          throw std::runtime_error("lost");
        },
        [] {});
  }
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace sortie

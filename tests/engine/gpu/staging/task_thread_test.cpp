#include "engine/gpu/staging/task_thread.hpp"

#include <gtest/gtest.h>

#include <sortie/error.hpp>
#include <stdexcept>
#include <vector>

#include "support/require_gpu.hpp"

namespace sortie::gpu {
namespace {

TEST(TaskThread, DeviceThatCannotBeSelectedFailsEveryTask) {
  TaskThread thread(1000);
  auto result = thread.post([] { return 1; });
  EXPECT_THROW(result.get(), Error);
}

TEST(TaskThreadGpu, TasksRunInOrderAndReturnValues) {
  SORTIE_REQUIRE_GPU();
  std::vector<int> order;
  TaskThread thread(0);
  thread.post([&] { order.push_back(1); });
  thread.post([&] { order.push_back(2); });
  EXPECT_EQ(thread.post([&] { return order.size(); }).get(), 2U);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(TaskThreadGpu, FirstFailureIsTheFailureOfAllLaterTasks) {
  SORTIE_REQUIRE_GPU();
  TaskThread thread(0);
  bool ran = false;
  thread.post([] { throw std::runtime_error("first"); });
  auto later = thread.post([&] { ran = true; });
  try {
    later.get();
    FAIL() << "did not throw";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "first");
  }
  EXPECT_FALSE(ran);
}

TEST(TaskThreadGpu, CloseRunsWhatWasPosted) {
  SORTIE_REQUIRE_GPU();
  int done = 0;
  TaskThread thread(0);
  for (int i = 0; i < 100; ++i) thread.post([&] { ++done; });
  thread.close();
  EXPECT_EQ(done, 100);
}

}  // namespace
}  // namespace sortie::gpu

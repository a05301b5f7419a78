// Bytes that one thread gives and another takes.
#include "pipeline/join/record_queue.hpp"

#include <thread>

#include <sortie/error.hpp>

#include "pipeline/join/join_plan.hpp"
#include "pipeline/pipeline_support.hpp"

namespace sortie {
namespace {

using namespace test;

TEST(RecordQueue, PassesEverythingOnInTurn) {
  RecordQueue queue(1000);
  std::jthread giver([&] {
    for (int i = 0; i < 500; ++i) queue.give(as_bytes(std::string(static_cast<std::size_t>(i) * 7, 'a')));
    queue.end();
  });
  std::size_t bytes = 0;
  for (std::span<const std::byte> taken; !(taken = queue.take()).empty();) bytes += taken.size();
  EXPECT_EQ(bytes, 7U * 499 * 500 / 2);
  EXPECT_TRUE(queue.take().empty());
}

TEST(RecordQueue, LendsWhatIsLong) {
  const std::string longer(3 << 20, 'b');
  RecordQueue queue(1000);
  std::jthread giver([&] {
    queue.give(as_bytes(std::string("a")));
    queue.give(as_bytes(longer));
    queue.give(as_bytes(std::string("c")));
    queue.end();
  });
  EXPECT_EQ(queue.take().size(), 1U);
  EXPECT_EQ(queue.take().data(), as_bytes(longer).data()) << "no copy";
  EXPECT_EQ(queue.take().size(), 1U);
  EXPECT_TRUE(queue.take().empty());
}

TEST(RecordQueue, StopsWhoLendsWhenNobodyTakes) {
  RecordQueue queue(10);
  std::jthread giver([&] { EXPECT_THROW(queue.give(as_bytes(std::string(2 << 20, 'a'))), Stopped); });
  queue.close();
}

TEST(RecordQueue, ThrowsAFailureToWhoTakes) {
  RecordQueue queue(1000);
  queue.give(as_bytes(std::string("a")));
  queue.end(std::make_exception_ptr(Error("gone")));
  EXPECT_EQ(error_of([&] { queue.take(); }), "gone");
}

TEST(RecordQueue, StopsWhoGivesWhenNobodyTakes) {
  RecordQueue queue(10);
  std::jthread giver([&] {
    EXPECT_THROW(
        {
          while (true) queue.give(as_bytes(std::string("twelve bytes")));
        },
        Stopped);
  });
  queue.take();
  queue.close();
}

TEST(JoinLimits, AreAsTheSizesOfTheInputsAre) {
  const JoinLimits even = share_for_join(1 << 30, 8, std::nullopt, 10);
  EXPECT_EQ(even.left_memory_bytes, even.right_memory_bytes);
  EXPECT_EQ(even.left_threads, 4U);
  EXPECT_EQ(even.right_threads, 4U);
  EXPECT_LE(even.left_memory_bytes + even.right_memory_bytes + even.group_bytes + 2 * even.queue_bytes, 1U << 30);
  const JoinLimits uneven = share_for_join(1 << 30, 8, 300, 100);
  EXPECT_EQ(uneven.left_threads, 6U);
  EXPECT_NEAR(static_cast<double>(uneven.left_memory_bytes), 3.0 * static_cast<double>(uneven.right_memory_bytes), 9);
  const JoinLimits most = share_for_join(1 << 30, 2, 1000, 0);
  EXPECT_EQ(most.left_threads, 1U);
  EXPECT_EQ(most.right_threads, 1U);
  EXPECT_NEAR(static_cast<double>(most.left_memory_bytes), 7.0 * static_cast<double>(most.right_memory_bytes), 9);
  const JoinLimits least = share_for_join(kMinMemoryBytes, 1, 1, 1);
  EXPECT_EQ(least.left_memory_bytes, kMinMemoryBytes);
  EXPECT_EQ(least.right_memory_bytes, kMinMemoryBytes);
}

}  // namespace
}  // namespace sortie

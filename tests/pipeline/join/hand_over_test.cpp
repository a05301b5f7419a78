// Bytes that one thread gives and another takes.
#include "pipeline/join/hand_over.hpp"

#include <thread>

#include <sortie/error.hpp>

#include "pipeline/join/join_setup.hpp"
#include "pipeline/pipeline_support.hpp"

namespace sortie {
namespace {

using namespace test;

TEST(HandOver, PassesEverythingOnInTurn) {
  HandOver hand_over(1000);
  std::jthread giver([&] {
    for (int i = 0; i < 500; ++i) hand_over.give(as_bytes(std::string(static_cast<std::size_t>(i) * 7, 'a')));
    hand_over.end();
  });
  std::size_t bytes = 0;
  for (std::span<const std::byte> taken; !(taken = hand_over.take()).empty();) bytes += taken.size();
  EXPECT_EQ(bytes, 7U * 499 * 500 / 2);
  EXPECT_TRUE(hand_over.take().empty());
}

TEST(HandOver, LendsWhatIsLong) {
  const std::string longer(3 << 20, 'b');
  HandOver hand_over(1000);
  std::jthread giver([&] {
    hand_over.give(as_bytes(std::string("a")));
    hand_over.give(as_bytes(longer));
    hand_over.give(as_bytes(std::string("c")));
    hand_over.end();
  });
  EXPECT_EQ(hand_over.take().size(), 1U);
  EXPECT_EQ(hand_over.take().data(), as_bytes(longer).data()) << "no copy";
  EXPECT_EQ(hand_over.take().size(), 1U);
  EXPECT_TRUE(hand_over.take().empty());
}

TEST(HandOver, StopsWhoLendsWhenNobodyTakes) {
  HandOver hand_over(10);
  std::jthread giver([&] { EXPECT_THROW(hand_over.give(as_bytes(std::string(2 << 20, 'a'))), Stopped); });
  hand_over.close();
}

TEST(HandOver, ThrowsAFailureToWhoTakes) {
  HandOver hand_over(1000);
  hand_over.give(as_bytes(std::string("a")));
  hand_over.end(std::make_exception_ptr(Error("gone")));
  EXPECT_EQ(error_of([&] { hand_over.take(); }), "gone");
}

TEST(HandOver, StopsWhoGivesWhenNobodyTakes) {
  HandOver hand_over(10);
  std::jthread giver([&] {
    EXPECT_THROW(
        {
          while (true) hand_over.give(as_bytes(std::string("twelve bytes")));
        },
        Stopped);
  });
  hand_over.take();
  hand_over.close();
}

TEST(JoinShares, AreAsTheSizesOfTheInputsAre) {
  const JoinShares even = share_for_join(1 << 30, 8, std::nullopt, 10);
  EXPECT_EQ(even.left_memory_bytes, even.right_memory_bytes);
  EXPECT_EQ(even.left_threads, 4U);
  EXPECT_EQ(even.right_threads, 4U);
  EXPECT_LE(even.left_memory_bytes + even.right_memory_bytes + even.group_bytes + 2 * even.hand_over_bytes, 1U << 30);
  const JoinShares uneven = share_for_join(1 << 30, 8, 300, 100);
  EXPECT_EQ(uneven.left_threads, 6U);
  EXPECT_NEAR(static_cast<double>(uneven.left_memory_bytes), 3.0 * static_cast<double>(uneven.right_memory_bytes), 9);
  const JoinShares most = share_for_join(1 << 30, 2, 1000, 0);
  EXPECT_EQ(most.left_threads, 1U);
  EXPECT_EQ(most.right_threads, 1U);
  EXPECT_NEAR(static_cast<double>(most.left_memory_bytes), 7.0 * static_cast<double>(most.right_memory_bytes), 9);
  const JoinShares least = share_for_join(kMinMemoryBytes, 1, 1, 1);
  EXPECT_EQ(least.left_memory_bytes, kMinMemoryBytes);
  EXPECT_EQ(least.right_memory_bytes, kMinMemoryBytes);
}

}  // namespace
}  // namespace sortie

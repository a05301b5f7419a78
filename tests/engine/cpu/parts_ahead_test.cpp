#include "engine/cpu/parts_ahead.hpp"

#include <gtest/gtest.h>
#include <sortie/error.hpp>

#include <atomic>
#include <chrono>
#include <span>
#include <thread>
#include <vector>

#include "base/thread_team.hpp"

namespace sortie {
namespace {

constexpr std::size_t kPartNumbers = kLeastPassedBytes / sizeof(int);

// Parts that hold their number everywhere, in slots of their own.
class NumberedParts {
 public:
  NumberedParts(std::size_t slots, int count, std::size_t part_numbers)
      : slots_(slots, std::vector<int>(part_numbers)), count_(count) {}

  std::span<int> make(std::size_t slot) {
    if (made_ == count_) return {};
    std::ranges::fill(slots_.at(slot), made_.load());
    ++made_;
    return slots_[slot];
  }

  int made() const { return made_; }

 private:
  std::vector<std::vector<int>> slots_;
  int count_;
  std::atomic<int> made_ = 0;
};

std::vector<int> numbers_up_to(int count) {
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

TEST(PartsAhead, ArePassedOnInOrderAndStayUntilThen) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    ThreadTeam team(threads);
    for (const int count : {0, 1, 2, 3, 40}) {
      for (const std::size_t part_numbers : {std::size_t{3}, kPartNumbers}) {
        NumberedParts parts(5, count, part_numbers);
        std::vector<int> passed;
        team.run([&] {
          make_parts_ahead(
              5, [&](std::size_t slot) { return parts.make(slot); },
              [&](std::span<int> part) {
                passed.push_back(part[0]);
                if (count == 40 && part[0] % 8 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                EXPECT_TRUE(std::ranges::all_of(part, [&](int number) { return number == passed.back(); }));
              });
        });
        EXPECT_EQ(passed, numbers_up_to(count)) << threads;
      }
    }
  }
}

TEST(PartsAhead, FillAllSlotsWhileTheFirstPartWaits) {
  ThreadTeam team(2);
  constexpr std::size_t kSlots = 6;
  NumberedParts parts(kSlots, 40, kPartNumbers);
  std::vector<int> made_at_end;
  team.run([&] {
    make_parts_ahead(
        kSlots, [&](std::size_t slot) { return parts.make(slot); },
        [&](std::span<int> part) {
          while (part[0] == 0 && parts.made() < static_cast<int>(kSlots)) std::this_thread::yield();
          if (part[0] == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
          made_at_end.push_back(parts.made());
        });
  });
  ASSERT_EQ(made_at_end.size(), 40U);
  EXPECT_EQ(made_at_end[0], static_cast<int>(kSlots));
  for (std::size_t i = 1; i < made_at_end.size(); ++i) EXPECT_LE(made_at_end[i], static_cast<int>(kSlots + i));
}

TEST(PartsAhead, EndWithTheConsumersError) {
  ThreadTeam team(2);
  NumberedParts parts(3, 40, kPartNumbers);
  std::vector<int> passed;
  const auto pass = [&](std::span<int> part) {
    passed.push_back(part[0]);
    if (part[0] == 7) throw Error("full");
  };
  EXPECT_THROW(team.run([&] {
    make_parts_ahead(
        3, [&](std::size_t slot) { return parts.make(slot); }, pass);
  }),
               Error);
  EXPECT_EQ(passed, numbers_up_to(8));
}

TEST(PartsAhead, EndWithTheMakersError) {
  ThreadTeam team(2);
  std::vector<int> one(kPartNumbers);
  int made = 0;
  const auto make = [&](std::size_t) {
    if (++made == 4) throw Error("no memory");
    return std::span(one);
  };
  EXPECT_THROW(team.run([&] { make_parts_ahead(3, make, [](std::span<int>) {}); }), Error);
}

}  // namespace
}  // namespace sortie

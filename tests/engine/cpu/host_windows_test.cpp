#include "engine/host_windows.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <vector>

#include <sortie/error.hpp>

namespace sortie {
namespace {

using namespace std::chrono_literals;

TEST(HostWindows, PassOnWhatTheyWereFilledWith) {
  HostWindows windows;
  for (const std::size_t bytes : {100, 5'000, 10}) {
    const auto window = windows.begin(bytes);
    ASSERT_EQ(window->bytes().size(), bytes);
    EXPECT_EQ(window->byte_count(), bytes);
    std::ranges::fill(window->bytes(), std::byte{7});
    std::size_t passed = 0;
    window->drain([&](std::span<std::byte> part) { passed += part.size(); });
    EXPECT_EQ(passed, bytes);
  }
  windows.begin(0)->drain([](auto) { FAIL() << "nothing to pass on"; });
}

TEST(HostWindows, LieInRoomOfTheCallerAndGiveTheirOwnMemoryBack) {
  HostWindows windows;
  std::byte* const own = windows.begin(std::uint64_t{8} << 20)->bytes().data();
  std::vector<std::byte> room(5'000);
  {
    const auto first = windows.begin(room.size(), room);  // in the slot of the one before
    const auto second = windows.begin(room.size());
    EXPECT_EQ(first->bytes().data(), room.data());
    EXPECT_EQ(first->byte_count(), room.size());
    EXPECT_NE(second->bytes().data(), room.data());
    std::span<std::byte> passed;
    first->drain([&](std::span<std::byte> part) { passed = part; });
    EXPECT_EQ(passed.data(), room.data());
    EXPECT_EQ(passed.size(), room.size());
  }
  std::vector<unsigned char> resident(1);
  EXPECT_NE(::mincore(own, 1, resident.data()), 0) << "it is still mapped";
  EXPECT_EQ(windows.begin(10)->byte_count(), 10U);
}

TEST(HostWindows, AThirdWaitsUntilOneIsGone) {
  HostWindows windows;
  auto first = windows.begin(10);
  const auto second = windows.begin(20);
  auto third = std::async(std::launch::async, [&] { return windows.begin(30); });
  EXPECT_EQ(third.wait_for(20ms), std::future_status::timeout);
  first.reset();
  EXPECT_EQ(third.get()->byte_count(), 30U);
}

TEST(HostWindows, GoOnAfterOneThatFoundNoMemory) {
  HostWindows windows;
  for (int i = 0; i < 3; ++i) EXPECT_THROW(windows.begin(std::uint64_t{1} << 60), Error);
  EXPECT_EQ(windows.begin(10)->byte_count(), 10U);
}

}  // namespace
}  // namespace sortie

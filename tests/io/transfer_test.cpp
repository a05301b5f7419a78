#include "io/files/transfer.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace sortie {
namespace {

TEST(Transfer, RepeatsAnInterruptedCall) {
  int calls = 0;
  const int result = retry_interrupted([&] {
    if (++calls < 3) {
      errno = EINTR;
      return -1;
    }
    return 7;
  });
  EXPECT_EQ(result, 7);
  EXPECT_EQ(calls, 3);
}

TEST(Transfer, DoesNotRepeatAFailedCall) {
  int calls = 0;
  const int result = retry_interrupted([&] {
    ++calls;
    errno = EIO;
    return -1;
  });
  EXPECT_EQ(result, -1);
  EXPECT_EQ(calls, 1);
}

TEST(Transfer, ContinuesShortAndInterruptedTransfers) {
  std::vector<std::size_t> starts;
  bool interrupt = false;
  const Transferred done = transfer_all(10, [&](std::size_t moved, std::size_t left) -> ssize_t {
    interrupt = !interrupt;
    if (interrupt) {
      errno = EINTR;
      return -1;
    }
    starts.push_back(moved);
    return static_cast<ssize_t>(std::min<std::size_t>(left, 3));
  });
  EXPECT_EQ(done.bytes, 10u);
  EXPECT_EQ(done.error_number, 0);
  EXPECT_EQ(starts, (std::vector<std::size_t>{0, 3, 6, 9}));
}

TEST(Transfer, EndsAtTheEndOfTheFile) {
  const Transferred done =
      transfer_all(10, [](std::size_t moved, std::size_t) -> ssize_t { return moved < 4 ? 2 : 0; });
  EXPECT_EQ(done.bytes, 4u);
  EXPECT_EQ(done.error_number, 0);
}

TEST(Transfer, ReportsAFailureAfterAPart) {
  const Transferred done = transfer_all(10, [](std::size_t moved, std::size_t) -> ssize_t {
    errno = ENOSPC;
    return moved == 0 ? 6 : -1;
  });
  EXPECT_EQ(done.bytes, 6u);
  EXPECT_EQ(done.error_number, ENOSPC);
}

}  // namespace
}  // namespace sortie

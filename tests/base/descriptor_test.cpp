#include "base/descriptor.hpp"

#include <fcntl.h>

#include <gtest/gtest.h>

namespace sortie {
namespace {

bool is_open(int number) { return ::fcntl(number, F_GETFD) != -1; }

int open_null() { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }

TEST(Descriptor, IsClosedWithItsOwnerAndLeavesErrnoAlone) {
  int number = -1;
  {
    const Descriptor file(open_null());
    ASSERT_TRUE(file.is_open());
    number = file.number();
    errno = ENOENT;
  }
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(is_open(number));
}

TEST(Descriptor, GoesToTheNextOwner) {
  Descriptor first(open_null());
  const int number = first.number();
  Descriptor second(std::move(first));
  EXPECT_EQ(second.number(), number);
  second = Descriptor(open_null());
  EXPECT_TRUE(second.is_open());
  const Descriptor third(second.release());
  EXPECT_FALSE(second.is_open());
  EXPECT_TRUE(is_open(third.number()));
}

TEST(Descriptor, OfACallThatFailedIsNotOpen) {
  EXPECT_FALSE(Descriptor(::open("/nowhere/at/all", O_RDONLY | O_CLOEXEC)).is_open());
}

}  // namespace
}  // namespace sortie

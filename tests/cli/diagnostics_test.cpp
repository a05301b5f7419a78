#include "cli/diagnostics.hpp"

#include <gtest/gtest.h>

namespace sortie::cli {
namespace {

TEST(Diagnostics, WarnsUnderItsOwnNameOnly) {
  testing::internal::CaptureStderr();
  Diagnostics("/usr/bin/sortie").warning("scratch space is short");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "/usr/bin/sortie: warning: scratch space is short\n");
  testing::internal::CaptureStderr();
  Diagnostics("/usr/bin/sort").warning("scratch space is short");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace sortie::cli

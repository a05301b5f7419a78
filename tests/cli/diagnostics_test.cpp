#include "cli/diagnostics.hpp"

#include <gtest/gtest.h>

#include <sortie/error.hpp>

namespace sortie::cli {
namespace {

TEST(Diagnostics, WarnsUnderItsOwnNameOnly) {
  testing::internal::CaptureStderr();
  Diagnostics("/usr/bin/sortie").warning({"scratch space is short"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "/usr/bin/sortie: warning: scratch space is short\n");
  testing::internal::CaptureStderr();
  Diagnostics("/usr/bin/sort").warning({"scratch space is short"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Diagnostics, NamesTheOptionOfARemedyWhateverTheWords) {
  testing::internal::CaptureStderr();
  Diagnostics("sortie").warning({"it has no zone", Remedy::kZone});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "sortie: warning: it has no zone with --zone\n");
  testing::internal::CaptureStderr();
  Diagnostics("sortie").warning({"say which zone it is"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "sortie: warning: say which zone it is\n");
}

}  // namespace
}  // namespace sortie::cli

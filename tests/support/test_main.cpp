// main() of the test programs, but for the GPU's, which are GoogleTest's: a test that this machine does not allow skips
// itself and says why, for want of a locale, of GNU sort, of leases, of root. Where the variable CI is set it must run,
// and fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace {

/// Comes before the printer of results, which takes what fails here for a failure of the test.
class SkipsFail : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo& test) override {
    if (test.result()->Skipped())
      ADD_FAILURE() << "skipped where CI is set: have installed what it needs (tools/setup)";
  }
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  const char* const ci = std::getenv("CI");
  if (ci != nullptr && *ci != '\0') testing::UnitTest::GetInstance()->listeners().Append(new SkipsFail);
  return RUN_ALL_TESTS();
}

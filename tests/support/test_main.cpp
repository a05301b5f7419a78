// main() of the test programs. Tests run in a team of four threads, however many the machine has. A test that the
// machine does not support skips itself and says what is missing: a locale, GNU sort, leases, root, a GPU. If the
// variable CI is set, the test must run, and a skip is a failure; but not for tests of the GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/thread_team.hpp"

namespace {

/// Registered before the printer of results, which then counts a failure here as a failure of the test.
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
  if (!SORTIE_TESTS_MAY_SKIP && ci != nullptr && *ci != '\0')
    testing::UnitTest::GetInstance()->listeners().Append(new SkipsFail);
  return sortie::ThreadTeam(4).run([] { return RUN_ALL_TESTS(); });
}

#include <memory>

#include <gtest/gtest.h>

#include "base/device_error.hpp"
#include "pipeline/execute.hpp"
#include "pipeline/runs/ordered_delivery.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/sort_support.hpp"

namespace sortie {
namespace {

using namespace test;

class AttemptsTest : public testing::Test {
 protected:
  template <class Failure>
  void fail_with(Attempts& attempts, const Failure& failure, bool has_written = false, std::uint64_t device_bytes = 0) {
    try {
      throw failure;
    } catch (...) {
      attempts.begin_anew(has_written, device_bytes);
    }
  }

  AttemptsTest() { job_.options.engine = EngineChoice::kAuto; }

  SortForTest job_{parsed("lines"), {"b\na\n"}};
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
};

TEST_F(AttemptsTest, GiveAGpuThatLacksMemoryLessAndThenNone) {
  Attempts attempts(*files_, job_.options);
  fail_with(attempts, DeviceMemoryError("full"), true, 4 * kLeastPayingDeviceBytes);
  EXPECT_EQ(attempts.options().device_memory_bytes, kLeastPayingDeviceBytes);
  EXPECT_EQ(attempts.options().engine, EngineChoice::kAuto);
  fail_with(attempts, DeviceError("lost"));
  EXPECT_EQ(attempts.options().engine, EngineChoice::kCpu);
  SortReport report;
  attempts.describe(report);
  EXPECT_EQ(report.device_failure, "lost");
}

TEST_F(AttemptsTest, FormRunsOnceRecordsAreNotInOrder) {
  Attempts attempts(*files_, job_.options);
  EXPECT_TRUE(attempts.lets_ordered_lines_pass());
  fail_with(attempts, NeedsRuns(), true);
  EXPECT_FALSE(attempts.lets_ordered_lines_pass());
  EXPECT_EQ(attempts.options().engine, EngineChoice::kAuto);
}

TEST_F(AttemptsTest, EndWhereSomethingIsOutOrCannotBeReadAgain) {
  job_.options.output = "-";
  Attempts written(*files_, job_.options);
  EXPECT_FALSE(written.lets_ordered_lines_pass());
  EXPECT_THROW(fail_with(written, DeviceError("lost"), true), DeviceError);
  job_.options.inputs = {"-"};
  Attempts read(*files_, job_.options);
  EXPECT_THROW(fail_with(read, DeviceError("lost")), DeviceError);
  Attempts of_runs(*files_, job_.options, Attempts::Inputs::kStay);
  fail_with(of_runs, DeviceError("lost"));
  EXPECT_EQ(of_runs.options().engine, EngineChoice::kCpu);
  EXPECT_THROW(fail_with(of_runs, Error("other")), Error);
}

}  // namespace
}  // namespace sortie

// Sorts whose GPU has too little memory when they start, and the ceilings that they try one after another.
#include <gmock/gmock.h>

#include <functional>

#include "base/device_error.hpp"
#include "pipeline/execute.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/sort_support.hpp"

namespace sortie {
namespace {

using namespace test;
using testing::ElementsAre;

constexpr std::uint64_t kGiB = 1 << 30;

[[noreturn]] void run_out_of_memory() { throw DeviceMemoryError("GPU: cudaMalloc failed"); }
[[noreturn]] void be_full() { throw DeviceFullError("GPU 0: it is full"); }

/// A sort of a file that asks for GPUs. Attempt i calls starts[i]; later attempts call the last of them.
class ScriptedGpuSort {
 public:
  explicit ScriptedGpuSort(std::vector<std::function<void()>> starts)
      : job_(parsed("gensort"), {make_records(parsed("gensort"), Distribution::kUniform, 1000)}),
        starts_(std::move(starts)) {
    job_.options.engine = EngineChoice::kGpu;
  }

  SortReport run() {
    const GpuAccess access{[this](const SortOptions& options, const EngineDecision& decision, const EngineWorkload&,
                                  unsigned, DeviceSpanSink&) {
                             ceilings.push_back(options.device_memory_bytes);
                             starts_[std::min(ceilings.size(), starts_.size()) - 1]();
                             return cpu_engine(options, decision.reason);
                           },
                           1};
    const std::unique_ptr<FileSystem> files = make_posix_file_system();
    SortReport report = execute_sort(*files, job_.options, access);
    EXPECT_TRUE(job_.output() == job_.expected());
    return report;
  }

  SortOptions& options() { return job_.options; }

  std::vector<std::uint64_t> ceilings;  ///< one per attempt

 private:
  SortForTest job_;
  std::vector<std::function<void()>> starts_;
};

TEST(FullGpu, LessIsTriedUntilTheSortStarts) {
  ScriptedGpuSort sort({run_out_of_memory, run_out_of_memory, [] {}});
  EXPECT_EQ(sort.run().device_failure, "GPU: cudaMalloc failed");
  EXPECT_THAT(sort.ceilings, ElementsAre(0, 8 * kGiB, 2 * kGiB));
}

TEST(FullGpu, TheCpuSortsWhereNoLessPays) {
  ScriptedGpuSort sort({run_out_of_memory});
  EXPECT_EQ(sort.run().device_failure, "GPU: cudaMalloc failed");
  EXPECT_THAT(sort.ceilings, ElementsAre(0, 8 * kGiB, 2 * kGiB, kGiB / 2));
}

TEST(FullGpu, CeilingOfTheOptionsIsNeverExceeded) {
  ScriptedGpuSort sort({run_out_of_memory});
  sort.options().device_memory_bytes = 4 * kGiB;
  sort.run();
  EXPECT_THAT(sort.ceilings, ElementsAre(4 * kGiB, kGiB, kGiB / 4));
}

/// Other programs may have filled the GPU by then. A sort that has begun does not fail for that.
TEST(FullGpu, TheCpuSortsIfAGpuIsFullWhenTheSortBeginsAnew) {
  ScriptedGpuSort sort({run_out_of_memory, be_full});
  const SortReport report = sort.run();
  EXPECT_EQ(report.engine, "cpu");
  EXPECT_EQ(report.device_failure, "GPU 0: it is full");
}

TEST(FullGpu, OneGpuThatIsFullAtFirstIsRefused) {
  ScriptedGpuSort sort({be_full});
  EXPECT_THROW(sort.run(), DeviceFullError);
  EXPECT_THAT(sort.ceilings, ElementsAre(0));
}

}  // namespace
}  // namespace sortie

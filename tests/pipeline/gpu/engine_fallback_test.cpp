// Every CUDA call of a sort is made to fail, one after another: the right output comes out all the same.
#include "pipeline/engine_fallback.hpp"

#include <sys/stat.h>
#include <csignal>
#include <fstream>

#include <thread>

#include "device/cuda_fault.hpp"
#include "pipeline/sort_support.hpp"
#include "support/require_gpu.hpp"

namespace sortie {
namespace {

using namespace test;

/// A sort of several chunks, runs and windows on the GPU.
class GpuSortForTest : public SortForTest {
 public:
  explicit GpuSortForTest(const std::string& format)
      : SortForTest(parsed(format), {make_records(parsed(format), Distribution::kZipf, 400'000)}) {
    options.engine = EngineChoice::kGpu;
    options.device_memory_bytes = 16 << 20;
    options.memory_bytes = 8 << 20;
  }

  /// Fails CUDA call `first`, and maybe all later ones, with `status`. False if the sort had no call `first`.
  bool survive(std::uint64_t first, bool from_then_on, cudaError_t status) {
    SCOPED_TRACE("call " + std::to_string(first) + (from_then_on ? " and all later ones: " : ": ") +
                 cudaGetErrorName(status));
    const CudaFaultPlan plan(first, from_then_on, status);
    const SortReport report = run();
    EXPECT_TRUE(output() == expected());
    const bool begun_anew = !report.device_failure.empty();
    // A call that only observes may fail and change nothing.
    EXPECT_TRUE(begun_anew || report.engine == "gpu") << report.engine_reason;
    EXPECT_TRUE(plan.has_struck() || !begun_anew) << report.engine_reason;
    times_begun_anew += begun_anew ? 1 : 0;
    return plan.has_struck();
  }

  int times_begun_anew = 0;
};

void survive_failures_at_steps_of(std::uint64_t step, const std::string& format) {
  GpuSortForTest job(format);
  std::uint64_t call = 1;
  while (!testing::Test::HasFailure() && job.survive(call, false, cudaErrorIllegalAddress)) {
    job.survive(call, true, cudaErrorLaunchFailure);
    job.survive(call, false, cudaErrorMemoryAllocation);
    call += step;
  }
  EXPECT_GT(job.times_begun_anew, 20);
}

TEST(EngineFallbackGpu, AnyFailingCallOfASortOfNumbers) {
  SORTIE_REQUIRE_GPU();
  survive_failures_at_steps_of(29, "u64");
}

TEST(EngineFallbackGpu, AnyFailingCallOfASortOfLines) {
  SORTIE_REQUIRE_GPU();
  survive_failures_at_steps_of(67, "lines");
}

TEST(EngineFallbackGpu, InputsThatCannotBeReadTwiceAreTheCallersLoss) {
  SORTIE_REQUIRE_GPU();
  GpuSortForTest job("u64");
  const std::string pipe = job.directory / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string bytes = job.input();
  // Nobody reads to the end.
  std::jthread writer([&] {
    ::signal(SIGPIPE, SIG_IGN);
    std::ofstream(pipe, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  });
  job.options.inputs = {pipe};
  const CudaFaultPlan plan(40, true, cudaErrorLaunchFailure);
  EXPECT_THROW(sort(job.options), Error);
  EXPECT_FALSE(std::filesystem::exists(job.options.output));
}

}  // namespace
}  // namespace sortie

// Makes CUDA calls of a sort fail, one after another. The output must be right all the same.
#include "pipeline/execute.hpp"

#include <sys/stat.h>
#include <csignal>
#include <fstream>

#include <thread>

#include "pipeline/gpu/cuda_fault_loop.hpp"
#include "pipeline/keyed_lines.hpp"
#include "pipeline/sort_support.hpp"
#include "support/require_gpu.hpp"

namespace sortie {
namespace {

using namespace test;

/// A sort on the GPU, with several chunks, runs and windows unless more memory is given.
class GpuSortForTest : public SortForTest {
 public:
  explicit GpuSortForTest(const Format& format, std::size_t records = 400'000)
      : SortForTest(format, {make_records(format, Distribution::kZipf, records)}) {
    options.engine = EngineChoice::kGpu;
    options.device_memory_bytes = 16 << 20;
    options.memory_bytes = 8 << 20;
  }

  /// The output is the same whichever CUDA call fails.
  void survive_faults() {
    run();
    const std::string expected_output = output();
    for_each_cuda_fault([&](const CudaFaultPlan& plan) {
      const SortReport report = run();
      EXPECT_TRUE(output() == expected_output);
      const bool begun_anew = !report.device_failure.empty();
      // A failing call that only observes or pins may have no effect.
      EXPECT_TRUE(begun_anew || report.engine == "gpu") << report.engine_reason;
      EXPECT_TRUE(plan.has_struck() || !begun_anew) << report.device_failure;
      return begun_anew ? FaultedSort::kBeganAnew : FaultedSort::kWentOn;
    });
  }
};

TEST(EngineFallbackGpu, AnyFailingCallOfASortInMemory) {
  SORTIE_REQUIRE_GPU();
  for (const char* format : {"u64", "lines"}) {
    SCOPED_TRACE(format);
    GpuSortForTest job(parsed(format));
    job.options.device_memory_bytes = 1 << 30;
    job.options.memory_bytes = 256 << 20;
    job.survive_faults();
    EXPECT_TRUE(job.output() == job.expected());
  }
}

TEST(EngineFallbackGpu, AnyFailingCallOfASpilledSortOfNumbers) {
  SORTIE_REQUIRE_GPU();
  GpuSortForTest job(parsed("u64"));
  job.survive_faults();
  EXPECT_TRUE(job.output() == job.expected());
}

TEST(EngineFallbackGpu, AnyFailingCallOfASpilledSortOfLines) {
  SORTIE_REQUIRE_GPU();
  GpuSortForTest job(parsed("lines"));
  job.survive_faults();
  EXPECT_TRUE(job.output() == job.expected());
}

TEST(EngineFallbackGpu, AnyFailingCallOfASpilledSortOfRecordsWithFields) {
  SORTIE_REQUIRE_GPU();
  GpuSortForTest job(parsed("fixed:40", {"u16be@0", "f64@8:desc", "bytes@16:20"}), 100'000);
  job.survive_faults();
  EXPECT_TRUE(job.output() == job.expected());
}

TEST(EngineFallbackGpu, AnyFailingCallOfASortOfLinesByKeys) {
  SORTIE_REQUIRE_GPU();
  GpuSortForTest job(format_of({{{0, true, true}}}), 200'000);
  job.options.unique = true;
  job.survive_faults();
}

TEST(EngineFallbackGpu, AnyFailingCallOfASortWithRunsKeptInMemory) {
  SORTIE_REQUIRE_GPU();
  GpuSortForTest job(parsed("u64"), 2'000'000);
  job.options.memory_bytes = 128 << 20;
  EXPECT_EQ(job.run().runs_spilled, 0U);
  job.survive_faults();
}

TEST(EngineFallbackGpu, AnyFailingCallOfASortOnSeveralGpus) {
  SORTIE_REQUIRE_GPU();
  if (list_devices().devices.size() < 2) GTEST_SKIP() << "one GPU only";
  GpuSortForTest job(parsed("u64"), 2'000'000);
  job.options.all_devices = true;
  job.survive_faults();
}

TEST(EngineFallbackGpu, InputsThatCannotBeReadTwiceAreTheCallersLoss) {
  SORTIE_REQUIRE_GPU();
  GpuSortForTest job(parsed("u64"));
  const std::string pipe = job.directory / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string bytes = job.input();
  // No one reads the pipe to its end.
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

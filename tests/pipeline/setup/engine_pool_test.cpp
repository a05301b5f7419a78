// The start of a GPU, with a substitute in its place: what is read in the meantime, and what becomes of it.
#include "pipeline/setup/engine_pool.hpp"

#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "base/device_error.hpp"
#include "pipeline/describe_plan.hpp"
#include "pipeline/execute.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/sort_support.hpp"

namespace sortie {
namespace {

using namespace test;

/// Takes a while to start, like a GPU. Then it is a CPU engine, fails or is full.
class SlowGpu {
 public:
  enum class End { kStarts, kIsNotThere, kFails, kIsFull };

  explicit SlowGpu(End end) : end_(end) {}

  GpuAccess access() {
    return {[this](const SortOptions& options, const EngineDecision& decision, const EngineWorkload& workload, unsigned,
                   DeviceSpanSink&) {
              ++starts;
              last_workload = workload;
              std::this_thread::sleep_for(std::chrono::milliseconds(60));
              if (end_ == End::kFails) throw DeviceError("GPU: it failed");
              if (end_ == End::kIsFull) throw DeviceFullError("GPU 0: it is full");
              return cpu_engine(options, end_ == End::kStarts ? decision.reason : "no GPU can be used: none is there");
            },
            1};
  }

  std::atomic<int> starts = 0;
  EngineWorkload last_workload;

 private:
  End end_;
};

constexpr std::uint64_t kRecords = 50'000;

/// A sort of 5 MB that asks for a GPU.
class EnginePoolTest : public testing::Test {
 protected:
  EnginePoolTest() : job_(parsed("gensort"), {make_records(parsed("gensort"), Distribution::kUniform, kRecords)}) {
    job_.options.engine = EngineChoice::kGpu;
    job_.options.memory_bytes = 8 << 20;
    job_.options.threads = 2;
  }

  SortReport sort_with(SlowGpu& gpu) {
    const std::unique_ptr<FileSystem> files = make_posix_file_system();
    return execute_sort(*files, job_.options, gpu.access());
  }

  /// Sorts `bytes` from a pipe, which cannot be read again.
  SortReport sort_pipe_with(SlowGpu& gpu, const std::string& bytes) {
    const std::string pipe = job_.directory / "pipe";
    EXPECT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    job_.options.inputs = {pipe};
    // A failing sort does not read to the end.
    const std::jthread writer([&] {
      ::signal(SIGPIPE, SIG_IGN);
      std::ofstream(pipe, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    });
    return sort_with(gpu);
  }
  SortReport sort_pipe_with(SlowGpu& gpu) { return sort_pipe_with(gpu, job_.input()); }

  SortForTest job_;
};

double seconds_of(const SortReport& report, const std::string& stage) {
  for (const StageReport& seen : report.stages) {
    if (seen.name == stage) return seen.busy_seconds;
  }
  return 0;
}

TEST_F(EnginePoolTest, ReadsWhileAGpuStartsAndSortsAllOfIt) {
  SlowGpu gpu(SlowGpu::End::kStarts);
  const SortReport report = sort_with(gpu);
  EXPECT_EQ(gpu.starts, 1);
  EXPECT_GT(seconds_of(report, "take read-ahead"), 0);
  EXPECT_TRUE(job_.output() == job_.expected());
}

TEST_F(EnginePoolTest, ReadsAheadNoMoreThanThePlanLeaves) {
  // Each line fills half of a piece. Their memory counts, not their bytes.
  const std::string line(72 << 10, 'x');
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += line + "\n";
  SlowGpu gpu(SlowGpu::End::kStarts);
  write_whole_file(job_.options.inputs[0], lines);
  job_.options.format = parsed("lines");
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  SilentObserver observer;
  JobInputs inputs(*files, job_.options, observer);
  inputs.begin_at({});
  inputs.take_sizes();
  const Machine machine = gpu.access();
  EnginePool pool;
  const JobPlan plan =
      start_engines({*files, inputs.spec(), inputs.sizes(), &inputs, machine, observer}, EngineUse::kForm, pool);
  EXPECT_EQ(pool.engines.size(), 1U);
  EXPECT_EQ(pool.formers.size(), 1U);
  const std::uint64_t ahead_bytes = inputs.reader()->ahead_memory_bytes();
  EXPECT_GT(ahead_bytes, 0U);
  EXPECT_LE(ahead_bytes + plan.memory.formation_bytes + plan.memory.store_bytes, inputs.sizes().budget.memory_bytes);
}

TEST_F(EnginePoolTest, LosesNothingOfAPipeIfThereIsNoGpu) {
  SlowGpu gpu(SlowGpu::End::kIsNotThere);
  const SortReport report = sort_pipe_with(gpu);
  EXPECT_EQ(report.engine_reason, "no GPU can be used: none is there");
  EXPECT_TRUE(job_.output() == job_.expected());
}

TEST_F(EnginePoolTest, BeginsAnewWithAFileIfAGpuFails) {
  SlowGpu gpu(SlowGpu::End::kFails);
  job_.options.report_path = job_.directory / "page.html";
  const SortReport report = sort_with(gpu);
  EXPECT_EQ(report.device_failure, "GPU: it failed");
  EXPECT_NE(
      read_whole_file(job_.options.report_path).find("<td>GPU: it failed; times are those of the last attempt</td>"),
      std::string::npos);
  EXPECT_TRUE(job_.output() == job_.expected());
}

TEST_F(EnginePoolTest, FailsWithAPipeIfTheGpuThatWasAskedForFails) {
  SlowGpu gpu(SlowGpu::End::kFails);
  EXPECT_EQ(error_of([&] { sort_pipe_with(gpu); }), "GPU: it failed");
  EXPECT_FALSE(std::filesystem::exists(job_.options.output));
}

TEST_F(EnginePoolTest, StartsNoGpuForASmallFile) {
  job_.options.engine = EngineChoice::kAuto;
  SlowGpu gpu(SlowGpu::End::kStarts);
  const SortReport report = sort_with(gpu);
  EXPECT_EQ(gpu.starts, 0);
  EXPECT_EQ(seconds_of(report, "take read-ahead"), 0);
  EXPECT_TRUE(job_.output() == job_.expected());
}

TEST_F(EnginePoolTest, StartsNoGpuForAShortPipe) {
  job_.options.engine = EngineChoice::kAuto;
  job_.options.memory_bytes = 64 << 20;
  SlowGpu gpu(SlowGpu::End::kStarts);
  sort_pipe_with(gpu);
  EXPECT_EQ(gpu.starts, 0);
  EXPECT_TRUE(job_.output() == job_.expected());
}

TEST_F(EnginePoolTest, SortsAPipeOnTheCpuIfItsGpuFails) {
  job_.options.engine = EngineChoice::kAuto;
  job_.options.memory_bytes = 4 << 20;  // too little to read the whole pipe before an engine is chosen
  SlowGpu gpu(SlowGpu::End::kFails);
  const SortReport report = sort_pipe_with(gpu);
  EXPECT_EQ(gpu.starts, 1);
  EXPECT_EQ(report.engine, "cpu");
  EXPECT_EQ(report.device_failure, "GPU: it failed");
  EXPECT_TRUE(job_.output() == job_.expected());
}

TEST_F(EnginePoolTest, SortsAPipeThatItKnowsAllOfOnTheCpuIfItsGpuFails) {
  // There are enough records for a GPU to pay, and few enough bytes to read them all before it is chosen.
  const std::string bytes(32'000'000, '\0');
  job_.options.format = parsed("u32");
  job_.options.engine = EngineChoice::kAuto;
  job_.options.threads = 1;
  job_.options.memory_bytes = 512 << 20;
  SlowGpu gpu(SlowGpu::End::kFails);
  const SortReport report = sort_pipe_with(gpu, bytes);
  EXPECT_EQ(gpu.starts, 1);
  EXPECT_EQ(report.engine, "cpu");
  EXPECT_EQ(report.device_failure, "GPU: it failed");
  EXPECT_TRUE(job_.output() == bytes);
}

TEST_F(EnginePoolTest, TellsTheGpuWhatItIsToSort) {
  SlowGpu gpu(SlowGpu::End::kStarts);
  sort_with(gpu);
  EXPECT_EQ(gpu.last_workload.bytes, job_.input().size());
  EXPECT_EQ(gpu.last_workload.record_bytes, 100U);
  EXPECT_FALSE(gpu.last_workload.merges_only);
  sort_pipe_with(gpu);
  EXPECT_EQ(gpu.last_workload.bytes, std::nullopt);
}

TEST_F(EnginePoolTest, TellsTheGpuWhatItIsToMerge) {
  write_whole_file(job_.options.inputs[0], job_.expected());
  job_.options.merge_only = true;
  SlowGpu gpu(SlowGpu::End::kStarts);
  sort_with(gpu);
  EXPECT_EQ(gpu.last_workload.bytes, job_.input().size());
  EXPECT_TRUE(gpu.last_workload.merges_only);
}

TEST_F(EnginePoolTest, SortsOnTheCpuIfTheGpuIsFullAndSaysSo) {
  job_.options.engine = EngineChoice::kAuto;
  job_.options.memory_bytes = 4 << 20;
  job_.options.threads = 1;
  SlowGpu gpu(SlowGpu::End::kIsFull);
  const SortReport report = sort_pipe_with(gpu);
  EXPECT_EQ(gpu.starts, 1);
  EXPECT_EQ(gpu.last_workload.least_share_bytes, kLeastPayingDeviceBytes);
  EXPECT_EQ(report.engine, "cpu");
  EXPECT_EQ(report.engine_reason, "GPU 0: it is full");
  EXPECT_EQ(report.device_failure, "GPU 0: it is full");
  EXPECT_TRUE(job_.output() == job_.expected());
}

TEST_F(EnginePoolTest, PlansForTheCpuIfTheGpuIsFull) {
  write_whole_file(job_.options.inputs[0], std::string(32'000'000, '\0'));  // enough records for a GPU to pay
  job_.options.format = parsed("u32");
  job_.options.engine = EngineChoice::kAuto;
  job_.options.threads = 1;
  SlowGpu gpu(SlowGpu::End::kIsFull);
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  const std::string text = describe_plan(*files, job_.options, gpu.access());
  EXPECT_EQ(gpu.starts, 1);
  EXPECT_NE(text.find("engine        cpu, 1 threads: GPU 0: it is full\n"), std::string::npos) << text;
}

TEST_F(EnginePoolTest, RefusesIfTheGpuThatWasAskedForIsFull) {
  SlowGpu gpu(SlowGpu::End::kIsFull);
  EXPECT_EQ(error_of([&] { sort_with(gpu); }), "GPU 0: it is full");
  EXPECT_EQ(gpu.starts, 1);
  EXPECT_EQ(gpu.last_workload.least_share_bytes, 0U);
  EXPECT_FALSE(std::filesystem::exists(job_.options.output));
}

TEST_F(EnginePoolTest, ReportsTroubleWithTheInputOnceTheGpuHasStarted) {
  SlowGpu gpu(SlowGpu::End::kStarts);
  const std::string message = error_of([&] { sort_pipe_with(gpu, std::string(150, 'x')); });
  EXPECT_NE(message.find("a stray tail of 50 bytes begins at offset 100"), std::string::npos) << message;
}

}  // namespace
}  // namespace sortie

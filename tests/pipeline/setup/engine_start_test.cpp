// The start of a GPU, with a substitute in its place: what is read in the meantime, and what becomes of it.
#include "pipeline/setup/engine_start.hpp"

#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "base/device_error.hpp"
#include "pipeline/engine_fallback.hpp"
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
    return {[this](const SortOptions& options, const EngineDecision& decision, const EngineDemand& demand, unsigned,
                   DeviceSpanSink&) {
              ++starts;
              last_demand = demand;
              std::this_thread::sleep_for(std::chrono::milliseconds(60));
              if (end_ == End::kFails) throw DeviceError("GPU: it failed");
              if (end_ == End::kIsFull) throw DeviceFullError("GPU 0: it is full");
              return cpu_engine(options, end_ == End::kStarts ? decision.reason : "no GPU can be used: none is there");
            },
            1};
  }

  std::atomic<int> starts = 0;
  EngineDemand last_demand;

 private:
  End end_;
};

constexpr std::uint64_t kRecords = 50'000;

/// A sort of 5 MB that asks for a GPU.
class EngineStartTest : public testing::Test {
 protected:
  EngineStartTest() : job_(parsed("gensort"), {make_records(parsed("gensort"), Distribution::kUniform, kRecords)}) {
    job_.options.engine = EngineChoice::kGpu;
    job_.options.memory_bytes = 8 << 20;
    job_.options.threads = 2;
  }

  SortReport sort_with(SlowGpu& gpu) {
    const std::unique_ptr<FileSystem> files = make_posix_file_system();
    return sort_with_fallback(*files, job_.options, gpu.access());
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

TEST_F(EngineStartTest, ReadsWhileAGpuStartsAndSortsAllOfIt) {
  SlowGpu gpu(SlowGpu::End::kStarts);
  const SortReport report = sort_with(gpu);
  EXPECT_EQ(gpu.starts, 1);
  EXPECT_GT(seconds_of(report, "take read-ahead"), 0);
  EXPECT_TRUE(job_.output() == job_.expected());
}

TEST_F(EngineStartTest, ReadsAheadNoMoreThanThePlanLeaves) {
  // Each line fills half of a piece. Their memory counts, not their bytes.
  const std::string line(72 << 10, 'x');
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += line + "\n";
  SlowGpu gpu(SlowGpu::End::kStarts);
  write_whole_file(job_.options.inputs[0], lines);
  job_.options.format = parsed("lines");
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  SilentObserver observer;
  const ResolvedOptions resolved = resolve(job_.options);
  RecordReader reader(*files, job_.options.inputs, job_.options.format, true, observer);
  const GpuAccess access = gpu.access();
  const ReadyEngines ready = start_engines(*files, resolved, &reader, access, observer);
  EXPECT_EQ(ready.engines.size(), 1U);
  EXPECT_EQ(ready.formers.size(), 1U);
  EXPECT_GT(reader.ahead_memory_bytes(), 0U);
  EXPECT_LE(reader.ahead_memory_bytes() + ready.plan.formation_bytes + ready.plan.store_bytes, resolved.memory_bytes);
}

TEST_F(EngineStartTest, LosesNothingOfAPipeIfThereIsNoGpu) {
  SlowGpu gpu(SlowGpu::End::kIsNotThere);
  const SortReport report = sort_pipe_with(gpu);
  EXPECT_EQ(report.engine_reason, "no GPU can be used: none is there");
  EXPECT_TRUE(job_.output() == job_.expected());
}

TEST_F(EngineStartTest, BeginsAnewWithAFileIfAGpuFails) {
  SlowGpu gpu(SlowGpu::End::kFails);
  const SortReport report = sort_with(gpu);
  EXPECT_EQ(report.device_failure, "GPU: it failed");
  EXPECT_TRUE(job_.output() == job_.expected());
}

TEST_F(EngineStartTest, FailsWithAPipeIfTheGpuThatWasAskedForFails) {
  SlowGpu gpu(SlowGpu::End::kFails);
  EXPECT_EQ(error_of([&] { sort_pipe_with(gpu); }), "GPU: it failed");
  EXPECT_FALSE(std::filesystem::exists(job_.options.output));
}

TEST_F(EngineStartTest, StartsNoGpuForASmallFile) {
  job_.options.engine = EngineChoice::kAuto;
  SlowGpu gpu(SlowGpu::End::kStarts);
  const SortReport report = sort_with(gpu);
  EXPECT_EQ(gpu.starts, 0);
  EXPECT_EQ(seconds_of(report, "take read-ahead"), 0);
  EXPECT_TRUE(job_.output() == job_.expected());
}

TEST_F(EngineStartTest, StartsNoGpuForAShortPipe) {
  job_.options.engine = EngineChoice::kAuto;
  job_.options.memory_bytes = 64 << 20;
  SlowGpu gpu(SlowGpu::End::kStarts);
  sort_pipe_with(gpu);
  EXPECT_EQ(gpu.starts, 0);
  EXPECT_TRUE(job_.output() == job_.expected());
}

TEST_F(EngineStartTest, SortsAPipeOnTheCpuIfItsGpuFails) {
  job_.options.engine = EngineChoice::kAuto;
  job_.options.memory_bytes = 4 << 20;  // too little to read the whole pipe before an engine is chosen
  SlowGpu gpu(SlowGpu::End::kFails);
  const SortReport report = sort_pipe_with(gpu);
  EXPECT_EQ(gpu.starts, 1);
  EXPECT_EQ(report.engine, "cpu");
  EXPECT_EQ(report.device_failure, "GPU: it failed");
  EXPECT_TRUE(job_.output() == job_.expected());
}

TEST_F(EngineStartTest, SortsAPipeThatItKnowsAllOfOnTheCpuIfItsGpuFails) {
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

TEST_F(EngineStartTest, TellsTheGpuWhatItIsToSort) {
  SlowGpu gpu(SlowGpu::End::kStarts);
  sort_with(gpu);
  EXPECT_EQ(gpu.last_demand.bytes, job_.input().size());
  EXPECT_EQ(gpu.last_demand.record_bytes, 100U);
  EXPECT_FALSE(gpu.last_demand.merges_only);
  sort_pipe_with(gpu);
  EXPECT_EQ(gpu.last_demand.bytes, std::nullopt);
}

TEST_F(EngineStartTest, TellsTheGpuWhatItIsToMerge) {
  write_whole_file(job_.options.inputs[0], job_.expected());
  job_.options.merge_only = true;
  SlowGpu gpu(SlowGpu::End::kStarts);
  sort_with(gpu);
  EXPECT_EQ(gpu.last_demand.bytes, job_.input().size());
  EXPECT_TRUE(gpu.last_demand.merges_only);
}

TEST_F(EngineStartTest, SortsOnTheCpuIfTheGpuIsFullAndSaysSo) {
  job_.options.engine = EngineChoice::kAuto;
  job_.options.memory_bytes = 4 << 20;
  job_.options.threads = 1;
  SlowGpu gpu(SlowGpu::End::kIsFull);
  const SortReport report = sort_pipe_with(gpu);
  EXPECT_EQ(gpu.starts, 1);
  EXPECT_EQ(gpu.last_demand.least_share_bytes, kLeastPayingDeviceBytes);
  EXPECT_EQ(report.engine, "cpu");
  EXPECT_EQ(report.engine_reason, "GPU 0: it is full");
  EXPECT_EQ(report.device_failure, "GPU 0: it is full");
  EXPECT_TRUE(job_.output() == job_.expected());
}

TEST_F(EngineStartTest, RefusesIfTheGpuThatWasAskedForIsFull) {
  SlowGpu gpu(SlowGpu::End::kIsFull);
  EXPECT_EQ(error_of([&] { sort_with(gpu); }), "GPU 0: it is full");
  EXPECT_EQ(gpu.starts, 1);
  EXPECT_EQ(gpu.last_demand.least_share_bytes, 0U);
  EXPECT_FALSE(std::filesystem::exists(job_.options.output));
}

TEST_F(EngineStartTest, ReportsTroubleWithTheInputOnceTheGpuHasStarted) {
  SlowGpu gpu(SlowGpu::End::kStarts);
  const std::string message = error_of([&] { sort_pipe_with(gpu, std::string(150, 'x')); });
  EXPECT_NE(message.find("a stray tail of 50 bytes begins at offset 100"), std::string::npos) << message;
}

}  // namespace
}  // namespace sortie

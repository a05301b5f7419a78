// Plans of jobs, from options, inputs and machines that are made up. Nothing is opened, nothing is started.
#include "pipeline/setup/job_plan.hpp"

#include <functional>

#include "pipeline/keyed_lines.hpp"
#include "pipeline/pipeline_support.hpp"
#include "pipeline/setup/engine_choice.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr std::uint64_t kMega = 1'000'000;
constexpr std::uint64_t kGiga = 1000 * kMega;

constexpr MemoryBudget kBudget{.memory_bytes = kGiga, .most_bytes = kGiga};

SortSpec spec(const char* format, const std::function<void(SortOptions&)>& change = {}) {
  SortOptions options;
  options.format = parsed(format);
  options.inputs = {"input"};
  options.memory_bytes = kGiga;
  options.threads = 1;
  if (change) change(options);
  SortSpec result = resolve(options);
  result.threads = options.threads;  // whatever the machine that runs the test allows
  return result;
}

InputSizes file_of(std::uint64_t bytes, std::uint64_t record_bytes = 100) {
  return {
      .bytes = bytes, .stored_bytes = {}, .resumed_bytes = 0, .sorted = {bytes, record_bytes, 0}, .budget = kBudget};
}
InputSizes pipe_of(std::uint64_t record_bytes) {
  return {.bytes = {}, .stored_bytes = {}, .resumed_bytes = 0, .sorted = {{}, record_bytes, 0}, .budget = kBudget};
}
InputSizes packed_file_of(std::uint64_t stored_bytes) {
  return {.bytes = {}, .stored_bytes = stored_bytes, .resumed_bytes = 0, .sorted = {{}, 100, 0}, .budget = kBudget};
}

Machine with_gpus(unsigned visible) {
  return GpuAccess{[](const SortOptions&, const EngineDecision&, const EngineWorkload&, unsigned,
                      DeviceSpanSink&) -> ChosenEngines { throw Error("a plan starts nothing"); },
                   visible};
}

struct PlanCase {
  const char* name;
  SortSpec options;
  InputSizes sizes;
  Machine machine;
  // What is expected.
  bool gpu = false;
  std::vector<int> devices = {};
  Reading reading = Reading::kCopied;
};

void ask_for_gpu(SortOptions& options) { options.engine = EngineChoice::kGpu; }
void ask_for_cpu(SortOptions& options) { options.engine = EngineChoice::kCpu; }
void merge_only(SortOptions& options) { options.merge_only = true; }
void want_few(SortOptions& options) { options.top_records = 10; }
void sort_by_field(SortOptions& options) { options.format.text = format_of({{{1}}}).text; }

TEST(JobPlan, ChoosesEngineAndWayOfReading) {
  const auto keyed = [](const std::function<void(SortOptions&)>& change = {}) {
    return spec("lines", [&](SortOptions& options) {
      sort_by_field(options);
      if (change) change(options);
    });
  };
  const PlanCase cases[] = {
      {"small file", spec("gensort"), file_of(kMega), with_gpus(4)},
      {"large file, no GPU", spec("gensort"), file_of(50 * kGiga), Machine()},
      {"large file, a GPU", spec("gensort"), file_of(10 * kGiga), with_gpus(1), true},
      {"large file, the first of four", spec("gensort"), file_of(10 * kGiga), with_gpus(4), true, {0}},
      {"small file, GPU asked for", spec("gensort", ask_for_gpu), file_of(kMega), with_gpus(1), true},
      {"large file, CPU asked for", spec("gensort", ask_for_cpu), file_of(50 * kGiga), with_gpus(4)},
      {"pipe, no GPU", spec("gensort"), pipe_of(100), Machine()},
      {"pipe, a GPU", spec("gensort"), pipe_of(100), with_gpus(1), true, {}, Reading::kFirstBytesFirst},
      {"pipe, GPU asked for", spec("gensort", ask_for_gpu), pipe_of(100), with_gpus(1), true},
      {"pipe, CPU asked for", spec("gensort", ask_for_cpu), pipe_of(100), with_gpus(1)},
      {"pipes to merge", spec("gensort", merge_only), pipe_of(100), with_gpus(1), true},
      {"small packed file", spec("gensort"), packed_file_of(1000), with_gpus(1), false, {}, Reading::kFirstBytesFirst},
      {"large packed file",
       spec("gensort"),
       packed_file_of(50 * kGiga),
       with_gpus(1),
       true,
       {},
       Reading::kFirstBytesFirst},
      {"plain lines", spec("lines"), file_of(100 * kMega), with_gpus(1)},
      {"lines with keys", keyed(), file_of(100 * kMega), with_gpus(1), false, {}, Reading::kInPlace},
      {"lines with keys, CPU asked for",
       keyed(ask_for_cpu),
       file_of(900 * kMega),
       with_gpus(1),
       false,
       {},
       Reading::kInPlace},
      {"lines with keys, more than memory", keyed(ask_for_cpu), file_of(2 * kGiga), Machine()},
      {"lines with keys for a GPU", keyed(ask_for_gpu), file_of(100 * kMega), with_gpus(1), true},
      {"lines with keys from a pipe", keyed(), pipe_of(0), Machine()},
      {"few lines with keys", keyed(want_few), file_of(100 * kMega), with_gpus(1)},
      {"lines with keys to merge", keyed(merge_only), file_of(100 * kMega), with_gpus(1)},
  };
  for (const PlanCase& one : cases) {
    SCOPED_TRACE(one.name);
    const JobPlan plan = plan_job(one.options, one.sizes, one.machine);
    EXPECT_EQ(plan.engine.gpu, one.gpu) << plan.engine.reason;
    EXPECT_EQ(plan.engine.devices, one.devices);
    EXPECT_EQ(choose_reading(one.options, one.sizes, one.machine), one.reading);
    EXPECT_FALSE(plan.engine.reason.empty());
  }
}

TEST(JobPlan, ChangesWithWhatTheBeginningOfAPipeTells) {
  const SortSpec options = spec("gensort");
  const Machine machine = with_gpus(1);
  EXPECT_TRUE(plan_job(options, pipe_of(100), machine).engine.gpu);
  const JobPlan plan = plan_job(options, file_of(kMega), machine);
  EXPECT_FALSE(plan.engine.gpu);
  EXPECT_EQ(choose_reading(options, file_of(kMega), machine), Reading::kCopied);
}

TEST(JobPlan, DividesMemoryForTheEnginesThatHaveStarted) {
  const SortSpec options = spec("gensort", ask_for_gpu);
  const InputSizes sizes = file_of(10 * kGiga);
  const JobPlan plan = plan_job(options, sizes, with_gpus(2));
  const std::uint64_t planned = plan.memory.formation_bytes;
  EXPECT_EQ(plan.memory.run_bytes, 0U) << "a GPU decides how long its runs are";
  EXPECT_EQ(plan.needs.scratch_bytes, 0U);
  EXPECT_FALSE(plan.needs.knows_runs) << "nor does anybody else know whether any is spilled";
  const JobPlan of_two = plan_job(options, sizes, plan.engine, {.form_runs_on_host = false, .count = 2});
  EXPECT_LT(of_two.memory.formation_bytes, planned) << "two engines share it";
  EXPECT_EQ(needs_of_job(options, sizes, of_two.memory, 3 * kGiga).scratch_bytes,
            10 * kGiga - of_two.memory.store_bytes);
  const JobPlan of_host = plan_job(options, sizes, plan.engine, {.form_runs_on_host = true, .count = 1});
  EXPECT_GT(of_host.memory.run_bytes, 0U);
  EXPECT_GT(of_host.needs.scratch_bytes, 0U);
  EXPECT_TRUE(of_host.needs.knows_runs);
}

struct NeedsCase {
  const char* name;
  SortSpec options;
  InputSizes sizes;
  std::uint64_t output_bytes;
  bool spills;
};

TEST(JobPlan, TellsWhatFileSystemsMustHave) {
  InputSizes resumed = file_of(10 * kGiga);
  resumed.resumed_bytes = 4 * kGiga;
  const auto keep_runs = [](SortOptions& options) { options.checkpoint_directory = "kept"; };
  const auto unique = [](SortOptions& options) { options.unique = true; };
  const NeedsCase cases[] = {
      {"all fits in memory", spec("gensort"), file_of(kMega), kMega, false},
      {"more than memory", spec("gensort"), file_of(10 * kGiga), 10 * kGiga, true},
      {"pipe", spec("gensort"), pipe_of(100), 0, false},
      {"duplicates dropped", spec("gensort", unique), file_of(10 * kGiga), 0, true},
      {"merged only", spec("gensort", merge_only), file_of(10 * kGiga), 10 * kGiga, false},
      {"first records", spec("gensort", want_few), file_of(10 * kGiga), 0, true},
      {"continued", spec("gensort", keep_runs), resumed, 10 * kGiga, true},
  };
  for (const NeedsCase& one : cases) {
    SCOPED_TRACE(one.name);
    const PreflightEstimate needs = plan_job(one.options, one.sizes, Machine()).needs;
    EXPECT_EQ(needs.output_bytes, one.output_bytes);
    EXPECT_EQ(needs.scratch_bytes > 0, one.spills);
    EXPECT_LE(needs.least_scratch_bytes, needs.scratch_bytes);
  }
}

TEST(JobPlan, ADirectoryThatKeepsRunsGetsAllOfThem) {
  const auto keep_runs = [](SortOptions& options) { options.checkpoint_directory = "kept"; };
  const JobPlan plan = plan_job(spec("gensort", keep_runs), file_of(10 * kGiga), Machine());
  EXPECT_EQ(plan.needs.scratch_bytes, 10 * kGiga);
}

TEST(JobPlan, AContinuedSortNeedsRoomForWhatIsLeft) {
  const auto keep_runs = [](SortOptions& options) { options.checkpoint_directory = "kept"; };
  InputSizes sizes = file_of(10 * kGiga);
  const auto needs = [&](std::uint64_t resumed_bytes) {
    sizes.resumed_bytes = resumed_bytes;
    return plan_job(spec("gensort", keep_runs), sizes, Machine()).needs;
  };
  EXPECT_EQ(needs(4 * kGiga).scratch_bytes, 6 * kGiga);
  EXPECT_EQ(needs(4 * kGiga).least_scratch_bytes, 6 * kGiga);
  EXPECT_EQ(needs(10 * kGiga - 1000).scratch_bytes, 1000U) << "it would fit in memory, but is merged with other runs";
  EXPECT_EQ(needs(10 * kGiga).scratch_bytes, 0U);
  EXPECT_EQ(needs(10 * kGiga + 1).scratch_bytes, 0U) << "the file lacks the end of its last line";
  sizes.sorted.bytes = 20 * kGiga;  // with keys in front
  EXPECT_EQ(needs(5 * kGiga).scratch_bytes, 10 * kGiga);
}

TEST(JobPlan, TellsEnginesWhatTheyAreToSort) {
  const EngineWorkload sort = engine_workload(spec("gensort"), file_of(kMega));
  EXPECT_EQ(sort.bytes, kMega);
  EXPECT_EQ(sort.record_bytes, 100U);
  EXPECT_FALSE(sort.merges_only);
  EXPECT_EQ(sort.least_share_bytes, kLeastPayingDeviceBytes);
  InputSizes stored = pipe_of(100);
  stored.stored_bytes = 5000;
  const EngineWorkload merge = engine_workload(spec("gensort", merge_only), stored);
  EXPECT_EQ(merge.bytes, 5000U);
  EXPECT_TRUE(merge.merges_only);
  EXPECT_EQ(engine_workload(spec("gensort", ask_for_gpu), file_of(1)).least_share_bytes, 0U);
  const auto limit = [](SortOptions& options) { options.device_memory_bytes = 1; };
  EXPECT_EQ(engine_workload(spec("gensort", limit), file_of(1)).least_share_bytes, 0U);
}

}  // namespace
}  // namespace sortie

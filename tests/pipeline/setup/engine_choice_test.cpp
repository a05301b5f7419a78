#include "pipeline/setup/engine_choice.hpp"

#include "base/device_error.hpp"
#include "pipeline/pipeline_support.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr std::uint64_t kGigabyte = 1'000'000'000;
constexpr unsigned kThreads = 16;

/// The access of a machine with `visible` GPUs.
GpuAccess access_to(unsigned visible) {
  return {[](const SortOptions& options, const EngineDecision& decision, const EngineDemand&, unsigned,
             DeviceSpanSink&) { return cpu_engine(options, decision.reason); },
          visible};
}

EngineDecision decide(const SortOptions& options, std::uint64_t bytes, unsigned visible = 4) {
  return decide_engine(options, bytes, kThreads, access_to(visible));
}

SortOptions gensort_options(EngineChoice engine = EngineChoice::kAuto) {
  SortOptions options;
  options.format = parsed("gensort");
  options.engine = engine;
  return options;
}

TEST(EngineChoice, StartsNoGpuForSmallInputs) {
  EXPECT_FALSE(decide(gensort_options(), 0).gpu);
  EXPECT_FALSE(decide(gensort_options(), kGigabyte / 10).gpu);
  EXPECT_TRUE(decide(gensort_options(), 10 * kGigabyte).gpu);
}

TEST(EngineChoice, DoesAsAsked) {
  EXPECT_TRUE(decide(gensort_options(EngineChoice::kGpu), 0).gpu);
  EXPECT_FALSE(decide(gensort_options(EngineChoice::kCpu), 1000 * kGigabyte).gpu);
}

TEST(EngineChoice, TakesAsManyGpusAsPay) {
  EXPECT_EQ(decide(gensort_options(), 10 * kGigabyte).devices, (std::vector<int>{0}));
  EXPECT_EQ(decide(gensort_options(), 60 * kGigabyte).devices, (std::vector<int>{0, 1}));
  EXPECT_EQ(decide(gensort_options(EngineChoice::kGpu), 0).devices, (std::vector<int>{0}));
}

TEST(EngineChoice, TakesAllWhereThatManyPayOrTheirNumberIsNotKnown) {
  EXPECT_TRUE(decide(gensort_options(), 1000 * kGigabyte).devices.empty());
  EXPECT_TRUE(decide(gensort_options(), 10 * kGigabyte, 1).devices.empty());
  EXPECT_TRUE(decide(gensort_options(), 10 * kGigabyte, 0).devices.empty());
}

TEST(EngineChoice, TakesTheGpusAskedForWhetherTheyPayOrNot) {
  SortOptions all = gensort_options();
  all.all_devices = true;
  EXPECT_TRUE(decide(all, 10 * kGigabyte).devices.empty());
  SortOptions some = gensort_options();
  some.devices = {3, 1};
  EXPECT_EQ(decide(some, 10 * kGigabyte).devices, (std::vector<int>{3, 1}));
}

GpuAccess access_to_a_full_gpu() {
  return {[](const SortOptions&, const EngineDecision&, const EngineDemand&, unsigned,
             DeviceSpanSink&) -> ChosenEngines { throw DeviceFullError("GPU 0: it is full"); },
          1};
}

TEST(EngineChoice, TakesTheCpuForAFullGpuUnlessAGpuIsAskedFor) {
  SilentObserver spans;
  const auto chosen_by = [&](EngineChoice choice) {
    return make_engines(gensort_options(choice), {true, "", {}}, {}, kThreads, spans, access_to_a_full_gpu());
  };
  const ChosenEngines chosen = chosen_by(EngineChoice::kAuto);
  ASSERT_EQ(chosen.engines.size(), 1U);
  EXPECT_EQ(chosen.engines[0]->name(), "cpu");
  EXPECT_EQ(chosen.reason, "GPU 0: it is full");
  EXPECT_EQ(chosen.device_failure, "GPU 0: it is full");
  EXPECT_THROW(chosen_by(EngineChoice::kGpu), DeviceFullError);
}

TEST(EngineChoice, SaysWhereThereIsNoCuda) {
  EXPECT_FALSE(decide_engine(gensort_options(), 1000 * kGigabyte, kThreads, {}).gpu);
  const std::string message =
      error_of([] { decide_engine(gensort_options(EngineChoice::kGpu), 0, kThreads, GpuAccess{}); });
  EXPECT_NE(message.find("the GPU module"), std::string::npos) << message;
}

}  // namespace
}  // namespace sortie

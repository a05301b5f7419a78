// Makes CUDA calls of an array sort fail, one after another. Either the array is sorted, by the CPU if that is
// allowed, or the caller gets an error. An input that is not the output stays as it was.
#include <sortie/sort_array.hpp>

#include <algorithm>

#include "base/device_error.hpp"
#include "pipeline/gpu/cuda_fault_loop.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie {
namespace {

using namespace test;
using Numbers = std::vector<std::uint64_t>;

ArrayOptions with_engine(EngineChoice engine) {
  ArrayOptions options;
  options.engine = engine;
  return options;
}

/// Enough numbers for several chunks, too few for the GPU to be chosen.
const Numbers& few_numbers() {
  static const Numbers numbers = make_keys<std::uint64_t>(Distribution::kUniform, 10'000'003, 71);
  return numbers;
}

Numbers sorted(Numbers numbers) {
  std::ranges::sort(numbers);
  return numbers;
}

TEST(SortArrayFaultsGpu, TellWhoHasAskedForAGpuAndLeaveTheInput) {
  SORTIE_REQUIRE_GPU();
  const Numbers input = few_numbers();
  const Numbers expected = sorted(input);
  for_each_cuda_fault([&](const CudaFaultPlan& plan) {
    Numbers output(input.size());
    try {
      sort_array<std::uint64_t>(input, output, with_engine(EngineChoice::kGpu));
    } catch (const DeviceError&) {
      EXPECT_TRUE(plan.has_struck());
      EXPECT_TRUE(input == few_numbers());
      return FaultedSort::kRefused;
    }
    EXPECT_TRUE(output == expected);
    return FaultedSort::kWentOn;
  });
}

TEST(SortArrayFaultsGpu, MakeTheCpuSort) {
  SORTIE_REQUIRE_GPU();
  const Numbers input = make_keys<std::uint64_t>(Distribution::kUniform, 33'000'001, 72);
  const Numbers expected = sorted(input);
  for_each_cuda_fault([&](const CudaFaultPlan&) {
    Numbers output(input.size());
    ArraySorter sorter(with_engine(EngineChoice::kAuto));
    sorter.sort<std::uint64_t>(input, output);
    EXPECT_TRUE(output == expected);
    EXPECT_EQ(sorter.engine(), sorter.device_failure().empty() ? "gpu" : "cpu");
    return sorter.device_failure().empty() ? FaultedSort::kWentOn : FaultedSort::kBeganAnew;
  });
}

TEST(SortArrayFaultsGpu, InPlaceMakeTheCpuSortOrTell) {
  SORTIE_REQUIRE_GPU();
  const Numbers input = make_keys<std::uint64_t>(Distribution::kUniform, 33'000'001, 73);
  const Numbers expected = sorted(input);
  for_each_cuda_fault([&](const CudaFaultPlan&) {
    Numbers numbers = input;
    ArraySorter sorter(with_engine(EngineChoice::kAuto));
    try {
      sorter.sort<std::uint64_t>(numbers, numbers);
    } catch (const DeviceError& error) {
      EXPECT_NE(std::string(error.what()).find("parts of it are lost"), std::string::npos) << error.what();
      return FaultedSort::kRefused;
    }
    EXPECT_TRUE(numbers == expected);
    return sorter.device_failure().empty() ? FaultedSort::kWentOn : FaultedSort::kBeganAnew;
  });
}

}  // namespace
}  // namespace sortie

#include "device/cuda_stream.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <utility>

#include "device/copy.hpp"
#include "device/device_memory.hpp"
#include "support/require_gpu.hpp"

namespace sortie {
namespace {

TEST(TimedEventGpu, MeasuresTheWorkBetweenTwoMarks) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kCopiedBytes = 256 << 20;
  const DeviceBuffer source(kCopiedBytes);
  const DeviceBuffer target(kCopiedBytes);
  CudaStream stream;
  TimedEvent before;
  TimedEvent after;
  const auto host_begin = std::chrono::steady_clock::now();
  before.record(stream);
  copy_on_device(target.data(), source.data(), kCopiedBytes, stream);
  after.record(stream);
  after.synchronize();
  const auto host_time = std::chrono::steady_clock::now() - host_begin;
  EXPECT_TRUE(before.has_passed());
  EXPECT_TRUE(after.has_passed());
  // No device memory is as fast as 100 TB/s.
  EXPECT_GT(after.since(before), std::chrono::microseconds(2));
  EXPECT_LE(after.since(before), host_time + std::chrono::milliseconds(1));
}

TEST(TimedEventGpu, MovedEventKeepsItsMark) {
  SORTIE_REQUIRE_GPU();
  CudaStream stream;
  TimedEvent earlier;
  TimedEvent event;
  earlier.record(stream);
  event.record(stream);
  const TimedEvent moved(std::move(event));
  moved.synchronize();
  EXPECT_TRUE(moved.has_passed());
  EXPECT_GE(moved.since(earlier), std::chrono::nanoseconds(0));  // throws for an event without a mark
}

}  // namespace
}  // namespace sortie

#include "engine/gpu/staging/device_timeline.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "device/copy.hpp"
#include "device/device_info.hpp"
#include "device/device_memory.hpp"
#include "support/require_gpu.hpp"

namespace sortie::gpu {
namespace {

using Clock = std::chrono::steady_clock;

class RecordedSpans : public DeviceSpanSink {
 public:
  void add_device_span(const DeviceSpan& span) noexcept override { spans.push_back(span); }

  std::vector<DeviceSpan> spans;
};

TEST(DeviceTimelineGpu, WorkIsHandedOverInOrderAndInHostTime) {
  SORTIE_REQUIRE_GPU();
  select_device(0);
  constexpr std::uint64_t kBytes = 64 << 20;
  const DeviceBuffer source(kBytes);
  const DeviceBuffer target(kBytes);
  const CudaStream stream;
  RecordedSpans seen;
  const Clock::time_point begin = Clock::now();
  DeviceTimeline timeline(0, &seen);
  for (const DeviceTrack& track : {kSortTrack, kGatherTrack}) {
    const TimedWork work(timeline, track, kBytes, stream);
    copy_on_device(target.data(), source.data(), kBytes, stream);
  }
  stream.synchronize();
  timeline.collect();
  const Clock::time_point end = Clock::now();

  ASSERT_EQ(seen.spans.size(), 2U);
  EXPECT_STREQ(seen.spans[0].stage, kSortTrack.stage);
  EXPECT_STREQ(seen.spans[1].stage, kGatherTrack.stage);
  EXPECT_EQ(seen.spans[0].bytes, kBytes);
  EXPECT_GT(seen.spans[0].end, seen.spans[0].begin);
  EXPECT_GE(seen.spans[1].begin, seen.spans[0].end);
  constexpr std::chrono::milliseconds kClockError(1);
  EXPECT_GE(seen.spans[0].begin, begin - kClockError);
  EXPECT_LE(seen.spans[1].end, end + kClockError);
}

TEST(DeviceTimelineGpu, WorkThatIsNotDoneIsHandedOverLater) {
  SORTIE_REQUIRE_GPU();
  select_device(0);
  const CudaStream stream;
  RecordedSpans seen;
  DeviceTimeline timeline(0, &seen);
  {
    const TimedWork outer(timeline, kSortTrack, 1, stream);
    timeline.collect();
    EXPECT_TRUE(seen.spans.empty());
  }
  stream.synchronize();
  timeline.collect();
  EXPECT_EQ(seen.spans.size(), 1U);
}

TEST(DeviceTimelineGpu, WithoutASinkNothingIsRecorded) {
  SORTIE_REQUIRE_GPU();
  select_device(0);
  const CudaStream stream;
  DeviceTimeline timeline(0, nullptr);
  { const TimedWork work(timeline, kSortTrack, 1, stream); }
  EXPECT_NO_THROW(timeline.collect());
}

}  // namespace
}  // namespace sortie::gpu

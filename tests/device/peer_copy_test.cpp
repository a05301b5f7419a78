#include "device/copy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/device_error.hpp"
#include "device/device_info.hpp"
#include "device/device_memory.hpp"
#include "support/require_gpu.hpp"

namespace sortie {
namespace {

constexpr std::uint64_t kBytes = (1 << 20) + 3;

/// Copies bytes from the host by way of `first` and `second` back to the host. Returns whether they are unchanged.
bool survives_the_way(int first, int second) {
  std::vector<unsigned char> sent(kBytes);
  std::iota(sent.begin(), sent.end(), static_cast<unsigned char>(11));
  std::vector<unsigned char> received(kBytes);
  select_device(first);
  const DeviceBuffer source(kBytes);
  const CudaStream source_stream;
  copy_to_device(source.data(), sent.data(), kBytes, source_stream);
  source_stream.synchronize();
  select_device(second);
  const DeviceBuffer target(kBytes);
  const CudaStream stream;
  copy_between_devices({second, target.data()}, {first, source.data()}, kBytes, stream.handle());
  copy_to_host(received.data(), target.data(), kBytes, stream);
  stream.synchronize();
  return std::ranges::equal(sent, received);
}

TEST(PeerCopy, DeviceThatIsNotThereIsRefused) {
  const int others[] = {0};
  EXPECT_THROW(allow_peer_access(1000, others), DeviceError);
}

TEST(PeerCopyGpu, BytesSurviveTheWayOnOneDevice) {
  SORTIE_REQUIRE_GPU();
  EXPECT_TRUE(survives_the_way(0, 0));
}

TEST(PeerCopyGpu, BytesSurviveTheWayBetweenDevicesWithAndWithoutAccess) {
  SORTIE_REQUIRE_GPU();
  std::vector<int> numbers;
  for (const DeviceInfo& device : list_devices().devices) numbers.push_back(device.number);
  if (numbers.size() < 2) GTEST_SKIP() << "one GPU only";
  EXPECT_TRUE(survives_the_way(numbers[0], numbers[1]));
  for (const int number : numbers) allow_peer_access(number, numbers);
  for (const int number : numbers) allow_peer_access(number, numbers);  // a second call does no harm
  EXPECT_TRUE(survives_the_way(numbers[0], numbers[1]));
  EXPECT_TRUE(survives_the_way(numbers[1], numbers[0]));
}

}  // namespace
}  // namespace sortie

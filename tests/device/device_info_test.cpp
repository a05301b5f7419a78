#include "device/device_info.hpp"

#include <gtest/gtest.h>

#include <sortie/error.hpp>

#include "support/require_gpu.hpp"

namespace sortie {
namespace {

TEST(DeviceInfo, ListIsEmptyWithReasonOrFull) {
  const DeviceList list = list_devices();
  EXPECT_EQ(list.devices.empty(), !list.reason.empty());
}

TEST(DeviceInfo, SelectingADeviceThatIsNotThereThrows) { EXPECT_THROW(select_device(1000), Error); }

TEST(DeviceInfoGpu, ListedDevicesHaveNameAndMemory) {
  SORTIE_REQUIRE_GPU();
  for (const DeviceInfo& device : list_devices().devices) {
    EXPECT_FALSE(device.name.empty());
    EXPECT_GT(device.free_bytes, 0U);
    EXPECT_LE(device.free_bytes, device.total_bytes);
    select_device(device.number);
    EXPECT_GT(free_device_bytes(), 0U);
  }
}

}  // namespace
}  // namespace sortie

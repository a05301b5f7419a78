#include "device/device_info.hpp"

#include <gtest/gtest.h>

#include <string>

#include <sortie/error.hpp>

#include "support/require_gpu.hpp"

namespace sortie {
namespace {

TEST(DeviceInfo, ListIsEmptyWithReasonOrFull) {
  const DeviceList list = list_devices();
  EXPECT_TRUE(!list.devices.empty() || !list.reason.empty());
}

TEST(DeviceInfo, ListWithoutTheWantedDeviceSaysWhy) {
  const int nowhere[] = {1000};
  const DeviceList list = list_devices(nowhere);
  EXPECT_TRUE(list.devices.empty());
  EXPECT_FALSE(list.reason.empty());
}

TEST(DeviceInfo, RequiredDeviceThatIsNotThereIsNamed) {
  const int nowhere[] = {1000};
  try {
    static_cast<void>(require_devices(nowhere));
    FAIL() << "did not throw";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("GPU number 1000"), std::string::npos) << error.what();
  }
  EXPECT_NO_THROW(static_cast<void>(require_devices({})));
}

TEST(DeviceInfoGpu, ListHasTheWantedDeviceAlone) {
  SORTIE_REQUIRE_GPU();
  const int last = list_devices().devices.back().number;
  const int wanted[] = {last};
  const DeviceList list = list_devices(wanted);
  ASSERT_EQ(list.devices.size(), 1U);
  EXPECT_EQ(list.devices[0].number, last);
  EXPECT_EQ(list.reason, "");
  const int wanted_too_many[] = {last, 1000};
  EXPECT_EQ(list_devices(wanted_too_many).devices.size(), 1U);
  EXPECT_NE(list_devices(wanted_too_many).reason, "");
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

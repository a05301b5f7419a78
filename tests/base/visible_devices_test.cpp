#include "base/visible_devices.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

std::optional<std::string> narrowed(const std::optional<std::string>& setting, unsigned installed,
                                    const std::vector<int>& wanted) {
  return narrowed_setting(setting, installed, wanted);
}

TEST(VisibleDevices, CountsTheDeviceFilesOfGpusAlone) {
  const test::TemporaryDirectory folder;
  for (const char* name : {"nvidia0", "nvidia12", "nvidiactl", "nvidia-uvm", "nvidia", "nvidia1x", "tty0"}) {
    std::ofstream(folder / name) << "";
  }
  EXPECT_EQ(installed_device_count(folder.path()), 2U);
  EXPECT_EQ(installed_device_count(folder / "nowhere"), 0U);
}

TEST(VisibleDevices, AreAllThatAreInstalledIfNothingIsSet) {
  EXPECT_EQ(visible_device_count(std::nullopt, 4), 4U);
  EXPECT_EQ(visible_device_count(std::nullopt, 0), 0U);
}

TEST(VisibleDevices, AreThoseListedBeforeTheFirstThatMakesNoSense) {
  EXPECT_EQ(visible_device_count("", 4), 0U);
  EXPECT_EQ(visible_device_count("2", 4), 1U);
  EXPECT_EQ(visible_device_count("3, 0,1", 4), 3U);
  EXPECT_EQ(visible_device_count("0,-1,1", 4), 1U);
  EXPECT_EQ(visible_device_count("NoDevFiles", 4), 0U);
  EXPECT_EQ(visible_device_count("0,4,1", 4), 1U);
  EXPECT_EQ(visible_device_count("GPU-8932f937,MIG-GPU-1/2/3,1", 4), 3U);
  EXPECT_EQ(visible_device_count("0,1", 0), 0U);
}

TEST(VisibleDevices, NarrowToThoseWanted) {
  EXPECT_EQ(narrowed(std::nullopt, 4, {2}), "2");
  EXPECT_EQ(narrowed(std::nullopt, 4, {3, 0}), "3,0");
}

TEST(VisibleDevices, NumbersCountWithinWhatIsSetAlready) {
  EXPECT_EQ(narrowed("3,1", 4, {1}), "1");
  EXPECT_EQ(narrowed("3,1", 4, {0, 1}), "3,1");
  EXPECT_EQ(narrowed("GPU-aa, GPU-bb", 4, {1}), "GPU-bb");
}

TEST(VisibleDevices, AreLeftAloneWhereCudaMustSayWhatIsWrong) {
  EXPECT_EQ(narrowed(std::nullopt, 4, {4}), std::nullopt);
  EXPECT_EQ(narrowed(std::nullopt, 4, {-1}), std::nullopt);
  EXPECT_EQ(narrowed("3,1", 4, {2}), std::nullopt);
  EXPECT_EQ(narrowed("", 4, {0}), std::nullopt);
  EXPECT_EQ(narrowed(std::nullopt, 0, {0}), std::nullopt);
  EXPECT_EQ(narrowed(std::nullopt, 4, {}), std::nullopt);
}

}  // namespace
}  // namespace sortie

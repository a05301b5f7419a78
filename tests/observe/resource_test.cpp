#include "observe/busy_time.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sortie {
namespace {

TEST(Resource, HasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kResourceCount; ++i) {
    const std::string_view name = name_of(static_cast<Resource>(i));
    EXPECT_FALSE(name.empty());
    names.insert(name);
  }
  EXPECT_EQ(names.size(), kResourceCount);
  EXPECT_EQ(name_of(Resource::kReading), "reading");
  EXPECT_EQ(name_of(Resource::kScratchReading), "scratch reading");
  EXPECT_EQ(name_of(Resource::kOutputWriting), "output writing");
}

TEST(Resource, FollowsFromTheStage) {
  EXPECT_EQ(resource_of("read"), Resource::kReading);
  EXPECT_EQ(resource_of("write run"), Resource::kScratchWriting);
  EXPECT_EQ(resource_of("finish output"), Resource::kOutputWriting);
  EXPECT_EQ(resource_of("no such stage"), std::nullopt);
}

TEST(Resource, FollowsFromTheUnitOfADevice) {
  EXPECT_EQ(resource_of(DeviceUnit::kUpload), Resource::kUpload);
  EXPECT_EQ(resource_of(DeviceUnit::kKernels), Resource::kKernels);
  EXPECT_EQ(resource_of(DeviceUnit::kDownload), Resource::kDownload);
}

}  // namespace
}  // namespace sortie

#include "engine/gpu/host_array_link.hpp"

#include <gtest/gtest.h>

namespace sortie::gpu {
namespace {

TEST(HostArrayLink, UnpacksWithFourThreadsAtLeast) {
  EXPECT_FALSE(HostArrayLink(3).unpacks());
  EXPECT_TRUE(HostArrayLink(4).unpacks());
}

TEST(HostArrayLink, PacksForSeveralLinksOnlyWhatSparesTheMemory) {
  EXPECT_EQ(HostArrayLink(16).most_packed_bytes(8000), 8000);
  EXPECT_EQ(HostArrayLink(16, 2).most_packed_bytes(8000), 3000);
}

}  // namespace
}  // namespace sortie::gpu

#include "cuda/arrays/host_array_link.hpp"

#include <gtest/gtest.h>

namespace sortie::cuda {
namespace {

TEST(HostArrayLink, UnpacksWithFourThreadsAtLeastAndBehindOneLink) {
  EXPECT_FALSE(HostArrayLink(3).unpacks());
  EXPECT_TRUE(HostArrayLink(4).unpacks());
  EXPECT_FALSE(HostArrayLink(64, 2).unpacks());
}

}  // namespace
}  // namespace sortie::cuda

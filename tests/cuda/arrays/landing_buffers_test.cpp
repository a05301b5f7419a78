#include "cuda/arrays/array_download.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "device/device_info.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

TEST(LandingBuffersGpu, AreTakenInTurnAndEmptiedBeforeTheyAreTakenAgain) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::byte> memory(LandingBuffers::kCount * 100);
  std::vector<std::atomic<unsigned>> emptied(LandingBuffers::kCount);
  LandingBuffers buffers(memory, 0);
  for (unsigned i = 0; i < 5 * LandingBuffers::kCount; ++i) {
    const std::span<std::byte> buffer = buffers.take();
    EXPECT_EQ(buffer.data(), memory.data() + i % LandingBuffers::kCount * 100);
    EXPECT_EQ(buffer.size(), 100);
    EXPECT_EQ(emptied[i % LandingBuffers::kCount], i / LandingBuffers::kCount);
    buffers.empty([&, i] { ++emptied[i % LandingBuffers::kCount]; });
  }
  buffers.wait();
  for (const auto& times : emptied) EXPECT_EQ(times, 5);
}

TEST(LandingBuffersGpu, AreNotFreeBeforeTheyAreEmpty) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::byte> memory(LandingBuffers::kCount);
  std::atomic<bool> may_end = false;
  LandingBuffers buffers(memory, 0);
  for (unsigned i = 0; i < LandingBuffers::kCount; ++i) {
    EXPECT_TRUE(buffers.has_free());
    buffers.take();
    buffers.empty([&] { may_end.wait(false); });
  }
  EXPECT_FALSE(buffers.has_free());
  may_end = true;
  may_end.notify_all();
  buffers.wait();
  EXPECT_TRUE(buffers.has_free());
}

TEST(LandingBuffersGpu, HandOnWhatEmptyingThrew) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::byte> memory(LandingBuffers::kCount);
  LandingBuffers buffers(memory, 0);
  buffers.take();
  buffers.empty([] { throw std::runtime_error("no"); });
  EXPECT_THROW(buffers.wait(), std::runtime_error);
}

}  // namespace
}  // namespace sortie::cuda

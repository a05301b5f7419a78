#include "device/pinned_memory.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/memory_region.hpp"
#include "support/require_gpu.hpp"

namespace sortie {
namespace {

TEST(PinnedMemory, OrdinaryMemoryIsNot) {
  const std::vector<std::byte> ordinary(100'000);
  EXPECT_FALSE(is_pinned(ordinary));
}

TEST(PinnedMemory, NothingIsNot) { EXPECT_FALSE(is_pinned({})); }

TEST(PinnedMemoryGpu, PinnedBufferIsAndSoAreItsParts) {
  SORTIE_REQUIRE_GPU();
  const PinnedBuffer buffer((4 << 20) + 17, 2);
  EXPECT_TRUE(is_pinned(buffer.bytes()));
  EXPECT_TRUE(is_pinned(buffer.bytes().subspan(4097, 1)));
}

TEST(PinnedMemoryGpu, MemoryThatReachesBeyondWhatIsPinnedIsNot) {
  SORTIE_REQUIRE_GPU();
  MemoryRegion region(8 << 20);
  const std::span<std::byte> bytes = region.bytes();
  ASSERT_EQ(cudaHostRegister(bytes.data(), bytes.size() / 2, cudaHostRegisterPortable), cudaSuccess);
  EXPECT_TRUE(is_pinned(bytes.first(bytes.size() / 2)));
  EXPECT_FALSE(is_pinned(bytes));
  EXPECT_FALSE(is_pinned(bytes.subspan(bytes.size() / 2)));
  EXPECT_EQ(cudaHostUnregister(bytes.data()), cudaSuccess);
}

}  // namespace
}  // namespace sortie

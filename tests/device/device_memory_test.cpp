// Tests buffers, arena, streams and events together, by round trips of bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "device/copy.hpp"
#include "device/cuda_error.hpp"
#include "device/cuda_stream.hpp"
#include "device/device_memory.hpp"
#include "device/pinned_memory.hpp"
#include "support/require_gpu.hpp"

namespace sortie {
namespace {

TEST(Arena, CarvedSizesRoundUpToTheAlignment) {
  EXPECT_EQ(arena_bytes(0), 0U);
  EXPECT_EQ(arena_bytes(1), kArenaAlignment);
  EXPECT_EQ(arena_bytes(kArenaAlignment), kArenaAlignment);
  EXPECT_EQ(arena_bytes(kArenaAlignment + 1), 2 * kArenaAlignment);
}

TEST(Arena, EmptyArenaRefusesToCarve) {
  Arena arena(0);
  EXPECT_THROW(arena.carve(1), DeviceMemoryError);
}

TEST(ArenaGpu, CarvesAlignedPiecesInOrderUntilFull) {
  SORTIE_REQUIRE_GPU();
  Arena arena(4 * kArenaAlignment);
  std::byte* first = arena.carve(1);
  std::byte* second = arena.carve(kArenaAlignment);
  EXPECT_EQ(second - first, static_cast<std::ptrdiff_t>(kArenaAlignment));
  EXPECT_EQ(arena.used_bytes(), 2 * kArenaAlignment);
  EXPECT_THROW(arena.carve(2 * kArenaAlignment + 1), DeviceMemoryError);
  EXPECT_NE(arena.carve(2 * kArenaAlignment), nullptr);
  EXPECT_THROW(arena.carve(1), DeviceMemoryError);
  arena.clear();
  EXPECT_EQ(arena.carve(1), first);
}

TEST(ArenaGpu, PartsOfAnArenaAreArenas) {
  SORTIE_REQUIRE_GPU();
  Arena whole(4 * kArenaAlignment);
  std::byte* const begin = whole.carve(1);
  whole.clear();
  Arena part(whole, 2 * kArenaAlignment, kArenaAlignment);
  EXPECT_EQ(part.capacity_bytes(), kArenaAlignment);
  EXPECT_EQ(part.carve(1), begin + 2 * kArenaAlignment);
  EXPECT_THROW(part.carve(1), DeviceMemoryError);
}

TEST(DeviceBufferGpu, HugeRequestIsOutOfMemory) {
  SORTIE_REQUIRE_GPU();
  EXPECT_THROW(DeviceBuffer(std::uint64_t{1} << 50), DeviceMemoryError);
}

TEST(DeviceBufferGpu, MovingLeavesOneOwner) {
  SORTIE_REQUIRE_GPU();
  DeviceBuffer first(64);
  std::byte* data = first.data();
  DeviceBuffer second(std::move(first));
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(first.data(), nullptr);
  EXPECT_EQ(first.size_bytes(), 0U);
}

TEST(PinnedBufferGpu, BytesMakeARoundTripThroughTheDevice) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t bytes : {1ULL, 4096ULL, 100'001ULL, (40ULL << 20) + 5}) {
    PinnedBuffer source(bytes, 4);
    PinnedBuffer target(bytes, 1);
    DeviceBuffer device(bytes);
    ASSERT_EQ(source.bytes().size(), bytes);
    std::iota(reinterpret_cast<unsigned char*>(source.data()), reinterpret_cast<unsigned char*>(source.data()) + bytes,
              static_cast<unsigned char>(3));
    CudaStream upload;
    CudaStream download;
    CudaEvent uploaded;
    CudaEvent downloaded;
    copy_to_device(device.data(), source.data(), bytes, upload);
    uploaded.record(upload);
    download.wait_for(uploaded);
    copy_to_host(target.data(), device.data(), bytes, download);
    downloaded.record(download);
    downloaded.synchronize();
    EXPECT_TRUE(std::ranges::equal(source.bytes(), target.bytes())) << bytes;
  }
}

TEST(PinnedBuffer, EmptyBufferNeedsNoMemory) {
  PinnedBuffer buffer(0, 8);
  EXPECT_EQ(buffer.data(), nullptr);
  EXPECT_TRUE(buffer.bytes().empty());
}

TEST(CudaEventGpu, EventNeverRecordedIsPassed) {
  SORTIE_REQUIRE_GPU();
  CudaEvent event;
  event.synchronize();
  CudaStream stream;
  stream.wait_for(event);
  stream.synchronize();
}

}  // namespace
}  // namespace sortie

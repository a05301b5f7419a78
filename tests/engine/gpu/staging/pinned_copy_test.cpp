#include "engine/gpu/staging/drain_lane.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/memory_region.hpp"
#include "base/size.hpp"
#include "device/device_memory.hpp"
#include "device/pinned_memory.hpp"
#include "support/require_gpu.hpp"

namespace sortie::gpu {
namespace {

TEST(PinnedCopyGpu, GoesFromOnePinToTheNext) {
  SORTIE_REQUIRE_GPU();
  select_device(list_devices().devices[0].number);
  constexpr std::size_t kBytes = 1 << 20;
  const MemoryRegion region(2 * kPinStrideBytes);
  const std::size_t seam = kPinStrideBytes - reinterpret_cast<std::uintptr_t>(region.data()) % kPinStrideBytes;
  const auto before = RegisteredMemory::make(region.bytes().first(seam));
  const auto behind = RegisteredMemory::make(region.bytes().subspan(seam));
  ASSERT_NE(before, nullptr);
  ASSERT_NE(behind, nullptr);
  const std::span<std::byte> across = region.bytes().subspan(seam - kBytes / 4, kBytes);
  for (std::size_t i = 0; i < kBytes; ++i) across[i] = static_cast<std::byte>(i * 7 + i / 256);
  const std::vector<std::byte> expected(across.begin(), across.end());

  const DeviceBuffer device(kBytes);
  const CudaStream stream;
  copy_from_pinned(device.data(), across, stream);
  stream.synchronize();
  std::ranges::fill(across, std::byte{0xee});
  copy_to_pinned(across, device.data(), stream);
  stream.synchronize();
  EXPECT_TRUE(std::ranges::equal(across, expected));
}

TEST(PinnedCopyGpu, TakesMemoryThatIsNotPinned) {
  SORTIE_REQUIRE_GPU();
  select_device(list_devices().devices[0].number);
  const std::vector<std::byte> source(100'000, std::byte{0x5a});
  std::vector<std::byte> target(source.size());
  const DeviceBuffer device(source.size());
  const CudaStream stream;
  copy_from_pinned(device.data(), source, stream);
  copy_to_pinned(target, device.data(), stream);
  stream.synchronize();
  EXPECT_EQ(target, source);
}

}  // namespace
}  // namespace sortie::gpu

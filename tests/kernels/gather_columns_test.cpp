#include "kernels/gather_columns.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "kernels/device_array.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kGatherSeed = 127;

std::vector<std::byte> random_column_bytes(std::uint64_t count) {
  std::mt19937_64 random(kGatherSeed);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

TEST(GatherColumnsGpu, PutsColumnsOfAllSizesIntoOrder) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  for (const std::uint64_t count : {1, 255, 1024, 1025, 70'001}) {
    SCOPED_TRACE(std::to_string(count) + " items, seed " + std::to_string(kGatherSeed));
    std::mt19937_64 random(kGatherSeed);
    std::vector<std::uint32_t> positions(count);
    for (std::uint32_t& position : positions) position = static_cast<std::uint32_t>(random() % count);
    const DeviceArray<std::uint32_t> device_positions(positions, stream);
    const std::vector<std::byte> given = random_column_bytes(16 * count);
    const DeviceArray<std::byte> source(given, stream);
    // More columns than one launch takes.
    std::vector<std::size_t> sizes;
    for (unsigned i = 0; i < kColumnsAtOnce + 3; ++i) sizes.push_back(std::size_t{1} << i % 5);
    std::vector<DeviceArray<std::byte>> targets;
    targets.reserve(sizes.size());
    std::vector<GatheredColumn> columns;
    for (const std::size_t bytes : sizes) {
      targets.emplace_back(bytes * count, stream);
      columns.push_back({source.data(), targets.back().data(), bytes});
      ASSERT_TRUE(is_column(columns.back()));
    }
    gather_columns(columns, device_positions.data(), count, stream.handle());
    for (std::size_t c = 0; c < sizes.size(); ++c) {
      std::vector<std::byte> expected(sizes[c] * count);
      for (std::uint64_t i = 0; i < count; ++i) {
        std::memcpy(expected.data() + i * sizes[c], given.data() + positions[i] * sizes[c], sizes[c]);
      }
      EXPECT_EQ(targets[c].download(), expected) << "items of " << sizes[c];
    }
  }
}

TEST(GatherColumns, AreNumbersAlignedAsTheirSize) {
  alignas(16) std::byte memory[64]{};
  EXPECT_TRUE(is_column({memory, memory + 16, 16}));
  EXPECT_TRUE(is_column({memory + 1, memory + 3, 1}));
  EXPECT_FALSE(is_column({memory + 2, memory + 4, 4}));
  EXPECT_FALSE(is_column({memory, memory + 8, 16}));
  EXPECT_FALSE(is_column({memory, memory + 16, 3}));
  EXPECT_FALSE(is_column({memory, memory + 32, 32}));
  EXPECT_FALSE(is_column({memory, memory + 32, 0}));
}

}  // namespace
}  // namespace sortie::kernels

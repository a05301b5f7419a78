#include "cuda/arrays/array_download.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/size.hpp"
#include "device/copy.hpp"
#include "device/device_info.hpp"
#include "device/device_memory.hpp"
#include "device/pinned_memory.hpp"
#include "kernels/pack_sorted.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

constexpr std::uint64_t kPieceCodes = kDownloadPieceBytes / sizeof(std::uint64_t);
constexpr kernels::NumberOrder kOrder{FieldKind::kUnsigned, 8, false};

/// Two parts of ascending numbers on the device. Each has several pieces, the last one short. In every fifth piece the
/// numbers are too far apart to be packed.
class PartsOnDevice {
 public:
  static constexpr std::uint64_t kCounts[] = {9 * kPieceCodes + 12'345, 4 * kPieceCodes + 7};
  static constexpr std::uint64_t kCount = kCounts[0] + kCounts[1];

  explicit PartsOnDevice(const CudaStream& stream)
      : numbers_(make_numbers()),
        memory_(kCount * sizeof(std::uint64_t)),
        packed_(kCount * sizeof(std::uint64_t) + 512),
        lines_(256 * sizeof(std::uint32_t)) {
    copy_to_device(memory_.data(), numbers_.data(), kCount * sizeof(std::uint64_t), stream);
    std::uint64_t begin = 0;
    for (const std::uint64_t count : kCounts) {
      const auto* const codes = reinterpret_cast<const std::uint64_t*>(memory_.data()) + begin;
      std::byte* const packed = packed_.data() + round_up(begin * sizeof(std::uint64_t), 256);
      auto* const device_lines = reinterpret_cast<std::uint32_t*>(lines_.data());
      kernels::pack_sorted(codes, count, kPieceCodes, packed, device_lines, stream.handle());
      auto& host_lines = host_lines_.emplace_back(divide_up(count, kPieceCodes));
      copy_to_host(host_lines.data(), device_lines, host_lines.size() * sizeof(std::uint32_t), stream);
      stream.synchronize();
      parts_.push_back({reinterpret_cast<const std::byte*>(codes), packed, host_lines});
      begin += count;
    }
  }

  const std::vector<std::uint64_t>& numbers() const { return numbers_; }
  DevicePart part(std::size_t i, bool packed) const {
    return packed ? parts_[i] : DevicePart{parts_[i].numbers, nullptr, {}};
  }

 private:
  static std::vector<std::uint64_t> make_numbers() {
    std::vector<std::uint64_t> numbers(kCount);
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < kCount; ++i) {
      const std::uint64_t most_step = i / kPieceCodes % 5 == 4 ? std::uint64_t{1} << 40 : 1000;
      numbers[i] = sum += i * 0x9e3779b97f4a7c15ULL % most_step;
    }
    return numbers;
  }

  std::vector<std::uint64_t> numbers_;
  DeviceBuffer memory_;
  DeviceBuffer packed_;
  DeviceBuffer lines_;
  std::vector<std::vector<std::uint32_t>> host_lines_;
  std::vector<DevicePart> parts_;
};

class ArrayDownloadGpu : public testing::TestWithParam<unsigned> {
 protected:
  static void expect_arrival(std::span<std::byte> target, bool packed) {
    const CudaStream stream;
    const PartsOnDevice parts(stream);
    std::ranges::fill(target, std::byte{0xa5});
    HostArrayLink link(GetParam());
    {
      ArrayDownload download(kOrder, target, link, 0, stream);
      for (std::size_t i = 0; i < 2; ++i) download.send(parts.part(i, packed), PartsOnDevice::kCounts[i]);
      download.finish();
    }
    EXPECT_EQ(std::memcmp(target.data(), parts.numbers().data(), target.size()), 0);
  }

  static constexpr std::uint64_t kBytes = PartsOnDevice::kCount * sizeof(std::uint64_t);
};

TEST_P(ArrayDownloadGpu, ReachesPinnedMemoryPackedAndNot) {
  SORTIE_REQUIRE_GPU();
  select_device(0);
  const PinnedBuffer memory(kBytes, 4);
  expect_arrival(memory.bytes(), true);
  expect_arrival(memory.bytes(), false);
}

TEST_P(ArrayDownloadGpu, ReachesMemoryThatIsNotPinnedAndNotAligned) {
  SORTIE_REQUIRE_GPU();
  select_device(0);
  std::vector<std::byte> memory(kBytes + 64);
  expect_arrival(std::span(memory).subspan(8, kBytes), true);
  expect_arrival(std::span(memory).subspan(8, kBytes), false);
}

INSTANTIATE_TEST_SUITE_P(Threads, ArrayDownloadGpu, testing::Values(1, 2, 4, 16));

TEST(ArrayDownloadGpuFailures, UnfinishedDownloadsLeaveTheirTasksDone) {
  SORTIE_REQUIRE_GPU();
  select_device(0);
  const CudaStream stream;
  const PartsOnDevice parts(stream);
  std::vector<std::byte> memory(PartsOnDevice::kCount * sizeof(std::uint64_t));
  HostArrayLink link(4);
  {
    ArrayDownload download(kOrder, memory, link, 0, stream);
    download.send(parts.part(0, true), PartsOnDevice::kCounts[0]);
  }
  stream.synchronize();
  const std::size_t pieces_settled = PartsOnDevice::kCounts[0] / kPieceCodes - 3;
  EXPECT_EQ(std::memcmp(memory.data(), parts.numbers().data(), pieces_settled * kDownloadPieceBytes), 0);
}

}  // namespace
}  // namespace sortie::cuda

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/records.hpp"
#include "kernels/require_free_bytes.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

/// Bytes of which about one in `mean_bytes` is a delimiter. Most others differ from it in one bit.
std::vector<std::byte> lines_of(std::uint64_t byte_count, unsigned mean_bytes, std::byte delimiter,
                                std::mt19937_64& random) {
  std::vector<std::byte> bytes(byte_count);
  for (std::byte& byte : bytes) {
    byte = random() % mean_bytes == 0 ? delimiter : delimiter ^ static_cast<std::byte>(1U << random() % 8);
  }
  return bytes;
}

void expect_counts(const std::vector<std::byte>& bytes, const std::vector<std::uint64_t>& bounds, std::byte delimiter) {
  const CudaStream stream;
  const DeviceArray<std::byte> device_bytes(bytes, stream);
  const DeviceArray<std::uint64_t> device_bounds(bounds, stream);
  const auto lists = static_cast<std::uint32_t>(bounds.size() - 1);
  const DeviceArray<std::uint64_t> counts(lists, stream);
  count_lines(device_bytes.data(), static_cast<char>(delimiter), device_bounds.data(), lists, counts.data(),
              stream.handle());
  std::vector<std::uint64_t> expected;
  for (std::size_t i = 0; i < lists; ++i) {
    const auto list = std::span(bytes).subspan(bounds[i], bounds[i + 1] - bounds[i]);
    expected.push_back(static_cast<std::uint64_t>(std::ranges::count(list, delimiter)));
  }
  EXPECT_EQ(counts.download(), expected);
}

TEST(CountLinesGpu, ListsOfAnyLengthThatBeginAnywhere) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(82);
  for (const char delimiter : {'\n', '\0', '\xff'}) {
    for (const std::uint64_t byte_count : {0, 1, 15, 16, 17, 100, 4097, 1'000'003}) {
      for (const std::size_t lists : {1, 2, 15, 700}) {
        SCOPED_TRACE(std::to_string(byte_count) + " bytes, " + std::to_string(lists) + " lists");
        std::vector<std::uint64_t> bounds = {0, byte_count};
        while (bounds.size() <= lists) bounds.push_back(random() % (byte_count + 1));
        std::ranges::sort(bounds);
        expect_counts(lines_of(byte_count, 20, static_cast<std::byte>(delimiter), random), bounds,
                      static_cast<std::byte>(delimiter));
      }
    }
  }
}

TEST(CountLinesGpu, NothingButDelimiters) {
  SORTIE_REQUIRE_GPU();
  expect_counts(std::vector<std::byte>(3'000'000, std::byte{'\n'}), {0, 7, 2'999'999, 3'000'000}, std::byte{'\n'});
}

TEST(CountLinesGpu, TakesMoreThan4GiB) {
  SORTIE_REQUIRE_GPU();
  const std::uint64_t byte_count = (std::uint64_t{5} << 30) + 5;
  SORTIE_REQUIRE_FREE_BYTES(byte_count + (1 << 20));
  const CudaStream stream;
  const DeviceBuffer bytes(byte_count);
  check_cuda(cudaMemsetAsync(bytes.data(), '\n', byte_count, stream.handle()), "lines");
  const DeviceArray<std::uint64_t> bounds(std::vector<std::uint64_t>{0, 3, byte_count}, stream);
  const DeviceArray<std::uint64_t> counts(2, stream);
  count_lines(bytes.data(), '\n', bounds.data(), 2, counts.data(), stream.handle());
  EXPECT_EQ(counts.download(), (std::vector<std::uint64_t>{3, byte_count - 3}));
}

}  // namespace
}  // namespace sortie::kernels

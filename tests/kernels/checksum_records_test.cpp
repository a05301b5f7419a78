#include "kernels/checksum_records.hpp"

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <vector>

#include "base/checksum.hpp"
#include "kernels/device_array.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kChecksumRecordsSeed = 54;

std::vector<std::byte> random_bytes(std::uint64_t count) {
  std::mt19937_64 random(kChecksumRecordsSeed);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

/// Calls add(sum, stream) once.
template <class Add>
Checksum device_sum(const Add& add) {
  const CudaStream stream;
  const DeviceArray<Checksum> sum(std::vector<Checksum>(1), stream);
  add(sum.data(), stream.handle());
  return sum.download()[0];
}

void expect_records_agree(std::uint64_t record_bytes, std::uint64_t count) {
  SCOPED_TRACE(std::to_string(count) + " records of " + std::to_string(record_bytes) + " bytes, seed " +
               std::to_string(kChecksumRecordsSeed));
  const CudaStream stream;
  const std::vector<std::byte> records = random_bytes(record_bytes * count);
  Checksum expected;
  for (std::uint64_t i = 0; i < count; ++i) {
    expected += hash_record(std::span(records).subspan(i * record_bytes, record_bytes));
  }
  // The kernel may read the last word of the array whole.
  std::vector<std::byte> padded = records;
  padded.resize((records.size() + 3) / 4 * 4);
  const DeviceArray<std::byte> device(padded, stream);
  EXPECT_EQ(device_sum([&](Checksum* sum, cudaStream_t on) {
              add_record_checksum(device.data(), record_bytes, count, sum, on);
            }),
            expected);
}

TEST(RecordChecksumGpu, AgreesWithTheHostForEveryLengthOfRecord) {
  SORTIE_REQUIRE_GPU();
  for (std::uint64_t record_bytes = 1; record_bytes <= 400; ++record_bytes) expect_records_agree(record_bytes, 300);
  for (const std::uint64_t record_bytes : {512, 1000, 1024, 1025, 3333}) expect_records_agree(record_bytes, 300);
}

TEST(RecordChecksumGpu, AgreesWithTheHostForEveryNumberOfRecords) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t count : {0, 1, 2, 31, 127, 128, 129, 1000, 400'000}) {
    expect_records_agree(100, count);
    for (const std::uint64_t record_bytes : {8, 13, 16, 64, 96}) expect_records_agree(record_bytes, count);
  }
}

void expect_lines_agree(const std::vector<std::uint64_t>& lengths, std::uint64_t first_byte) {
  const CudaStream stream;
  std::vector<std::uint64_t> offsets{first_byte};
  for (const std::uint64_t length : lengths) offsets.push_back(offsets.back() + length);
  const std::vector<std::byte> bytes = random_bytes((offsets.back() + 3) / 4 * 4);
  Checksum expected;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    expected += hash_record(std::span(bytes).subspan(offsets[i], lengths[i]));
  }
  const DeviceArray<std::byte> device(bytes, stream);
  const DeviceArray<std::uint64_t> device_offsets(offsets, stream);
  EXPECT_EQ(device_sum([&](Checksum* sum, cudaStream_t on) {
              add_line_checksum(device.data(), offsets.back() - first_byte, device_offsets.data(), lengths.size(), sum,
                                on);
            }),
            expected);
}

TEST(LineChecksumGpu, AgreesWithTheHostForLinesOfAnyLength) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(kChecksumRecordsSeed);
  for (const std::uint64_t count : {0, 1, 127, 128, 129, 5000, 300'000}) {
    for (const std::uint64_t longest : {1, 20, 300}) {
      for (const std::uint64_t first_byte : {0, 5, 16}) {
        SCOPED_TRACE(std::to_string(count) + " lines of up to " + std::to_string(longest) + " bytes from byte " +
                     std::to_string(first_byte) + ", seed " + std::to_string(kChecksumRecordsSeed));
        std::vector<std::uint64_t> lengths(count);
        for (std::uint64_t& length : lengths) length = 1 + random() % longest;
        expect_lines_agree(lengths, first_byte);
      }
    }
  }
}

/// Some tiles have lines far longer than the mean, which fit no buffer.
TEST(LineChecksumGpu, LongLinesAmongShortOnes) {
  SORTIE_REQUIRE_GPU();
  std::vector<std::uint64_t> lengths(20'000, 17);
  for (std::size_t i = 100; i < lengths.size(); i += 3000) lengths[i] = 5000 + i;
  lengths[777] = 300'000;
  expect_lines_agree(lengths, 3);
}

template <class Number>
void expect_numbers_agree(const std::vector<Number>& numbers) {
  const CudaStream stream;
  const DeviceArray<Number> device(numbers, stream);
  EXPECT_EQ(
      device_sum([&](Checksum* sum, cudaStream_t on) { add_number_checksum(device.data(), numbers.size(), sum, on); }),
      checksum_numbers(std::as_bytes(std::span(numbers)), sizeof(Number)));
}

TEST(RecordChecksumGpu, NumbersAgreeWithTheHost) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t count : {0, 1, 2, 3, 4, 5, 7, 255, 256, 257, 4095, 4096, 4097, 1'000'003}) {
    SCOPED_TRACE(count);
    expect_numbers_agree(make_keys<std::uint32_t>(Distribution::kUniform, count, kChecksumRecordsSeed));
    expect_numbers_agree(make_keys<std::uint64_t>(Distribution::kUniform, count, kChecksumRecordsSeed));
  }
}

TEST(RecordChecksumGpu, PiecesAddUp) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  const auto numbers = make_keys<std::uint64_t>(Distribution::kUniform, 5000, kChecksumRecordsSeed);
  const DeviceArray<std::uint64_t> device(numbers, stream);
  EXPECT_EQ(device_sum([&](Checksum* sum, cudaStream_t on) {
              add_number_checksum(device.data(), 2000, sum, on);
              add_number_checksum(device.data() + 2000, 3000, sum, on);
            }),
            checksum_numbers(std::as_bytes(std::span(numbers)), 8));
}

}  // namespace
}  // namespace sortie::kernels

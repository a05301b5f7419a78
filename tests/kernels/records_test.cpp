#include "kernels/records.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "kernels/device_array.hpp"
#include "kernels/test_records.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

std::vector<std::byte> random_bytes(std::uint64_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

std::vector<std::uint32_t> shuffled_indices(std::uint64_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> indices(count);
  std::iota(indices.begin(), indices.end(), 0U);
  std::shuffle(indices.begin(), indices.end(), std::mt19937_64(seed));
  return indices;
}

/// Uploads records, with room behind them up to the next multiple of 16 bytes.
DeviceArray<std::byte> upload_padded(std::vector<std::byte> records, const CudaStream& stream) {
  records.resize((records.size() + 15) / 16 * 16);
  return {records, stream};
}

TEST(GatherFixedGpu, RecordsOfAnySizeInTheOrderOfTheIndices) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t record_bytes : {1, 2, 3, 8, 10, 16, 48, 99, 100, 2047, 2048, 2052, 4095, 20'002, 100'000}) {
    for (const std::uint64_t count : {0, 1, 3, 511, 512, 513, 3000}) {
      if (record_bytes * count > 30'000'000) continue;
      SCOPED_TRACE(std::to_string(count) + " records of " + std::to_string(record_bytes) + " bytes");
      const std::vector<std::byte> records = random_bytes(record_bytes * count, 61);
      const std::vector<std::uint32_t> indices = shuffled_indices(count, 62);
      std::vector<std::byte> expected;
      for (const std::uint32_t i : indices) {
        const auto record = std::span(records).subspan(i * record_bytes, record_bytes);
        expected.insert(expected.end(), record.begin(), record.end());
      }
      const CudaStream stream;
      const DeviceArray<std::byte> device_records = upload_padded(records, stream);
      const DeviceArray<std::uint32_t> device_indices(indices, stream);
      const DeviceArray<std::byte> out(records.size(), stream);
      gather_fixed(device_records.data(), record_bytes, device_indices.data(), count, out.data(), stream.handle());
      ASSERT_TRUE(out.download() == expected);
    }
  }
}

/// compute-sanitizer notices what is read behind the last record.
TEST(GatherFixedGpu, ReadsNothingBehindTheLastRecord) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  for (const std::uint64_t record_bytes : {1, 3, 12, 16, 17, 99, 100, 2047}) {
    for (const std::uint64_t shift : {0, 1, 5, 8}) {
      constexpr std::uint64_t kCount = 37;
      SCOPED_TRACE(std::to_string(record_bytes) + " bytes, shifted by " + std::to_string(shift));
      const std::vector<std::byte> records = random_bytes(record_bytes * kCount + shift, 75);
      const std::vector<std::uint32_t> indices = shuffled_indices(kCount, 76);
      const DeviceArray<std::byte> device_records(records, stream);
      const DeviceArray<std::uint32_t> device_indices(indices, stream);
      const DeviceArray<std::byte> out(record_bytes * kCount, stream);
      std::vector<std::byte> expected;
      for (const std::uint32_t i : indices) {
        const auto record = std::span(records).subspan(shift + i * record_bytes, record_bytes);
        expected.insert(expected.end(), record.begin(), record.end());
      }
      gather_fixed(device_records.data() + shift, record_bytes, kCount, device_indices.data(), kCount, out.data(),
                   stream.handle());
      ASSERT_TRUE(out.download() == expected);
    }
  }
}

/// Pieces of output and of input may begin at any address that the record size allows.
TEST(GatherFixedGpu, ArraysOfAnyAlignment) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kCount = 700;
  const CudaStream stream;
  for (const std::uint64_t record_bytes : {1, 6, 7, 24, 64, 100}) {
    for (const std::uint64_t shift : {1, 2, 4, 8}) {
      SCOPED_TRACE(std::to_string(record_bytes) + " bytes, shifted by " + std::to_string(shift));
      const std::vector<std::byte> records = random_bytes(record_bytes * kCount + shift, 72);
      const std::vector<std::uint32_t> indices = shuffled_indices(kCount, 73);
      const DeviceArray<std::byte> device_records = upload_padded(records, stream);
      const DeviceArray<std::uint32_t> device_indices(indices, stream);
      const DeviceArray<std::byte> out(records.size() + 2 * shift, stream);
      std::vector<std::byte> expected = out.download();
      for (std::uint64_t k = 0; k < kCount; ++k) {
        const auto record = records.begin() + static_cast<std::ptrdiff_t>(shift + indices[k] * record_bytes);
        std::copy_n(record, record_bytes, expected.begin() + static_cast<std::ptrdiff_t>(2 * shift + k * record_bytes));
      }
      gather_fixed(device_records.data() + shift, record_bytes, device_indices.data(), kCount, out.data() + 2 * shift,
                   stream.handle());
      ASSERT_TRUE(out.download() == expected);
    }
  }
}

/// Lines of the given lengths, delimiters included.
TestRecords lines_of(const std::vector<std::uint64_t>& lengths) {
  TestRecords lines;
  lines.plan.whole_line = true;
  lines.offsets.push_back(0);
  std::mt19937_64 random(63);
  for (const std::uint64_t length : lengths) {
    for (std::uint64_t i = 1; i < length; ++i) lines.bytes.push_back(static_cast<std::byte>('a' + random() % 26));
    lines.bytes.push_back(std::byte{'\n'});
    lines.offsets.push_back(lines.bytes.size());
  }
  lines.bytes.resize((lines.bytes.size() + 15) / 16 * 16);
  return lines;
}

std::vector<std::vector<std::uint64_t>> line_shapes() {
  std::mt19937_64 random(64);
  std::vector<std::uint64_t> mixed(50'000);
  for (std::uint64_t& length : mixed) length = 1 + random() % (random() % 50 == 0 ? 3000 : 120);
  std::vector<std::uint64_t> giants(300, 20);
  giants[7] = 200'000;
  giants[8] = 100'001;
  return {{}, {1}, {16'384}, {16'383, 2}, std::vector<std::uint64_t>(40'000, 1), mixed, giants};
}

TEST(GatherLinesGpu, LinesOfAnyLengthInPieces) {
  SORTIE_REQUIRE_GPU();
  for (const std::vector<std::uint64_t>& lengths : line_shapes()) {
    const TestRecords lines = lines_of(lengths);
    const std::uint64_t count = lengths.size();
    SCOPED_TRACE(std::to_string(count) + " lines");
    const std::vector<std::uint32_t> indices = shuffled_indices(count, 65);
    std::vector<std::byte> expected;
    std::vector<std::uint64_t> expected_offsets{0};
    for (const std::uint32_t i : indices) {
      const auto line = std::span(lines.bytes).subspan(lines.offsets[i], lengths[i]);
      expected.insert(expected.end(), line.begin(), line.end());
      expected_offsets.push_back(expected.size());
    }
    const CudaStream stream;
    const DeviceRecords device(lines, stream);
    const DeviceArray<std::uint32_t> device_indices(indices, stream);
    const DeviceArray<std::uint64_t> out_offsets(count + 1, stream);
    const DeviceArray<std::byte> scratch(gather_offsets_scratch_bytes(count), stream);
    gather_offsets(device.offsets(), device_indices.data(), count, out_offsets.data(), scratch.data(), stream.handle());
    ASSERT_EQ(out_offsets.download(), expected_offsets);
    for (const std::uint64_t piece_bytes : {std::uint64_t{77'777}, expected.size()}) {
      for (std::uint64_t begin = 0; begin < expected.size(); begin += piece_bytes) {
        const std::uint64_t end = std::min<std::uint64_t>(begin + piece_bytes, expected.size());
        const DeviceArray<std::byte> out(end - begin, stream);
        gather_lines(device.bytes(), device.offsets(), device_indices.data(), count, out_offsets.data(), begin, end,
                     out.data(), stream.handle());
        const std::vector<std::byte> piece = out.download();
        ASSERT_TRUE(std::ranges::equal(piece, std::span(expected).subspan(begin, end - begin))) << "from " << begin;
      }
    }
  }
}

TEST(ScanLinesGpu, FindsEveryLineFromAnyAddressAndAppends) {
  SORTIE_REQUIRE_GPU();
  for (const std::vector<std::uint64_t>& lengths : line_shapes()) {
    for (const std::uint64_t skip : {0, 1, 7, 15, 16, 29}) {
      SCOPED_TRACE(std::to_string(lengths.size()) + " lines behind " + std::to_string(skip) + " bytes");
      const TestRecords lines = lines_of(lengths);
      const std::uint64_t byte_count = lines.offsets.back();
      // Delimiters on both sides, which the scan must ignore.
      std::vector<std::byte> bytes(skip, std::byte{'\n'});
      bytes.insert(bytes.end(), lines.bytes.begin(), lines.bytes.begin() + byte_count);
      bytes.push_back(std::byte{'\n'});
      const std::uint64_t base = 1'000'000'000'000;
      std::vector<std::uint64_t> expected{base};
      for (std::size_t i = 1; i < lines.offsets.size(); ++i) expected.push_back(base + lines.offsets[i]);
      const CudaStream stream;
      const DeviceArray<std::byte> device_bytes(bytes, stream);
      const DeviceArray<std::uint64_t> offsets(expected.size(), stream);
      const DeviceArray<std::byte> scratch(scan_lines_scratch_bytes(byte_count), stream);
      scan_lines(device_bytes.data() + skip, byte_count, '\n', base, offsets.data(), scratch.data(), stream.handle());
      ASSERT_EQ(offsets.download(), expected);
    }
  }
}

void expect_words(const TestRecords& records) {
  const CudaStream stream;
  const std::uint64_t count = records.count();
  const std::uint64_t first = count / 3;
  const DeviceRecords device(records, stream);
  const DeviceArray<std::uint64_t> prefixes(count - first, stream);
  const DeviceArray<std::uint32_t> indices(count - first, stream);
  extract_prefixes(device.keys(), first, count - first, {prefixes.data(), indices.data()}, stream.handle());
  const std::vector<std::uint32_t> shuffled = shuffled_indices(count, 66);
  const DeviceArray<std::uint32_t> device_shuffled(shuffled, stream);
  const DeviceArray<std::uint64_t> words(count, stream);
  extract_words(device.keys(), device_shuffled.data(), count, 2, words.data(), stream.handle());

  std::vector<std::uint64_t> expected_prefixes;
  std::vector<std::uint32_t> expected_indices;
  for (std::uint64_t i = first; i < count; ++i) {
    expected_prefixes.push_back(records.host_keys().word(i, 0));
    expected_indices.push_back(static_cast<std::uint32_t>(i));
  }
  std::vector<std::uint64_t> expected_words;
  for (const std::uint32_t i : shuffled) expected_words.push_back(records.host_keys().word(i, 2));
  EXPECT_EQ(prefixes.download(), expected_prefixes);
  EXPECT_EQ(indices.download(), expected_indices);
  EXPECT_EQ(words.download(), expected_words);
}

TEST(ExtractGpu, WordsAreThoseOfTheKeyPlan) {
  SORTIE_REQUIRE_GPU();
  expect_words(few_valued_records(5000, 21, 67));
  expect_words(few_valued_lines(5000, 30, false, 68));
  expect_words(few_valued_lines(5000, 30, true, 69));
  TestRecords numbers = few_valued_records(5000, 25, 70);
  std::ranges::copy(random_bytes(numbers.bytes.size(), 71), numbers.bytes.begin());
  numbers.plan.part_count = 3;
  numbers.plan.key_bytes = 8 + 4 + 7;
  numbers.plan.parts[0] = {3, 0, 8, FieldKind::kFloat, ByteOrder::kLittle, true};
  numbers.plan.parts[1] = {12, 8, 4, FieldKind::kSigned, ByteOrder::kBig, false};
  numbers.plan.parts[2] = {17, 12, 7, FieldKind::kBytes, ByteOrder::kBig, true};
  expect_words(numbers);
}

}  // namespace
}  // namespace sortie::kernels

#include <sortie/cuda/device_merge_sort.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <vector>

#include "cuda/sort_checks.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

struct MergeSorter {
  static std::size_t scratch_bytes(KeyType type, std::size_t value_bytes, std::uint64_t count) {
    return merge_sort_scratch_bytes(type, value_bytes, count);
  }
  static Status sort(Keys keys, Values values, std::uint64_t count, Order order, Scratch scratch, cudaStream_t stream) {
    return merge_sort(keys, values, count, order, scratch, stream);
  }
};

class CudaMergeSortGpu : public testing::TestWithParam<KeyType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, CudaMergeSortGpu, testing::ValuesIn(kTypesOfAnyOrder),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(CudaMergeSortGpu, AgreesWithStableSortOnAllDistributions) {
  SORTIE_REQUIRE_GPU();
  expect_all_distributions_sorted<MergeSorter>(GetParam(), {0, 4, 8, 16},
                                               {0, 1, 2, 1023, 1024, 1025, 4095, 4096, 4097, 100'003});
}

/// Fewer items are left to the radix sort.
TEST(CudaMergeSortManyGpu, AgreesWithStableSort) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kItems = (std::uint64_t{1} << 23) + 4097;
  expect_sorted<MergeSorter>({KeyType::kFloat32, 0, Distribution::kUniform, kItems, Order::kDescending});
  expect_sorted<MergeSorter>({KeyType::kUint64, 4, Distribution::kZipf, kItems, Order::kAscending});
  expect_sorted<MergeSorter>({KeyType::kFloat32ByValue, 0, Distribution::kUniform, kItems, Order::kAscending});
  expect_sorted<MergeSorter>({KeyType::kFloat64ByValue, 8, Distribution::kZipf, kItems, Order::kDescending});
}

/// Records whose bytes have few values, so that many are equal in some fields.
Bytes make_records(std::uint64_t record_bytes, std::uint64_t count, unsigned byte_values) {
  Bytes bytes(record_bytes * count);
  std::mt19937_64 random(91);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() % byte_values * 37);
  return bytes;
}

/// Whether a record comes before another one.
using Before = std::function<bool(const std::byte*, const std::byte*)>;

/// Input and output begin `shift` bytes behind the start of their memory.
void expect_records_sorted(const Bytes& records, std::uint64_t record_bytes, std::span<const Field> fields,
                           const Before& before, std::size_t shift) {
  const std::uint64_t count = records.size() / record_bytes;
  SCOPED_TRACE(std::to_string(count) + " records of " + std::to_string(record_bytes) + ", shifted by " +
               std::to_string(shift));
  const CudaStream stream;
  const ItemArray items{record_bytes, records};
  Bytes shifted(shift);
  std::ranges::copy(items.bytes, std::back_inserter(shifted));
  const DeviceArray<std::byte> input(shifted, stream);
  const DeviceArray<std::byte> sorted(shift + records.size(), stream);
  const std::size_t scratch_bytes = merge_sort_records_scratch_bytes(count);
  const DeviceArray<std::byte> scratch(scratch_bytes, stream);
  expect_ok(merge_sort_records({input.data() + shift, record_bytes, count}, fields, sorted.data() + shift,
                               Scratch(scratch.data(), scratch_bytes), stream.handle()));
  std::vector<std::uint64_t> order(count);
  for (std::uint64_t i = 0; i < count; ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](std::uint64_t a, std::uint64_t b) { return before(items.at(a), items.at(b)); });
  Bytes written = sorted.download();
  EXPECT_TRUE(std::all_of(written.begin(), written.begin() + shift, [](std::byte byte) {
    return byte == std::byte{kPoison};
  })) << "something was written in front of the records";
  written.erase(written.begin(), written.begin() + shift);
  expect_same_items(gathered(items, order), written, "records");
  EXPECT_EQ(input.download(), shifted) << "the input has changed";
}

constexpr std::uint64_t kCounts[] = {0, 1, 2, 1023, 1025, 20'011};

TEST(CudaMergeSortRecordsGpu, OrderByBytesShortAndLong) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t record_bytes : {1, 7, 16, 100}) {
    for (const std::uint64_t length : {1, 5, 8, 10, 31}) {
      if (length > record_bytes) continue;
      const std::uint64_t offset = (record_bytes - length) / 2;
      const Field field{FieldKind::kBytes, ByteOrder::kBig, offset, length, false};
      for (const std::uint64_t count : kCounts) {
        const auto before = [&](const std::byte* a, const std::byte* b) {
          return std::memcmp(a + offset, b + offset, length) < 0;
        };
        for (const std::size_t shift : {0, 5}) {
          expect_records_sorted(make_records(record_bytes, count, 3), record_bytes, std::span(&field, 1), before,
                                shift);
        }
      }
    }
  }
}

TEST(CudaMergeSortRecordsGpu, OrderByFieldsOfSeveralKindsAndDirections) {
  SORTIE_REQUIRE_GPU();
  const std::vector<Field> fields = {{FieldKind::kSigned, ByteOrder::kLittle, 3, 2, true},
                                     {FieldKind::kBytes, ByteOrder::kBig, 10, 9, false},
                                     {FieldKind::kUnsigned, ByteOrder::kBig, 20, 4, true}};
  const auto before = [](const std::byte* a, const std::byte* b) {
    const auto number = [](const std::byte* record) {
      std::int16_t value;
      std::memcpy(&value, record + 3, 2);
      return value;
    };
    if (number(a) != number(b)) return number(a) > number(b);
    if (const int order = std::memcmp(a + 10, b + 10, 9); order != 0) return order < 0;
    return std::memcmp(a + 20, b + 20, 4) > 0;
  };
  for (const std::uint64_t count : kCounts) {
    expect_records_sorted(make_records(29, count, 2), 29, fields, before, 0);
    expect_records_sorted(make_records(32, count, 256), 32, fields, before, 4);
  }
}

/// No GPU is needed to refuse.
TEST(CudaMergeSortRecords, RefusesFieldsThatCannotBe) {
  std::byte record[64];
  std::byte sorted[64];
  StreamAllocator allocator;
  const auto code = [&](const std::vector<Field>& fields) {
    return merge_sort_records({record, 16, 4}, fields, sorted, allocator, nullptr).code();
  };
  EXPECT_EQ(code({}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({{FieldKind::kBytes, ByteOrder::kBig, 10, 7, false}}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({{FieldKind::kUnsigned, ByteOrder::kBig, 0, 3, false}}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({{FieldKind::kFloat, ByteOrder::kBig, 0, 1, false}}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(std::vector<Field>(33, {FieldKind::kUnsigned, ByteOrder::kBig, 0, 1, false})),
            StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace sortie::cuda

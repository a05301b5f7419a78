#include <sortie/argsort.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include "support/distributions.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

constexpr std::int64_t kUnset = -1;

template <class Number>
std::vector<std::int64_t> argsorted(const std::vector<Number>& numbers, const ArgsortOptions& options = {}) {
  std::vector<std::int64_t> indexes(numbers.size(), kUnset);
  argsort<Number>(numbers, indexes, options);
  return indexes;
}

template <class Number, class Less>
std::vector<std::int64_t> stable_order(const std::vector<Number>& numbers, const Less& less) {
  std::vector<std::int64_t> indexes(numbers.size());
  std::iota(indexes.begin(), indexes.end(), 0);
  std::ranges::stable_sort(indexes, less, [&](std::int64_t index) { return numbers[static_cast<std::size_t>(index)]; });
  return indexes;
}

TEST(Argsort, IsStableForAllDistributions) {
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    for (const std::uint64_t count : {0, 1, 2, 1000, 40'000}) {
      SCOPED_TRACE(std::string(to_string(distribution)) + ", " + std::to_string(count) + " numbers, seed 53");
      const auto wide = make_keys<std::uint64_t>(distribution, count, 53);
      EXPECT_EQ(argsorted(wide), stable_order(wide, std::less<>()));
      const auto narrow = make_keys<std::uint32_t>(distribution, count, 54);
      EXPECT_EQ(argsorted(narrow, {.descending = true, .threads = 3, .stop = {}}),
                stable_order(narrow, std::greater<>()));
    }
  }
}

// So few different ones that they are counted.
TEST(Argsort, IsStableForNumbersOfOneOrTwoBytes) {
  for (const std::uint64_t count : {0, 1, 2, 24, 25, 1000, 20'000, 1'500'000}) {
    const auto keys = make_keys<std::uint32_t>(Distribution::kUniform, count, 58);
    const std::vector<std::int8_t> bytes(keys.begin(), keys.end());
    EXPECT_EQ(argsorted(bytes), stable_order(bytes, std::less<>())) << count;
    const std::vector<std::uint16_t> words(keys.begin(), keys.end());
    EXPECT_EQ(argsorted(words), stable_order(words, std::less<>())) << count;
    EXPECT_EQ(argsorted(words, {.descending = true, .threads = 1, .stop = {}}), stable_order(words, std::greater<>()));
  }
}

TEST(Argsort, OrdersEachRowByItself) {
  for (const std::size_t length : {1, 3, 25, 5000, 50'000}) {
    const auto numbers = make_keys<std::uint32_t>(Distribution::kUniform, 3 * length, 59);
    std::vector<std::int64_t> indexes(numbers.size(), kUnset);
    argsort_bytes(std::as_bytes(std::span(numbers)), indexes, FieldKind::kUnsigned, 4, {}, length);
    for (std::size_t begin = 0; begin < numbers.size(); begin += length) {
      const std::span row = std::span(numbers).subspan(begin, length);
      const std::span order = std::span(indexes).subspan(begin, length);
      EXPECT_TRUE(std::ranges::equal(order, stable_order(std::vector(row.begin(), row.end()), std::less<>())));
    }
  }
}

Format fixed_records(std::uint64_t bytes, const std::vector<std::string>& fields) {
  Format format;
  format.kind = RecordKind::kFixed;
  format.record_bytes = bytes;
  for (const std::string& field : fields) format.fields.push_back(parse_field(field));
  return format;
}

TEST(Argsort, OrdersRecordsByTheirFields) {
  struct Record {
    std::uint16_t low;
    std::int16_t middle;
    std::uint64_t high;
  };
  const auto keys = make_keys<std::uint64_t>(Distribution::kUniform, 6000, 60);
  std::vector<Record> records;
  for (const std::uint64_t key : keys) {
    records.push_back({static_cast<std::uint16_t>(key % 7), static_cast<std::int16_t>(key / 7 % 5 - 2), key / 99 % 11});
  }
  const Format format = fixed_records(sizeof(Record), {"u64@8", "i16@2:desc", "u16@0"});
  const auto key_of = [](const Record& record) { return std::tuple(record.high, -record.middle, record.low); };
  const auto less = [&](const Record& a, const Record& b) { return key_of(a) < key_of(b); };
  std::vector<std::int64_t> indexes(records.size(), kUnset);
  argsort_records(std::as_bytes(std::span(records)), indexes, format, {});
  EXPECT_EQ(indexes, stable_order(records, less));
  argsort_records(std::as_bytes(std::span(records)), indexes, format, {}, 2000);
  EXPECT_EQ(std::vector(indexes.begin() + 4000, indexes.end()),
            stable_order(std::vector(records.begin() + 4000, records.end()), less));
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_THROW(argsort_records(std::as_bytes(std::span(records)), indexes, format,
                               {.descending = false, .threads = 1, .stop = stopped.get_token()}),
               Stopped);
}

TEST(Argsort, RefusesOtherRecordsThanThereAreIndexesFor) {
  const std::vector<std::byte> bytes(40);
  std::vector<std::int64_t> indexes(10);
  EXPECT_NO_THROW(argsort_records(bytes, indexes, fixed_records(4, {}), {}));
  EXPECT_THROW(argsort_records(bytes, indexes, fixed_records(8, {}), {}), Error);
  EXPECT_THROW(argsort_records(bytes, indexes, fixed_records(3, {}), {}), Error);
  EXPECT_THROW(argsort_records(bytes, indexes, fixed_records(4, {}), {}, 3), Error);
  EXPECT_THROW(argsort_records(bytes, indexes, Format{}, {}), Error);
}

// Most numbers lie so close together that no bucket of a scatter tells them apart, and words of 64 bits have no room
// for their bits beside their positions.
TEST(Argsort, OrdersNumbersThatDifferInTheirLastBits) {
  std::vector<std::uint64_t> numbers = make_keys<std::uint64_t>(Distribution::kUniform, 300'000, 55);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i % 1000 != 0) numbers[i] = (std::uint64_t{1} << 63) + numbers[i] % 5000;
  }
  EXPECT_EQ(argsorted(numbers), stable_order(numbers, std::less<>()));
}

// So many indexes are scattered past the caches.
TEST(Argsort, IsStableForManyNumbers) {
  const auto numbers = make_keys<std::uint32_t>(Distribution::kUniform, 2'200'003, 56);
  EXPECT_EQ(argsorted(numbers), stable_order(numbers, std::less<>()));
}

// All samples, which are every 1098th number here, are in other buckets than the rest, which is in one.
TEST(Argsort, SortsABucketThatSamplesDidNotExpect) {
  constexpr std::size_t kCount = 4'500'000;
  std::vector<std::uint64_t> numbers = make_keys<std::uint64_t>(Distribution::kUniform, kCount, 57);
  for (std::size_t i = 0; i < kCount; ++i) {
    if (i % (kCount / 4096) != 0) numbers[i] = (std::uint64_t{77} << 56) + (numbers[i] >> 24);
  }
  EXPECT_EQ(argsorted(numbers), stable_order(numbers, std::less<>()));
}

TEST(Argsort, FloatsAreInTotalOrder) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> numbers = {nan, 1.5, 0.0, -0.0, -infinity, std::copysign(nan, -1.0), infinity, -1.5};
  EXPECT_EQ(argsorted(numbers), (std::vector<std::int64_t>{5, 4, 7, 3, 2, 1, 6, 0}));
}

TEST(Argsort, RefusesWhatDoesNotSuit) {
  const std::vector<float> numbers(3);
  std::vector<std::int64_t> indexes(2);
  EXPECT_THROW(argsort<float>(numbers, indexes), Error);
  std::vector<std::int64_t> both(3);
  EXPECT_THROW(argsort<std::int64_t>(both, both), Error);
  std::vector<std::int64_t> others(3);
  const auto bytes = std::as_bytes(std::span(others));
  EXPECT_NO_THROW(argsort_bytes(bytes, both, FieldKind::kSigned, 8, {}, 1));
  EXPECT_THROW(argsort_bytes(bytes, both, FieldKind::kSigned, 8, {}, 2), Error);
  EXPECT_THROW(argsort_bytes(bytes.first(9), both, FieldKind::kSigned, 3, {}), Error);
  EXPECT_THROW(argsort_bytes(bytes.first(3), both, FieldKind::kFloat, 1, {}), Error);
  EXPECT_THROW(argsort_bytes(bytes, both, FieldKind::kBytes, 8, {}), Error);
}

TEST(Argsort, EndsWhenItIsStopped) {
  const std::vector<std::uint64_t> numbers = make_keys<std::uint64_t>(Distribution::kUniform, 100'000, 57);
  std::vector<std::int64_t> indexes(numbers.size());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(argsort<std::uint64_t>(numbers, indexes, {.descending = false, .threads = 0, .stop = stop.get_token()}),
               Stopped);
}

}  // namespace
}  // namespace sortie

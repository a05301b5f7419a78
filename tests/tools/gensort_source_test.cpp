// gensort's bytes: published checksums, the layout of a record, and equality of any range with the whole.
#include <gtest/gtest.h>

#include <sortie/error.hpp>

#include "tools/common/record_checksum.hpp"
#include "tools/gen/record_source.hpp"

namespace sortie::tools {
namespace {

constexpr std::size_t kRecordBytes = 100;

std::string published_checksum(bool ascii, std::uint64_t record_count) {
  const auto source = make_record_source({.ascii = ascii, .record_count = record_count});
  std::uint64_t bytes = 0;
  const auto count_bytes = [&](std::span<const std::byte> part) { bytes += part.size(); };
  const Checksum checksum = generate_records(*source, record_count, 2, true, count_bytes);
  EXPECT_EQ(bytes, record_count * kRecordBytes);
  return checksum_to_hex(checksum);
}

std::string records(const DataSet& data_set, std::uint64_t begin, std::uint64_t count) {
  std::string text = "poison";
  make_record_source(data_set)->generate(begin, count, text);
  return text;
}

TEST(GensortSource, PublishedChecksumsOfBinaryRecords) {
  EXPECT_EQ(published_checksum(false, 1000), "1ea6370b955");
  EXPECT_EQ(published_checksum(false, 1'000'000), "7a0e0d4868cd4");
}

TEST(GensortSource, PublishedChecksumsOfAsciiRecords) {
  EXPECT_EQ(published_checksum(true, 1000), "1f5dfb3631a");
  EXPECT_EQ(published_checksum(true, 1'000'000), "7a19cff467438");
}

TEST(GensortSource, BinaryRecordBeginsWithTheTopOfTheFirstNumber) {
  const std::string record = records({.record_count = 1}, 0, 1);
  EXPECT_EQ(record.substr(0, 10), "JimGrayRIP");
}

TEST(GensortSource, AsciiRecordHasItsNumberInHexadecimal) {
  const std::string record = records({.ascii = true, .first_record = make_uint128(0xA, 0xBC), .record_count = 1}, 0, 1);
  EXPECT_EQ(record.substr(10, 36), "  000000000000000A00000000000000BC  ");
  EXPECT_EQ(record.substr(98), "\r\n");
}

class GensortRanges : public testing::TestWithParam<std::tuple<bool, Distribution>> {};

TEST_P(GensortRanges, AnyRangeEqualsTheWhole) {
  const auto [ascii, distribution] = GetParam();
  const DataSet data_set{.ascii = ascii, .record_count = 5000, .distribution = distribution, .seed = 3};
  const std::string whole = records(data_set, 0, 5000);
  for (const auto& [begin, count] : {std::pair{0, 1}, {1, 1023}, {1024, 1025}, {777, 3000}, {4999, 1}, {17, 0}}) {
    EXPECT_EQ(records(data_set, begin, count), whole.substr(begin * kRecordBytes, count * kRecordBytes)) << begin;
  }
}

INSTANTIATE_TEST_SUITE_P(All, GensortRanges,
                         testing::Combine(testing::Bool(),
                                          testing::Values(Distribution::kUniform, Distribution::kZipf,
                                                          Distribution::kPrefix, Distribution::kSorted)));

TEST(GensortSource, FirstRecordShiftsUniformData) {
  const DataSet from_zero{.record_count = 300};
  const DataSet from_hundred{.first_record = 100, .record_count = 200};
  EXPECT_EQ(records(from_hundred, 0, 200), records(from_zero, 100, 200));
}

TEST(GensortSource, OtherDistributionsChangeTheKeyAlone) {
  const std::string standard = records({.record_count = 100}, 0, 100);
  const std::string constant = records({.record_count = 100, .distribution = Distribution::kConstant}, 0, 100);
  for (std::size_t at = 0; at < standard.size(); at += kRecordBytes) {
    EXPECT_EQ(constant.substr(at, 10), constant.substr(0, 10));
    EXPECT_EQ(constant.substr(at + 10, 90), standard.substr(at + 10, 90));
  }
}

TEST(GensortSource, SeedMakesOtherData) {
  EXPECT_NE(records({.record_count = 1, .seed = 1}, 0, 1), records({.record_count = 1}, 0, 1));
}

TEST(GenOptions, RecordNumbersHaveUpTo128Bits) {
  EXPECT_TRUE(parse_record_number("340282366920938463463374607431768211455") == ~Uint128{0});
  EXPECT_THROW(parse_record_number("340282366920938463463374607431768211456"), Error);
  EXPECT_THROW(parse_record_number("0x10"), Error);
  EXPECT_THROW(parse_record_number(""), Error);
  EXPECT_THROW(parse_record_number("-1"), Error);
}

}  // namespace
}  // namespace sortie::tools

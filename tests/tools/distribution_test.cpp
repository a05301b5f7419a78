// Every kind of record under every distribution. Keys are distributed as promised, and the bytes are the same for any
// number of threads and any cut of the data set.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <sortie/error.hpp>
#include <sortie/format.hpp>

#include "record/record_order.hpp"
#include "record/record_scan.hpp"
#include "tools/gen/key_distribution.hpp"
#include "tools/gen/record_source.hpp"

namespace sortie::tools {
namespace {

constexpr std::uint64_t kRecords = 20'000;
constexpr std::size_t kWholeKey = 1 << 20;

std::string generate(const DataSet& data_set, unsigned threads) {
  std::string bytes;
  const auto append = [&](std::span<const std::byte> part) {
    bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
  };
  generate_records(*make_record_source(data_set), data_set.record_count, threads, false, append);
  return bytes;
}

Format format_of(const std::string& kind) { return parse_format(kind == "log" || kind == "letters" ? "lines" : kind); }

std::vector<Record> split(const RecordOrder& order, const std::string& bytes) {
  std::vector<Record> records;
  const auto all = std::as_bytes(std::span(bytes));
  for (std::size_t at = 0; at < all.size();) {
    const std::uint64_t length = stored_length(order.layout(), all.data() + at, all.data() + all.size());
    records.push_back(all.subspan(at, length));
    at += length;
  }
  return records;
}

std::string key_text(const RecordOrder& order, Record record, std::size_t limit) {
  const std::vector<std::byte> key = order.normalised_key(record, limit);
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}

class EveryKind : public testing::TestWithParam<const char*> {
 protected:
  DataSet data_set(Distribution distribution) const {
    return {.kind = GetParam(), .record_count = kRecords, .distribution = distribution, .seed = 11};
  }

  /// The number of records with each key.
  std::vector<std::uint64_t> key_counts(Distribution distribution) const {
    const RecordOrder order(format_of(GetParam()));
    const std::string bytes = generate(data_set(distribution), 2);
    std::map<std::string, std::uint64_t> counts;
    for (const Record record : split(order, bytes)) ++counts[key_text(order, record, kWholeKey)];
    std::vector<std::uint64_t> sorted;
    for (const auto& [key, count] : counts) sorted.push_back(count);
    std::sort(sorted.rbegin(), sorted.rend());
    return sorted;
  }
};

/// All kinds but log lines, whose beginnings follow the distribution while their whole lines differ.
class KeyedKind : public EveryKind {};

TEST_P(EveryKind, HasTheNumberOfRecordsAskedFor) {
  const RecordOrder order(format_of(GetParam()));
  const std::string bytes = generate(data_set(Distribution::kUniform), 2);
  EXPECT_EQ(count_records(order.layout(), std::as_bytes(std::span(bytes))), kRecords);
}

TEST_P(EveryKind, ThreadsDoNotChangeTheBytes) {
  for (const auto distribution : {Distribution::kUniform, Distribution::kZipf, Distribution::kReversed}) {
    DataSet large = data_set(distribution);
    large.record_count = 1'500'000 / make_record_source(large)->typical_record_bytes() * 4;
    EXPECT_EQ(generate(large, 1), generate(large, 5));
  }
}

TEST_P(EveryKind, SortedAndReversedAreInOrder) {
  const RecordOrder order(format_of(GetParam()));
  for (const auto distribution : {Distribution::kSorted, Distribution::kReversed}) {
    const std::string bytes = generate(data_set(distribution), 2);
    const std::vector<Record> records = split(order, bytes);
    const int wrong = distribution == Distribution::kSorted ? 1 : -1;
    for (std::size_t i = 1; i < records.size(); ++i) {
      ASSERT_NE(order.compare(records[i - 1], records[i]) * wrong > 0, true) << "record " << i;
    }
    ASSERT_NE(order.compare(records.front(), records.back()), 0);
  }
}

TEST_P(KeyedKind, NearlySortedHasFewStrays) {
  const RecordOrder order(format_of(GetParam()));
  const std::string bytes = generate(data_set(Distribution::kNearly), 2);
  const std::vector<Record> records = split(order, bytes);
  std::uint64_t falls = 0;
  for (std::size_t i = 1; i < records.size(); ++i) falls += order.compare(records[i - 1], records[i]) > 0 ? 1 : 0;
  EXPECT_GT(falls, kRecords / 200);
  EXPECT_LT(falls, kRecords / 50);
}

TEST_P(KeyedKind, FewMakesSixteenKeys) { EXPECT_EQ(key_counts(Distribution::kFew).size(), 16); }

TEST_P(KeyedKind, ConstantMakesOneKey) { EXPECT_EQ(key_counts(Distribution::kConstant).size(), 1); }

TEST_P(KeyedKind, ZipfMakesFewKeysVeryFrequent) {
  const std::vector<std::uint64_t> counts = key_counts(Distribution::kZipf);
  EXPECT_GT(counts.size(), kRecords / 10);
  EXPECT_GT(counts.front(), kRecords / 25);
  EXPECT_GT(counts.front(), 5 * counts.at(20));
}

TEST_P(EveryKind, PrefixMakesDifferentKeysThatBeginAlike) {
  const RecordOrder order(format_of(GetParam()));
  const std::string bytes = generate(data_set(Distribution::kPrefix), 2);
  std::set<std::string> beginnings;
  for (const Record record : split(order, bytes)) beginnings.insert(key_text(order, record, 2));
  EXPECT_LE(beginnings.size(), 32);  // a float's shared beginning may lie on either side of a power of two
  EXPECT_GT(key_counts(Distribution::kPrefix).size(), 16 * 100);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind,
                         testing::Values("gensort", "lines", "letters", "log", "u32", "i32", "u64", "i64", "f32",
                                         "f64"));
INSTANTIATE_TEST_SUITE_P(Kinds, KeyedKind,
                         testing::Values("gensort", "lines", "letters", "u32", "i32", "u64", "i64", "f32", "f64"));

TEST(KeyDistribution, OrderedCodesSpanTheWholeRange) {
  const KeyDistribution keys(Distribution::kSorted, 0, 1000, 0);
  std::vector<std::uint64_t> codes(1000);
  keys.fill(0, codes);
  EXPECT_LT(codes.front(), ~std::uint64_t{0} / 1000);
  EXPECT_GT(codes.back(), ~std::uint64_t{0} / 1001 * 999);
}

TEST(KeyDistribution, UnknownWordIsRefusedWithTheKnownOnes) {
  try {
    parse_distribution("normal");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "unknown distribution 'normal'; known: uniform, zipf, few, prefix, sorted, reversed, nearly, "
                 "constant");
  }
}

TEST(RecordSource, UnknownKindIsRefused) { EXPECT_THROW(make_record_source({.kind = "u16"}), Error); }

TEST(RecordSource, AsciiIsForGensortRecords) {
  EXPECT_THROW(make_record_source({.kind = "u32", .ascii = true}), Error);
}

}  // namespace
}  // namespace sortie::tools

// Chunks of every format and distribution against std::stable_sort. Entries are made and scattered out piece by piece,
// parts are made bucket by bucket.
#include "entries/part_maker.hpp"

#include <gtest/gtest.h>

#include "entries/chunk_sorting.hpp"
#include "record/record_scan.hpp"
#include "support/record_data.hpp"
#include "support/turns.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

void expect_sorted(const Format& format, const std::string& bytes, const ChunkMemory& memory = {}) {
  // Not EXPECT_EQ: it would print megabytes.
  EXPECT_TRUE(sorted_chunk(format, bytes, memory) == stable_sorted(format, bytes));
}

std::vector<NamedFormat> formats() {
  std::vector<NamedFormat> all = common_formats();
  all.push_back({"WholeRecord", parsed("fixed:9")});
  all.push_back({"OneByte", parsed("fixed:1")});
  all.push_back({"KeyWithinPrefix", parsed("fixed:12", {"u32be@4:desc"})});
  all.push_back({"SeveralFields", parsed("fixed:40", {"u8@0", "i16be@1:desc", "bytes@7:11", "f64@20", "i32@30:desc"})});
  all.push_back({"LongKey", parsed("fixed:64", {"bytes@2:60:desc"})});
  return all;
}

class ChunkSort : public testing::TestWithParam<NamedFormat> {};

TEST_P(ChunkSort, AgreesWithStableSortOnEveryDistribution) {
  const Format& format = GetParam().format;
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    for (const std::size_t count : {1, 2, 13, 4096, 4097, 30'000}) {
      SCOPED_TRACE(to_string(distribution) + ", " + std::to_string(count) + " records");
      expect_sorted(format, make_records(format, distribution, count));
    }
  }
}

TEST_P(ChunkSort, DealsBucketsAgainThatAreTooLargeForItsMemory) {
  const Format& format = GetParam().format;
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    SCOPED_TRACE(to_string(distribution));
    const std::string bytes = make_records(format, distribution, 8'000);
    expect_sorted(format, bytes, {20'000, 1000, 50});
    expect_sorted(format, bytes.substr(0, first_records(layout_of(format), as_bytes(bytes), 500)),
                  {~std::size_t{0}, 1, 100});  // parts of one record each
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, ChunkSort, testing::ValuesIn(formats()),
                         [](const auto& chosen) { return chosen.param.name; });

TEST(ChunkSortEdges, NoRecordsAreSortedAlready) { EXPECT_EQ(sorted_chunk(parsed("lines"), ""), ""); }

TEST(ChunkSortEdges, DoesNotDependOnTheNumberOfThreads) {
  const Format format = parsed("gensort");
  const std::string bytes = make_records(format, Distribution::kZipf, 20'000);
  const std::string expected = stable_sorted(format, bytes);
  for (const int threads : {1, 2, 7}) {
    with_threads(threads, [&] { EXPECT_TRUE(sorted_chunk(format, bytes) == expected) << threads << " threads"; });
  }
}

TEST(ChunkSortLines, TellPaddingFromContents) {
  expect_sorted(parsed("lines"), lines_of_extreme_bytes(20'000));
  expect_sorted(parsed("lines", {}, true), lines_of_extreme_bytes(20'000));
}

TEST(ChunkSortLines, SkipTheWordsThatAllHaveInCommon) {
  for (const std::size_t prefix_bytes : {7, 8, 9, 16, 63, 300}) {
    SCOPED_TRACE(prefix_bytes);
    expect_sorted(parsed("lines"), lines_with_prefix(10'000, prefix_bytes));
    expect_sorted(parsed("lines", {}, true), lines_with_prefix(10'000, prefix_bytes));
  }
}

TEST(ChunkSortLines, DoNotSkipWordsThatOnlyTheSampleHasInCommon) {
  std::string bytes = lines_with_prefix(20'000, 40);
  bytes += std::string(39, 'p') + "\n" + std::string(20, 'p') + "\n\n" + std::string(41, 'o') + "\n";
  expect_sorted(parsed("lines"), bytes);
}

TEST(ChunkSortLines, OrderThoseThatBeginOthers) {
  expect_sorted(parsed("lines"), lines_of_one_letter(10'000, 500));
  expect_sorted(parsed("lines", {}, true), lines_of_one_letter(10'000, 500));
}

TEST(ChunkSortLines, AreSortedInPiecesThatLookDifferent) {
  // The splitters come from the first piece, which does not resemble the others.
  std::string bytes = lines_with_prefix(5'000, 3);
  for (int i = 0; i < 50'000; ++i) bytes += "z" + std::to_string(i * 7919 % 50'000) + "\n";
  expect_sorted(parsed("lines"), bytes, {60'000, 5'000, 300});
  expect_sorted(parsed("lines", {}, true), bytes, {60'000, 5'000, 300});
}

TEST(ChunkSortLines, OfOneLetterNeedManyDealsInLittleMemory) {
  expect_sorted(parsed("lines"), lines_of_one_letter(4'000, 2'000), {~std::size_t{0}, 3'000, 20});
}

TEST(ChunkSortLines, OrderEmptyOnes) {
  expect_sorted(parsed("lines"), "\n");
  expect_sorted(parsed("lines"), std::string(50'000, '\n'));
  expect_sorted(parsed("lines"), "b\n\n\na\n\n");
}

TEST(ChunkSortLines, FindTheLengthOfThoseTooLongForTheEntry) {
  const std::string longest(kLongRecord + 5, 'x');
  const std::string edge(kLongRecord - 1, 'x');  // its delimiter makes it as long as the mark for "longer"
  expect_sorted(parsed("lines"), "y\n" + longest + "\n" + edge + "\na\n" + longest + "a\n");
}

TEST(ChunkSortLines, AreNotSlowedDownByOneLongLineAmongShortOnes) {
  // Sampling used to search for the end of the long line from thousands of positions in it.
  std::string bytes((64 << 20) / test::turn_step(), 'x');
  bytes += '\n';
  for (int i = 0; i < 200'000; ++i) bytes += std::to_string(i * 7919 % 200'000) + "\n";
  expect_sorted(parsed("lines"), bytes);
}

}  // namespace
}  // namespace sortie

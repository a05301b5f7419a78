#include "pipeline/top/top_records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/input/keyed_reader.hpp"
#include "pipeline/input/record_reader_support.hpp"
#include "pipeline/keyed_lines.hpp"
#include "record/record_scan.hpp"
#include "support/turns.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr std::size_t kAmpleMemory = 64 << 20;

struct Case {
  Format format;
  std::uint64_t wanted = 10;
  TopCounts counts = TopCounts::kRecords;
  std::size_t memory_bytes = kAmpleMemory;
  std::size_t piece_bytes = 64 << 10;
  std::uint64_t piece_records = ~std::uint64_t{0};
};

struct Passed {
  std::string records;
  RecordTotals dropped;
  RecordTotals input;
};

/// Reads the output of `top` piece by piece. Doubles a piece that is too small.
std::string read_all(PieceSource& top, const Case& wish) {
  std::string all;
  std::vector<std::byte> buffer(wish.piece_bytes);
  while (true) {
    const PieceSource::Piece piece = top.read(buffer, wish.piece_records);
    if (piece.status == PieceSource::Status::kEnd) break;
    if (piece.status == PieceSource::Status::kTooSmall) {
      buffer.resize(2 * buffer.size());
      continue;
    }
    EXPECT_LE(piece.records, wish.piece_records);
    all += as_text(std::span(buffer).first(piece.bytes));
  }
  EXPECT_TRUE(top.at_end());
  return all;
}

Passed select(const Case& wish, const std::vector<std::string>& contents) {
  const TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  SilentObserver observer;
  const RecordCodec codec = RecordCodec::plain(wish.format);
  RecordReader reader = reader_of(*files, write_inputs(directory, contents), wish.format, observer);
  TopRecords top(reader, codec, {wish.wanted, wish.counts, true, wish.memory_bytes}, observer);
  Passed passed;
  passed.records = read_all(top, wish);
  passed.input = reader.totals();
  passed.dropped = top.dropped(passed.input);
  return passed;
}

/// The first `count` records in order.
std::string first_of(const Format& format, const std::string& sorted, std::uint64_t count) {
  return sorted.substr(0, first_records(layout_of(format), as_bytes(sorted), count));
}

/// The number of records passed on does not matter, as long as the first N are the right ones, in input order.
std::uint64_t expect_first_passed(const Case& wish, const std::string& bytes) {
  const Passed passed = select(wish, {bytes});
  const bool distinct = wish.counts != TopCounts::kRecords;
  const std::string expected = first_of(wish.format, stable_sorted(wish.format, bytes, distinct), wish.wanted);
  const std::string actual = stable_sorted(wish.format, passed.records, distinct);
  EXPECT_TRUE(first_of(wish.format, actual, wish.wanted) == expected);
  RecordTotals all = totals_of(wish.format, as_bytes(passed.records), true);
  EXPECT_EQ(all += passed.dropped, passed.input);
  return count_records(layout_of(wish.format), as_bytes(passed.records));
}

TEST(TopRecords, PassesOnTheFirstOfEveryFormatAndDistribution) {
  const Format formats[] = {parsed("lines"),         parsed("lines", {}, true),
                            parsed("u32"),           parsed("f64", {}, true),
                            parsed("i32", {}, true), parsed("fixed:12", {"u8@0"}),
                            parsed("gensort"),       parsed("fixed:20", {"u16be@2:desc", "bytes@4:9"})};
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    SCOPED_TRACE(to_string(distribution));
    for (const Format& format : formats) {
      SCOPED_TRACE(to_string(format));
      const std::string bytes = make_records(format, distribution, 5000);
      for (const std::uint64_t wanted : {1, 2, 100, 1025, 4999, 5000, 5001, 1'000'000}) {
        EXPECT_EQ(expect_first_passed({format, wanted}, bytes), std::min<std::uint64_t>(wanted, 5000));
      }
    }
  }
}

TEST(TopRecords, PassesOnTheFirstOfDistinctKeys) {
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    SCOPED_TRACE(to_string(distribution));
    for (const Format& format : {parsed("lines"), parsed("u64"), parsed("fixed:12", {"u16@0"})}) {
      const std::string bytes = make_records(format, distribution, 5000);
      for (const std::uint64_t wanted : {1, 1000, 5000}) {
        const std::uint64_t passed = expect_first_passed({format, wanted, TopCounts::kKeysFirst}, bytes);
        EXPECT_LE(passed, wanted);
        expect_first_passed({format, wanted, TopCounts::kKeysWithEqual}, bytes);
      }
    }
  }
}

TEST(TopRecords, KeepsAllRecordsWithTheFirstKeysOrTheLastOfEach) {
  const Format format = parsed("fixed:12", {"u8@0"});
  const Layout layout = layout_of(format);
  const std::string bytes = make_records(format, Distribution::kUniform, 20'000);
  std::string with_equal;
  std::string last;
  std::string_view before;
  const std::string sorted = stable_sorted(format, bytes);
  std::uint64_t keys = 0;
  for (const std::string_view record : records_of(layout, sorted)) {
    const bool same = !before.empty() && before[0] == record[0];
    keys += same ? 0 : 1;
    if (keys > 5) break;
    with_equal += record;
    if (same) last.resize(last.size() - 12);
    last += record;
    before = record;
  }
  const Passed all = select({format, 5, TopCounts::kKeysWithEqual}, {bytes});
  EXPECT_TRUE(stable_sorted(format, all.records) == with_equal);
  const Passed one = select({format, 5, TopCounts::kKeysLast}, {bytes});
  EXPECT_TRUE(stable_sorted(format, one.records) == last);
}

TEST(TopRecords, FindsThemInParallelRanges) {
  with_threads(4, [] {
    for (const Distribution distribution : test::turns_of(kAllDistributions)) {
      SCOPED_TRACE(to_string(distribution));
      for (const Format& format :
           test::turns_of({parsed("lines"), parsed("u32", {}, true), parsed("fixed:12", {"u16@0"})})) {
        const std::string bytes = make_records(format, distribution, 100'000);
        for (const std::uint64_t wanted : {100, 20'000}) {
          Case wish{format, wanted};
          wish.piece_bytes = 2 << 20;
          expect_first_passed(wish, bytes);
          wish.counts = TopCounts::kKeysFirst;
          expect_first_passed(wish, bytes);
        }
      }
    }
  });
}

TEST(TopRecords, PassesEverythingOnWhenTheFirstDoNotFit) {
  const Format format = parsed("fixed:12", {"u8@0"});
  const std::string bytes = make_records(format, Distribution::kUniform, 20'000);
  for (const std::size_t memory_bytes : test::turns_of({16U, 1000U, 20'000U, 100'000U, 200'000U, 400'000U, 600'000U})) {
    SCOPED_TRACE(memory_bytes);
    for (const TopCounts counts : {TopCounts::kRecords, TopCounts::kKeysFirst, TopCounts::kKeysWithEqual}) {
      Case wish{format, 9000, counts, memory_bytes};
      const std::uint64_t passed = expect_first_passed(wish, bytes);
      const bool fit = counts == TopCounts::kKeysFirst || memory_bytes >= 400'000;
      EXPECT_EQ(passed < 20'000, fit && counts != TopCounts::kKeysWithEqual && memory_bytes > 16);
      wish.piece_records = 7;
      wish.piece_bytes = 100;
      expect_first_passed(wish, bytes);
    }
  }
}

TEST(TopRecords, NeedsLittleMemoryForManyRecordsOfFewKeys) {
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += "key " + std::to_string(i * 7 % 16) + '\n';
  const Case wish{parsed("lines"), 1000, TopCounts::kKeysFirst, 100'000};
  EXPECT_EQ(expect_first_passed(wish, bytes), 16U);
}

TEST(TopRecords, PassesLinesOnInInputOrder) {
  const Passed passed = select({parsed("lines"), 3}, {"d\nb\n", "", "a\nc\nb", "e\n"});
  EXPECT_EQ(passed.records, "b\na\nb\n");
  EXPECT_EQ(passed.dropped.records, 3U);
  EXPECT_EQ(passed.dropped.bytes, 6U);
  EXPECT_EQ(select({parsed("lines"), 3}, {"", ""}).records, "");
}

TEST(TopRecords, TakesLongLines) {
  const std::string a(300'000, 'a');
  const std::string b(500'000, 'b');
  const std::vector<std::string> contents = {b + '\n' + "c\n" + a + '\n', "d\n"};
  for (const std::size_t memory_bytes : {1000U, 300'000U, 1'000'000U, 4'000'000U}) {
    SCOPED_TRACE(memory_bytes);
    Case wish{parsed("lines"), 2, TopCounts::kRecords, memory_bytes, 1000};
    const std::string sorted = stable_sorted(wish.format, select(wish, contents).records);
    EXPECT_TRUE(first_of(wish.format, sorted, 2) == a + '\n' + b + '\n');
  }
}

TEST(TopRecords, FindsTheFirstOfDecoratedLines) {
  const std::string bytes = lines_with_fields(20'000);
  const TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  SilentObserver observer;
  for (const TopCounts counts : {TopCounts::kRecords, TopCounts::kKeysFirst, TopCounts::kKeysWithEqual}) {
    const LineOrder line_order = {{{1, true, true}, {0}}, false, counts != TopCounts::kRecords};
    const Format format = format_of(line_order);
    const RecordCodec codec(format, line_order.unique);
    for (const std::size_t memory_bytes : {kAmpleMemory, std::size_t{50'000}}) {
      RecordReader lines = reader_of(*files, write_inputs(directory, {bytes}), format, observer);
      const auto source = sortable(not_owned(lines), codec, {1 << 20, 1 << 20}, observer, {}, false);
      TopRecords top(*source, codec, {500, counts, true, memory_bytes}, observer);
      std::string passed;
      const std::string encoded_lines = read_all(top, {format});
      for (const std::string_view line : records_of(codec.order().layout(), encoded_lines)) {
        passed += as_text(codec.decode(as_bytes(line)));
      }
      const std::string expected = first_of(format, sorted_lines(line_order, bytes), 500);
      EXPECT_TRUE(first_of(format, sorted_lines(line_order, passed), 500) == expected);
      RecordTotals all = totals_of(format, as_bytes(passed), true);
      EXPECT_EQ(all += top.dropped(lines.totals()), lines.totals());
    }
  }
}

TEST(TopRecords, TellsOfBadInput) {
  const Format format = parsed("u32");
  EXPECT_THAT(error_of([&] { select({format, 3}, {"123456"}); }), testing::HasSubstr("stray tail"));
}

}  // namespace
}  // namespace sortie

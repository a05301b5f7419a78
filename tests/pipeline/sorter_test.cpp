#include <sortie/sorter.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <thread>

#include <sortie/sort.hpp>

#include "pipeline/pipeline_support.hpp"
#include "pipeline/record_stream_support.hpp"

namespace sortie {
namespace {

using SorterTest = test::RecordStreamTest;
using test::numbered_lines;
using test::sink_to;
using test::sorted_lines;

std::string pull_all(Sorter& sorter) {
  std::string text;
  for (auto part = sorter.pull(); !part.empty(); part = sorter.pull()) sink_to(text)(part);
  return text;
}

TEST_F(SorterTest, GivesBackInOrderWhatIsPushed) {
  const std::string lines = numbered_lines(300'000);
  for (const std::size_t piece : {std::size_t{11}, std::size_t{3'000'000}}) {
    options_.memory_bytes = 1 << 20;
    Sorter sorter(options_);
    for (std::size_t at = 0; at < lines.size(); at += piece) {
      sorter.push(std::as_bytes(std::span(lines).subspan(at, std::min(piece, lines.size() - at))));
    }
    EXPECT_TRUE(pull_all(sorter) == sorted_lines(300'000)) << piece;
    EXPECT_EQ(sorter.report().output_records, 300'000u);
  }
  EXPECT_TRUE(is_empty());
}

TEST_F(SorterTest, GuessesOfHowMuchComesMayBeFarOff) {
  const std::string lines = numbered_lines(300'000);
  for (const std::uint64_t guess : {std::uint64_t{1}, std::uint64_t{100'000}, std::uint64_t{1} << 40}) {
    options_.memory_bytes = 1 << 20;
    options_.source_bytes = guess;
    Sorter sorter(options_);
    sorter.push(std::as_bytes(std::span(lines)));
    EXPECT_TRUE(pull_all(sorter) == sorted_lines(300'000)) << guess;
  }
  EXPECT_TRUE(is_empty());
}

TEST_F(SorterTest, NothingPushedIsNothingPulled) {
  Sorter sorter(options_);
  EXPECT_TRUE(sorter.pull().empty());
  EXPECT_EQ(sorter.report().output_records, 0u);
}

TEST_F(SorterTest, MayBeGivenUpAtAnyTime) {
  options_.memory_bytes = 256 << 10;
  const std::string lines = numbered_lines(100'000);
  { const Sorter never_used(options_); }
  {
    Sorter pushed(options_);
    pushed.push(std::as_bytes(std::span(lines)));
  }
  {
    Sorter begun(options_);
    begun.push(std::as_bytes(std::span(lines)));
    EXPECT_FALSE(begun.pull().empty());
  }
  EXPECT_TRUE(is_empty());
}

TEST_F(SorterTest, TellsWhatWentWrong) {
  options_.format = parse_format("u64");
  Sorter sorter(options_);
  sorter.push(std::as_bytes(std::span("12345")));
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(sorter.pull(), Error);
    EXPECT_THAT(test::error_of([&] { sorter.push({}); }), testing::HasSubstr("6 bytes"));
  }
  options_.inputs = {"in"};
  EXPECT_THAT(test::error_of([&] { Sorter refused(options_); }), testing::HasSubstr("name no inputs"));
}

TEST_F(SorterTest, IsStoppedByItsOptions) {
  std::stop_source stop;
  options_.stop = stop.get_token();
  Sorter sorter(options_);
  sorter.push(std::as_bytes(std::span("b\na\n", 4)));
  std::string first;
  const std::span<const std::byte> part = sorter.pull();
  stop.request_stop();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  sink_to(first)(part);  // still there
  EXPECT_EQ(first, "a\nb\n");
  EXPECT_THROW(pull_all(sorter), Stopped);
  EXPECT_THROW(sorter.push({}), Stopped);
}

// The sort may be done before the program asks for its first records, or only then.
TEST_F(SorterTest, GivesFewRecordsHoweverFastTheSortIs) {
  for (int i = 0; i < 300; ++i) {
    Sorter sorter(options_);
    sorter.push(std::as_bytes(std::span("b\na\n", 4)));
    ASSERT_EQ(pull_all(sorter), "a\nb\n") << i;
  }
}

TEST_F(SorterTest, RefusesWhatItCannotDo) {
  {
    Sorter pulled(options_);
    EXPECT_TRUE(pulled.pull().empty());
    EXPECT_THAT(test::error_of([&] { pulled.push(std::as_bytes(std::span("a\n", 2))); }), testing::HasSubstr("before"));
  }
  options_.merge_only = true;
  EXPECT_THAT(test::error_of([&] { Sorter refused(options_); }), testing::HasSubstr("a merge gives"));
}

TEST_F(SorterTest, SeveralWorkSideBySide) {
  options_.memory_bytes = 1 << 20;
  const std::string lines = numbered_lines(100'000);
  std::deque<Sorter> sorters;
  for (int i = 0; i < 3; ++i) sorters.emplace_back(options_);
  for (std::size_t at = 0; at < lines.size(); at += 11'000) {
    const auto piece = std::as_bytes(std::span(lines).subspan(at, std::min<std::size_t>(11'000, lines.size() - at)));
    for (Sorter& sorter : sorters) sorter.push(piece);
  }
  for (Sorter& sorter : sorters) EXPECT_TRUE(pull_all(sorter) == sorted_lines(100'000));
}

}  // namespace
}  // namespace sortie

// Sorts whose records come from this program and go back to it, and sorts that are stopped and watched.

#include <sortie/record_stream.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <sortie/sort.hpp>

#include "pipeline/pipeline_support.hpp"
#include "pipeline/record_stream_support.hpp"

namespace sortie {
namespace {

using RecordStream = test::RecordStreamTest;
using test::numbered_lines;
using test::sink_to;
using test::sorted_lines;
using test::source_of;
using Clock = std::chrono::steady_clock;

TEST_F(RecordStream, SortsWhatASourceGivesIntoASink) {
  for (const std::uint64_t memory : {std::uint64_t{256} << 10, std::uint64_t{64} << 20}) {
    for (const std::size_t piece : {std::size_t{7}, std::size_t{100'000}}) {
      std::string sorted;
      options_.memory_bytes = memory;
      options_.source = source_of(numbered_lines(50'000), piece);
      options_.sink = sink_to(sorted);
      const SortReport report = sort(options_);
      EXPECT_EQ(report.output_records, 50'000u);
      EXPECT_TRUE(sorted == sorted_lines(50'000)) << memory << ", " << piece;
    }
  }
  EXPECT_TRUE(is_empty());
}

TEST_F(RecordStream, GivesTheSinkWholeRecords) {
  options_.memory_bytes = 256 << 10;
  options_.source = source_of(numbered_lines(50'000), 1000);
  std::size_t cut = 0;
  for (const bool counts : {false, true}) {
    options_.count = counts;
    options_.source = source_of(numbered_lines(50'000), 1000);
    options_.sink = [&](std::span<const std::byte> records) { cut += records.back() == std::byte{'\n'} ? 0 : 1; };
    sort(options_);
  }
  EXPECT_EQ(cut, 0u);
}

TEST_F(RecordStream, TellsWhereTheDroppedRecordsOfASourceComeFrom) {
  const test::TemporaryDirectory lists;
  options_.unique = true;
  options_.dropped_path = lists / "list.tsv";
  for (const bool is_told : {false, true}) {
    std::string sorted;
    options_.source = source_of("b\na\nb\nb\n", 3);
    options_.sink = sink_to(sorted);
    if (is_told) {
      options_.source_places = [](std::uint64_t record) {
        return SourcePlace{record < 2 ? "first" : "tab\there", record % 2 + 1};
      };
    }
    sort(options_);
    EXPECT_EQ(sorted, "a\nb\n");
    const std::string rows = is_told ? "tab\\there\t1\tfirst\t1\ntab\\there\t2\tfirst\t1\n"
                                     : "(source)\t3\t(source)\t1\n(source)\t4\t(source)\t1\n";
    EXPECT_EQ(test::read_whole_file(options_.dropped_path), "file\trecord\tkept_file\tkept_record\n" + rows);
  }
}

TEST_F(RecordStream, NeverUnpacksWhatASourceGives) {
  const std::string like_gzip("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\nline\n", 16);
  std::string sorted;
  options_.source = source_of(like_gzip, 100);
  options_.sink = sink_to(sorted);
  sort(options_);
  EXPECT_EQ(sorted, std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\nline\n", 16));
}

TEST_F(RecordStream, ASourceCanGoToAFileAndAnInputToASink) {
  options_.source = source_of("b\na\n", 1);
  options_.output = directory_ / "file";
  sort(options_);
  std::string sorted;
  options_.source = {};
  options_.inputs = {options_.output};
  options_.output = "-";
  options_.sink = sink_to(sorted);
  sort(options_);
  EXPECT_EQ(sorted, "a\nb\n");
}

TEST_F(RecordStream, ChecksWhatASourceGives) {
  options_.source = source_of("a\nc\nb\n", 3);
  const auto disorder = check(options_);
  ASSERT_TRUE(disorder);
  EXPECT_EQ(disorder->record, 3u);
}

TEST_F(RecordStream, WhatTheProgramThrowsEndsTheSort) {
  options_.memory_bytes = 256 << 10;
  options_.sink = [](std::span<const std::byte>) {};
  options_.source = [count = 0](std::span<std::byte> target) mutable -> std::size_t {
    if (++count > 20) throw std::runtime_error("no more records");
    const std::span<std::byte> given = target.first(std::min<std::size_t>(target.size(), 64 << 10));
    std::ranges::fill(given, std::byte{'\n'});
    return given.size();
  };
  EXPECT_THAT(test::error_of([&] { sort(options_); }), testing::HasSubstr("no more records"));
  options_.source = source_of(numbered_lines(50'000), 1000);
  options_.sink = [](std::span<const std::byte>) { throw Error("no room"); };
  EXPECT_EQ(test::error_of([&] { sort(options_); }), "no room");
  EXPECT_TRUE(is_empty());
}

TEST_F(RecordStream, RefusesMoreBytesThanItAskedFor) {
  options_.sink = [](std::span<const std::byte>) {};
  options_.source = [](std::span<std::byte> target) { return target.size() + 1; };
  EXPECT_THAT(test::error_of([&] { sort(options_); }), testing::HasSubstr("more bytes than it was asked for"));
}

TEST_F(RecordStream, AsksNoMoreAfterTheEnd) {
  int ends = 0;
  std::string sorted;
  options_.header_lines = 1;
  options_.sink = sink_to(sorted);
  options_.source = [&, given = false](std::span<std::byte> target) mutable -> std::size_t {
    if (std::exchange(given, true)) return ++ends, 0;
    std::ranges::copy(std::as_bytes(std::span("head\nb\na\n", 9)), target.begin());
    return 9;
  };
  sort(options_);
  EXPECT_EQ(sorted, "head\na\nb\n");
  EXPECT_EQ(ends, 1);
}

TEST_F(RecordStream, APlanReadsNothingOfASource) {
  options_.header_lines = 1;
  options_.source = [](std::span<std::byte>) -> std::size_t { throw Error("read"); };
  EXPECT_NO_THROW(plan(options_));
}

TEST_F(RecordStream, NamesOfStreamsAreNoFiles) {
  options_.source = source_of("a\n", 1);
  options_.output = "(source)";
  EXPECT_THAT(test::error_of([&] { sort(options_); }), testing::HasSubstr("name the file ./(source)"));
}

TEST_F(RecordStream, RefusesTwoOriginsAndTwoTargets) {
  options_.source = source_of("a\n", 1);
  options_.inputs = {"in"};
  EXPECT_THAT(test::error_of([&] { sort(options_); }), testing::HasSubstr("choose one"));
  options_.inputs = {};
  options_.output = "out";
  options_.sink = [](std::span<const std::byte>) {};
  EXPECT_THAT(test::error_of([&] { sort(options_); }), testing::HasSubstr("choose one"));
}

/// Stops a sort whose source never ends after a while, and returns how long the sort then takes to end.
double seconds_to_stop(SortOptions options, std::chrono::milliseconds after) {
  std::stop_source stop;
  options.stop = stop.get_token();
  std::future<Clock::time_point> ended = std::async(std::launch::async, [&] {
    EXPECT_THROW(sort(options), Stopped);
    return Clock::now();
  });
  std::this_thread::sleep_for(after);
  const Clock::time_point asked = Clock::now();
  stop.request_stop();
  return std::chrono::duration<double>(ended.get() - asked).count();
}

RecordSource endless_source() {
  return [number = std::uint64_t{88172645463325252}](std::span<std::byte> target) mutable {
    for (std::byte& byte : target) {
      number ^= number << 13;
      number ^= number >> 7;
      number ^= number << 17;
      byte = number % 11 == 0 ? std::byte{'\n'} : std::byte('a' + number % 26);
    }
    return target.size();
  };
}

TEST_F(RecordStream, AStoppedSortLeavesNothing) {
  for (const std::uint64_t memory : {std::uint64_t{256} << 10, std::uint64_t{1} << 30}) {
    options_.memory_bytes = memory;
    options_.source = endless_source();
    options_.output = directory_ / "out";
    // Long enough for a machine that is busy with other things.
    EXPECT_LT(seconds_to_stop(options_, std::chrono::milliseconds(100)), 10);
    EXPECT_TRUE(is_empty());
  }
}

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe(ends), 0); }
  ~Pipe() {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  std::string path(int end) const { return "/dev/fd/" + std::to_string(ends[end]); }

  int ends[2] = {};
};

TEST_F(RecordStream, AStopEndsTheWaitForAnInput) {
  const Pipe silent;
  options_.inputs = {silent.path(0)};
  options_.output = directory_ / "out";
  EXPECT_LT(seconds_to_stop(options_, std::chrono::milliseconds(50)), 10);
  EXPECT_TRUE(is_empty());
}

TEST_F(RecordStream, AStopEndsTheWaitForAReader) {
  const Pipe full;
  options_.source = source_of(numbered_lines(50'000), 1000);
  options_.output = full.path(1);
  EXPECT_LT(seconds_to_stop(options_, std::chrono::milliseconds(300)), 10);
}

TEST_F(RecordStream, AStopBeforeTheSortIsAStop) {
  std::stop_source stop;
  stop.request_stop();
  options_.stop = stop.get_token();
  options_.source = source_of("a\n", 1);
  options_.sink = [](std::span<const std::byte>) { FAIL(); };
  EXPECT_THROW(sort(options_), Stopped);
}

TEST_F(RecordStream, AWatcherSeesThePhasesAndTheirEnds) {
  std::vector<std::string> phases;
  options_.memory_bytes = 256 << 10;
  options_.source = source_of(numbered_lines(50'000), 10'000);
  options_.sink = [](std::span<const std::byte>) {};
  options_.watch = [&](const Progress& progress) {
    if (phases.empty() || phases.back() != progress.phase) phases.emplace_back(progress.phase);
    EXPECT_TRUE(progress.total_bytes == 0 || progress.done_bytes <= progress.total_bytes) << progress.phase;
  };
  std::vector<std::string> expected;
  for (const PhaseReport& phase : sort(options_).phases) {
    if (expected.empty() || expected.back() != phase.name) expected.push_back(phase.name);
  }
  expected.erase(expected.begin());  // begins before anybody watches
  EXPECT_GE(phases.size(), 2u);
  EXPECT_EQ(phases, expected);
}

TEST_F(RecordStream, WhatAWatcherThrowsEndsTheSort) {
  options_.source = source_of("a\n", 1);
  options_.sink = [](std::span<const std::byte>) {};
  options_.watch = [](const Progress&) { throw Error("seen enough"); };
  EXPECT_EQ(test::error_of([&] { sort(options_); }), "seen enough");
}

}  // namespace
}  // namespace sortie

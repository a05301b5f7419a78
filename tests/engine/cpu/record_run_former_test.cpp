#include "engine/cpu/record_run_former.hpp"

#include <gtest/gtest.h>
#include <sortie/error.hpp>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "base/thread_team.hpp"
#include "engine/cpu/run_former_support.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr FormationBudget kSmall{200'000, 8'000, 0};

// Forms runs until `bytes` are used up. Each run must be a stable sort of the records that it took.
std::size_t expect_sorted_runs(const Format& format, const std::string& bytes, const FormationBudget& budget) {
  const RecordOrder order(format);
  RecordRunFormer former(order, budget);
  std::string_view rest = bytes;
  std::size_t runs = 0;
  while (!rest.empty()) {
    const std::string_view before = rest;
    const auto run = form_run(order.layout(), former, rest);
    const std::string_view taken = before.substr(0, before.size() - rest.size());
    EXPECT_TRUE(drain(order.layout(), *run, budget.part_bytes) == stable_sorted(format, taken)) << "run " << runs;
    if (taken.empty()) break;
    ++runs;
  }
  return runs;
}

TEST(RecordRunFormer, FormsSeveralRunsOneAfterAnother) {
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    SCOPED_TRACE(to_string(distribution));
    const Format gensort = parsed("gensort");
    EXPECT_GE(expect_sorted_runs(gensort, make_records(gensort, distribution, 6000), kSmall), 3U);
    const Format lines = parsed("lines");
    EXPECT_GE(expect_sorted_runs(lines, make_records(lines, distribution, 40'000), kSmall), 2U);
  }
}

TEST(RecordRunFormer, MakesPartsWhereTheConsumerHasRoom) {
  for (const char* const type : {"gensort", "lines"}) {
    SCOPED_TRACE(type);
    const Format format = parsed(type);
    const RecordOrder order(format);
    const std::string bytes = make_records(format, Distribution::kUniform, 8000);
    for (const std::uint64_t first : {0, 10'000}) {
      RecordRunFormer former(order, kSmall);
      std::string_view rest = bytes;
      const auto run = form_run(order.layout(), former, rest);
      std::string sorted;
      EXPECT_GE(drain_into_room(*run, first, sorted), 2U);
      EXPECT_TRUE(sorted == stable_sorted(format, bytes.substr(0, bytes.size() - rest.size())));
    }
  }
}

TEST(RecordRunFormer, TakesAsManyShortRecordsAsTheirEntriesAllow) {
  EXPECT_GE(expect_sorted_runs(parsed("lines"), std::string(50'000, '\n'), kSmall), 3U);
  const Format bytes = parsed("fixed:1");
  EXPECT_GE(expect_sorted_runs(bytes, make_records(bytes, Distribution::kUniform, 50'000), kSmall), 3U);
}

TEST(RecordRunFormer, TakesNoMoreMemoryThanASmallInputFills) {
  const FormationBudget budget{1 << 30, 1 << 20, 30'000};
  for (const char* const format : {"lines", "fixed:1"}) {
    const RecordOrder order(parsed(format));
    EXPECT_LT(RecordRunFormer(order, budget).next_piece().size(), 1U << 20) << format;
  }
  EXPECT_EQ(expect_sorted_runs(parsed("lines"), std::string(budget.expected_bytes, '\n'), budget), 1U);
  const Format bytes = parsed("fixed:1");
  const std::string twice_as_much = make_records(bytes, Distribution::kUniform, 2 * budget.expected_bytes);
  EXPECT_GE(expect_sorted_runs(bytes, twice_as_much, budget), 1U) << "the input has grown";
}

TEST(RecordRunFormer, FillsTheMemoryWithFixedRecords) {
  const RecordOrder order(parsed("fixed:84"));
  RecordRunFormer former(order, {100'000 + 8'000, 8'000, 0});
  const std::string bytes(84 * 2000, 'x');
  std::string_view rest = bytes;
  const auto run = form_run(order.layout(), former, rest);
  // 84 bytes and an entry of 16 for each record, and one entry for alignment.
  EXPECT_EQ(run->record_count(), (100'000U - 16) / 100);
}

TEST(RecordRunFormer, OffersLargerPiecesForALongLine) {
  const RecordOrder order(parsed("lines"));
  RecordRunFormer former(order, kSmall);
  const std::size_t usual = former.next_piece().size();
  EXPECT_LT(usual, 100'000U);
  const std::span<std::byte> larger = former.next_large_piece(usual + usual / 2);
  ASSERT_GE(larger.size(), usual + usual / 2);
  EXPECT_TRUE(former.next_large_piece(1'000'000).empty());
  std::ranges::fill(larger, std::byte{'x'});
  larger.back() = std::byte{'\n'};
  former.commit_piece(larger.size(), 1);
  const auto run = former.finish_run();
  std::uint64_t parts = 0;
  run->drain([&](std::span<std::byte> part) {
    ++parts;
    EXPECT_EQ(part.size(), larger.size());
  });
  EXPECT_EQ(parts, 1U);
}

TEST(RecordRunFormer, PassesOnWhatIsInOrderAsItLies) {
  const RecordOrder order(parsed("lines"));
  std::string bytes;
  for (int i = 10'000; i < 16'000; ++i) bytes += std::to_string(i) + "\n";
  RecordRunFormer former(order, kSmall);
  const std::span<std::byte> piece = former.next_piece();
  std::string_view rest = bytes;
  const auto run = form_run(order.layout(), former, rest);
  ASSERT_TRUE(rest.empty());
  const std::byte* next = piece.data();
  run->drain([&](std::span<std::byte> part) {
    EXPECT_EQ(part.data(), next);
    EXPECT_LE(part.size(), kSmall.part_bytes);
    next += part.size();
  });
  EXPECT_EQ(next, piece.data() + bytes.size());
}

TEST(RecordRunFormer, FormsRunsOfWhatIsInReverseOrder) {
  std::string bytes;
  for (int i = 60'000; i > 10'000; --i) bytes += std::to_string(i) + "\n";
  EXPECT_GE(expect_sorted_runs(parsed("lines"), bytes, kSmall), 3U);
}

TEST(RecordRunFormer, PassesOnRecordsLongerThanAPartAsTheyLie) {
  std::string bytes;
  for (int i = 0; i < 12; ++i) bytes.append(9'000, static_cast<char>('a' + i * 5 % 12)).append("\nshort\n");
  expect_sorted_runs(parsed("lines"), bytes, kSmall);
}

TEST(RecordRunFormer, RefusesRecordsThatDoNotFit) {
  const RecordOrder order(parsed("fixed:200000"));
  EXPECT_THROW(RecordRunFormer(order, kSmall), Error);
  const RecordOrder fitting(parsed("fixed:190000"));
  const std::string bytes(190'000, 'x');
  EXPECT_EQ(expect_sorted_runs(parsed("fixed:190000"), bytes + bytes, kSmall), 2U);
}

TEST(RecordRunFormer, HoldsTheNextPieceBackUntilTheRunIsDrained) {
  const RecordOrder order(parsed("lines"));
  RecordRunFormer former(order, kSmall);
  std::string_view rest = "b\na\n";
  auto run = form_run(order.layout(), former, rest);
  std::atomic<bool> offered{false};
  std::thread feeder([&] {
    former.next_piece();
    offered = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(offered);
  EXPECT_EQ(drain(order.layout(), *run, kSmall.part_bytes), "a\nb\n");
  EXPECT_FALSE(offered);
  run.reset();
  feeder.join();
  EXPECT_TRUE(offered);
}

// Its memory is divided: one run waits, complete, while the other one comes in.
TEST(RecordRunFormer, FormsARunWhileTheOneBeforeWaits) {
  FormationBudget budget = kSmall;
  budget.runs = 2;
  for (const Format& format : {parsed("lines"), parsed("gensort")}) {
    const RecordOrder order(format);
    const std::string bytes = make_records(format, Distribution::kUniform, 30'000);
    RecordRunFormer former(order, budget);
    std::string_view rest = bytes;
    std::string_view before = rest;
    auto waiting = form_run(order.layout(), former, rest);
    std::string_view waits = before.substr(0, before.size() - rest.size());
    std::size_t runs = 1;
    for (; !rest.empty(); ++runs) {
      before = rest;
      auto run = form_run(order.layout(), former, rest);
      EXPECT_TRUE(drain(order.layout(), *waiting, budget.part_bytes) == stable_sorted(format, waits));
      waiting = std::move(run);
      waits = before.substr(0, before.size() - rest.size());
    }
    EXPECT_TRUE(drain(order.layout(), *waiting, budget.part_bytes) == stable_sorted(format, waits));
    EXPECT_GE(runs, 5U);
  }
}

// As long as one in memory that is not divided: promises about the longest record stay what they are.
TEST(RecordRunFormer, GivesALongLineTheMemoryOfBothRuns) {
  const RecordOrder order(parsed("lines"));
  FormationBudget budget = kSmall;
  budget.runs = 2;
  budget.most_record_bytes = 180'000;
  RecordRunFormer former(order, budget);
  std::string_view rest = "b\na\n";
  auto run = form_run(order.layout(), former, rest);
  std::thread drainer([&] {
    EXPECT_EQ(drain(order.layout(), *run, budget.part_bytes), "a\nb\n");
    run.reset();
  });
  EXPECT_LT(former.next_piece().size(), 100'000U);
  const std::span<std::byte> larger = former.next_large_piece(180'000);
  drainer.join();
  ASSERT_GE(larger.size(), 180'000U);
  std::ranges::fill(larger, std::byte{'x'});
  larger.back() = std::byte{'\n'};
  former.commit_piece(larger.size(), 1);
  EXPECT_EQ(former.finish_run()->byte_count(), larger.size());
  EXPECT_GT(former.next_piece().size(), 80'000U) << "half of what all memory leaves";
}

// Consumers overwrite the parts that they have taken: entries and records must not lie there.
TEST(RecordRunFormer, MakesPartsAheadInFreeMemoryWhileTheFirstOneWaits) {
  for (const Format& format : {parsed("lines"), parsed("gensort")}) {
    const RecordOrder order(format);
    const std::string bytes = make_records(format, Distribution::kUniform, 100'000);
    const FormationBudget budget{256 << 20, 2 << 20, bytes.size()};
    ThreadTeam team(4);
    team.run([&] {
      RecordRunFormer former(order, budget);
      std::string_view rest = bytes;
      const auto run = form_run(order.layout(), former, rest);
      ASSERT_TRUE(rest.empty());
      std::set<const std::byte*> places;
      std::string drained;
      run->drain([&](std::span<std::byte> part) {
        if (drained.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(200));
        places.insert(part.data());
        drained += as_text(part);
        std::ranges::fill(part, std::byte{0xee});
      });
      EXPECT_TRUE(drained == stable_sorted(format, bytes));
      EXPECT_GT(places.size(), 2U);
    });
  }
}

TEST(RecordRunFormer, PassesOnWhatTheConsumerThrows) {
  const RecordOrder order(parsed("lines"));
  RecordRunFormer former(order, kSmall);
  std::string_view rest = "b\na\n";
  auto run = form_run(order.layout(), former, rest);
  EXPECT_THROW(run->drain([](std::span<std::byte>) { throw Error("full"); }), Error);
  run.reset();
  EXPECT_FALSE(former.next_piece().empty());
}

}  // namespace
}  // namespace sortie

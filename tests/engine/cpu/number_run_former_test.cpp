#include "engine/cpu/number_run_former.hpp"

#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "base/size.hpp"
#include "engine/cpu/cpu_engine.hpp"
#include "engine/cpu/run_former_support.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr FormationBudget kSmallNumbers{100'004, 8'003, 0};

// Copies numbers into pieces until the run is full.
std::string fill_run(RunFormer& former, std::string_view& rest, std::size_t number_bytes) {
  std::string taken;
  while (!rest.empty()) {
    const std::span<std::byte> piece = former.next_piece();
    const std::size_t bytes = std::min(piece.size(), rest.size());
    EXPECT_EQ(bytes % number_bytes, 0U);
    if (bytes == 0) break;
    std::memcpy(piece.data(), rest.data(), bytes);
    former.commit_piece(bytes, bytes / number_bytes);
    taken += rest.substr(0, bytes);
    rest.remove_prefix(bytes);
  }
  return taken;
}

TEST(NumberRunFormer, FormsSeveralRunsOneAfterAnother) {
  for (const char* type : {"u32", "i64", "f32", "f64"}) {
    SCOPED_TRACE(type);
    const Format format = parsed(type);
    const auto engine = make_cpu_engine(format);
    const auto former = engine->make_run_former(kSmallNumbers);
    const std::string bytes = make_records(format, Distribution::kUniform, 40'000);
    std::string_view rest = bytes;
    std::size_t runs = 0;
    for (; !rest.empty(); ++runs) {
      const std::string taken = fill_run(*former, rest, format.record_bytes);
      ASSERT_FALSE(taken.empty());
      const auto run = former->finish_run();
      EXPECT_EQ(run->byte_count(), taken.size());
      EXPECT_EQ(run->record_count(), taken.size() / format.record_bytes);
      EXPECT_TRUE(drain(layout_of(format), *run, kSmallNumbers.part_bytes) == stable_sorted(format, taken));
    }
    EXPECT_GE(runs, 4U);
  }
}

TEST(NumberRunFormer, TakesAWholeInputWhereItIsMapped) {
  const Format format = parsed("i64", {}, true);
  const RecordOrder order(format);
  const FormationBudget budget{400'000, 8'000, 0};
  NumberRunFormer<std::uint64_t> former(order, budget);
  EXPECT_TRUE(former.next_whole_piece(200'001, 25'000).empty()) << "there is no room for its last page";
  for (const std::size_t count : {1, 512, 20'000}) {
    const std::string bytes = make_records(format, Distribution::kUniform, count);
    const std::span<std::byte> piece = former.next_whole_piece(bytes.size(), count);
    ASSERT_EQ(piece.size(), round_up(bytes.size(), kPageBytes)) << "pages are mapped as a whole";
    std::memcpy(piece.data(), bytes.data(), bytes.size());
    former.commit_piece(bytes.size(), count);
    EXPECT_TRUE(former.next_whole_piece(8, 1).empty()) << "the run has begun";
    const auto run = former.finish_run();
    EXPECT_TRUE(drain(order.layout(), *run, budget.part_bytes) == stable_sorted(format, bytes));
  }
}

TEST(NumberRunFormer, ScattersAWholeInputToWhereTheConsumerHasRoom) {
  const Format format = parsed("i64", {}, true);
  const RecordOrder order(format);
  const std::string bytes = make_records(format, Distribution::kUniform, 20'000);
  for (const std::uint64_t first : {0, 8}) {
    NumberRunFormer<std::uint64_t> former(order, {400'000, 8'000, 0});
    const std::span<std::byte> piece = former.next_whole_piece(bytes.size(), 20'000);
    ASSERT_GE(piece.size(), bytes.size());
    std::memcpy(piece.data(), bytes.data(), bytes.size());
    former.commit_piece(bytes.size(), 20'000);
    const auto run = former.finish_run();
    std::string sorted;
    EXPECT_EQ(drain_into_room(*run, first == 0 ? 0 : bytes.size(), sorted) > 0, first == 0);
    EXPECT_TRUE(sorted == stable_sorted(format, bytes));
  }
}

// The whole input could not be mapped after all: it is read piece by piece, and read over while the run waits.
TEST(NumberRunFormer, ReadsPiecesWhereAWholeOneWasNotTaken) {
  const Format format = parsed("u32");
  const RecordOrder order(format);
  NumberRunFormer<std::uint32_t> former(order, {400'000, 8'000, 0});
  ASSERT_FALSE(former.next_whole_piece(4000, 1000).empty());
  const std::string bytes = make_records(format, Distribution::kUniform, 2000);
  std::string_view first = std::string_view(bytes).substr(0, 4000);
  fill_run(former, first, 4);
  const auto run = former.finish_run();
  std::string_view second = std::string_view(bytes).substr(4000);
  fill_run(former, second, 4);
  EXPECT_TRUE(drain(order.layout(), *run, 8'000) == stable_sorted(format, bytes.substr(0, 4000)));
}

TEST(NumberRunFormer, TakesNoMoreMemoryThanASmallInputFills) {
  const RecordOrder order(parsed("u64"));
  NumberRunFormer<std::uint64_t> former(order, {1 << 30, 1 << 20, 24});
  const std::size_t offered = former.next_piece().size();
  EXPECT_GT(offered, 24U) << "the reader has to see the end";
  EXPECT_LE(offered, 2 * kPageBytes);
}

TEST(NumberRunFormer, ReadsTheNextRunWhileTheLastOneIsDrained) {
  const Format format = parsed("u32");
  const RecordOrder order(format);
  NumberRunFormer<std::uint32_t> former(order, kSmallNumbers);
  const std::string bytes = make_records(format, Distribution::kReversed, 20'000);
  std::string_view rest = bytes;
  const std::string first = fill_run(former, rest, 4);
  auto run = former.finish_run();
  const std::string second = fill_run(former, rest, 4);  // must neither wait nor touch the sorted run
  EXPECT_TRUE(drain(order.layout(), *run, kSmallNumbers.part_bytes) == stable_sorted(format, first));
  run.reset();
  run = former.finish_run();
  EXPECT_TRUE(drain(order.layout(), *run, kSmallNumbers.part_bytes) == stable_sorted(format, second));
}

}  // namespace
}  // namespace sortie

#include "pipeline/runs/run_store.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

#include "pipeline/store_support.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr RunStore::Options kSmall{100'000, 4096, false, true};

std::string sorted_lines(std::size_t count, std::uint64_t seed) {
  const Format format = parsed("lines");
  return stable_sorted(format, make_records(format, Distribution::kUniform, count, seed));
}

TEST(RunStore, KeepsRunsInMemoryWhileTheBudgetAllows) {
  StoreForTest test(parsed("lines"), kSmall);
  const std::string bytes = sorted_lines(4000, 1);
  ASSERT_GT(bytes.size(), 40'000U);
  ASSERT_LE(bytes.size(), 50'000U);
  const auto first = test.store_run(bytes);
  const auto second = test.store_run(bytes);
  EXPECT_TRUE(first.storage->in_memory());
  EXPECT_TRUE(second.storage->in_memory());
  EXPECT_EQ(test.store.scratch_peak_bytes(), 0U);
  const auto third = test.store_run(bytes);
  EXPECT_FALSE(third.storage->in_memory());
  EXPECT_EQ(test.store.scratch_peak_bytes(), third.stored_bytes);
  for (const auto* run : {&first, &second, &third}) EXPECT_TRUE(contents_of(*run) == bytes);
}

TEST(RunStore, UsesTheMemoryOfRunsThatAreGone) {
  StoreForTest test(parsed("lines"), kSmall);
  const std::string bytes = sorted_lines(8000, 1);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(test.store_run(bytes).storage->in_memory()) << i;
}

TEST(RunStore, MakesLargerBlocksWhereTheIndexHasGrown) {
  RunStore::Options options = kSmall;
  options.most_block_bytes = 16384;
  options.index_bytes = 1;
  StoreForTest test(parsed("lines"), options);
  const std::string bytes = sorted_lines(8000, 1);
  const auto blocks_of_next = [&](std::vector<sortie::Run>& runs) {
    runs.push_back(test.store_run(bytes, bytes.size()));
    return runs.back().blocks.size();
  };
  std::vector<sortie::Run> runs;
  const std::size_t usual = blocks_of_next(runs);
  EXPECT_EQ(usual, bytes.size() / 4096 + 1);
  EXPECT_LT(blocks_of_next(runs), usual / 2);
  for (const auto& run : runs) EXPECT_TRUE(contents_of(run) == bytes);
  runs.clear();
  EXPECT_EQ(blocks_of_next(runs), usual) << "blocks of runs that are gone count no more";
}

std::unique_ptr<MemoryPin> pin_nothing(std::span<std::byte>) { return std::make_unique<MemoryPin>(); }

TEST(RunStore, KeepsRecordsWhereTheyWerePutWithoutACopy) {
  StoreForTest test(parsed("lines"), kSmall, Compression::kNone, nullptr, pin_nothing);
  const std::string bytes = sorted_lines(1000, 1);
  const auto sink = test.store.begin_run(bytes.size());
  const std::span<std::byte> home = sink->home();
  ASSERT_EQ(home.size(), bytes.size());
  std::ranges::copy(as_bytes(bytes), home.begin());
  const std::size_t half = boundary_at_or_after(test.order.layout(), home, home.size() / 2);
  sink->append(home.first(half));
  sink->append(home.subspan(half));
  const auto run = sink->finish();
  EXPECT_EQ(run.storage->view(run.blocks[0].offset, bytes.size()).data(), home.data());
  EXPECT_TRUE(contents_of(run) == bytes);
}

TEST(RunStore, HasNoPlaceForRecordsThatMayBeDropped) {
  StoreForTest test(parsed("lines"), {100'000, 4096, true, true}, Compression::kNone, nullptr, pin_nothing);
  EXPECT_TRUE(test.store.begin_run(1000)->home().empty());
  StoreForTest unpinned(parsed("lines"), kSmall);
  EXPECT_TRUE(unpinned.store.begin_run(1000)->home().empty());
}

TEST(RunStore, PreparesTheNextRunWithinTheBudgetAndTheInput) {
  std::atomic<std::size_t> pinned_bytes = 0;
  const MemoryPinner pin = [&](std::span<std::byte> memory) {
    pinned_bytes += memory.size();
    return std::make_unique<MemoryPin>();
  };
  StoreForTest test(parsed("lines"), {100'000, 4096, false, true, 90'000}, Compression::kNone, nullptr, pin);
  test.store.expect_run(90'000);  // all of it: nothing will be stored
  EXPECT_EQ(pinned_bytes, 0U);
  test.store.expect_run(40'000);
  std::vector<std::unique_ptr<RunSink>> sinks;
  for (const std::size_t bytes : {40'000, 40'000, 10'000}) {
    sinks.push_back(test.store.begin_run(bytes));
    EXPECT_EQ(sinks.back()->home().size(), bytes);
  }
  EXPECT_EQ(pinned_bytes, 90'000U);
  EXPECT_FALSE(test.store.begin_run(10'001)->in_memory());
  EXPECT_TRUE(test.store.begin_run(10'000)->in_memory());
}

TEST(RunStore, CountsReleasedBlocksOutOfTheScratchSpace) {
  StoreForTest test(parsed("lines"), {0, 4096, false, true});
  std::uint64_t largest = 0;
  for (std::uint64_t i = 0; i < 4; ++i) {
    const auto run = test.store_run(sorted_lines(1000 + 500 * i, i));
    largest = std::max(largest, run.stored_bytes);
    for (const BlockInfo& block : run.blocks) run.storage->release(block.offset, block.stored_bytes);
  }
  EXPECT_EQ(test.store.scratch_peak_bytes(), largest) << "one run after another, never two";
}

TEST(RunStore, CompressesRunFilesIfAskedTo) {
  const Format format = parsed("u32");
  StoreForTest test(format, {0, 64 << 10, false, true}, Compression::kZstd);
  const std::string bytes = stable_sorted(format, make_records(format, Distribution::kUniform, 100'000));
  const auto run = test.store_run(bytes, 100'000);
  EXPECT_EQ(run.blocks[0].codec, BlockCodec::kDeltaShuffleZstd);
  EXPECT_LT(run.stored_bytes, run.record_bytes * 3 / 4);
  EXPECT_TRUE(contents_of(run) == bytes);
}

TEST(RunStore, DropsDuplicatesOnTheWayIn) {
  StoreForTest test(parsed("lines"), {1 << 20, 4096, true, true});
  const auto sink = test.store.begin_run(100);
  std::string part = "a\na\nb\n";
  sink->append(as_writable(part));
  part = "b\nb\n";
  sink->append(as_writable(part));
  const auto run = sink->finish();
  EXPECT_EQ(contents_of(run), "a\nb\n");
  EXPECT_EQ(sink->dropped(), totals_of(test.format, as_bytes("a\nb\nb\n"), true));
}

// A run that stays in the sorted file which it was read from.
struct BorrowedRun {
  explicit BorrowedRun(bool unique = false) : test(parsed("lines"), {0, 1024, unique, true}) {
    write_whole_file(path, bytes);
    const auto sink = test.store.begin_borrowed_run(files->open_input(path));
    std::string part = bytes;
    sink->append(as_writable(part));
    run = sink->finish();
  }

  TemporaryDirectory directory;
  std::string path = directory / "sorted";
  std::string bytes = sorted_lines(3000, 2);
  std::unique_ptr<FileSystem> files = make_posix_file_system();
  StoreForTest test;
  Run run;
};

TEST(RunStore, LeavesABorrowedRunWhereItLies) {
  const BorrowedRun borrowed(true);
  EXPECT_TRUE(contents_of(borrowed.run) == borrowed.bytes);
  EXPECT_EQ(borrowed.test.store.scratch_peak_bytes(), 0U);
  for (const BlockInfo& block : borrowed.run.blocks) borrowed.run.storage->release(block.offset, block.stored_bytes);
  EXPECT_TRUE(read_whole_file(borrowed.path) == borrowed.bytes);
}

TEST(RunStore, NamesABorrowedFileThatWasCutShort) {
  const BorrowedRun borrowed;
  write_whole_file(borrowed.path, "gone\n");
  const std::string message = error_of([&] { contents_of(borrowed.run); });
  EXPECT_NE(message.find("sorted"), std::string::npos) << message;
}

TEST(RunStore, FindsOutThatABorrowedFileWasChanged) {
  const BorrowedRun borrowed;
  write_whole_file(borrowed.path, std::string(borrowed.bytes.size(), 'x'));
  const std::string message = error_of([&] { contents_of(borrowed.run); });
  EXPECT_NE(message.find("is damaged (its checksum differs); leave inputs alone"), std::string::npos) << message;
}

}  // namespace
}  // namespace sortie

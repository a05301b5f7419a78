#include "pipeline/runs/run_store.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>

#include <gmock/gmock.h>

#include "base/system_limits.hpp"
#include "pipeline/store_support.hpp"
#include "record/record_scan.hpp"
#include "support/faulty_file_system.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

const RunStore::Options kSmall{100'000, 4096, Repeats::kKept, true};

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
  EXPECT_FALSE(first.storage->in_file());
  EXPECT_FALSE(second.storage->in_file());
  EXPECT_EQ(test.scratch_peak_bytes(), 0U);
  const auto third = test.store_run(bytes);
  EXPECT_TRUE(third.storage->in_file());
  EXPECT_EQ(test.scratch_peak_bytes(), third.stored_bytes);
  for (const auto* run : {&first, &second, &third}) EXPECT_TRUE(contents_of(*run) == bytes);
}

TEST(RunStore, UsesTheMemoryOfRunsThatAreGone) {
  StoreForTest test(parsed("lines"), kSmall);
  const std::string bytes = sorted_lines(8000, 1);
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(test.store_run(bytes).storage->in_file()) << i;
}

TEST(RunStore, MakesLargerBlocksWhereTheIndexHasGrown) {
  RunStore::Options options = kSmall;
  options.most_block_bytes = 16384;
  options.index_step_bytes = 1;
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
  const std::span<std::byte> pinned = sink->pinned_memory();
  ASSERT_EQ(pinned.size(), bytes.size());
  std::ranges::copy(as_bytes(bytes), pinned.begin());
  const std::size_t half = boundary_at_or_after(test.order.layout(), pinned, pinned.size() / 2);
  sink->append(pinned.first(half));
  sink->append(pinned.subspan(half));
  const auto run = sink->finish();
  EXPECT_EQ(run.storage->view(run.blocks[0].offset, bytes.size()).data(), pinned.data());
  EXPECT_TRUE(contents_of(run) == bytes);
}

TEST(RunStore, HasNoPlaceForRecordsThatMayBeDropped) {
  StoreForTest test(parsed("lines"), {100'000, 4096, Repeats::kDropped, true}, Compression::kNone, nullptr,
                    pin_nothing);
  EXPECT_TRUE(test.store.begin_run(1000)->pinned_memory().empty());
  StoreForTest unpinned(parsed("lines"), kSmall);
  EXPECT_TRUE(unpinned.store.begin_run(1000)->pinned_memory().empty());
}

TEST(RunStore, PreparesTheNextRunWithinTheBudgetAndTheInput) {
  std::atomic<std::size_t> pinned_bytes = 0;
  const MemoryPinner pin = [&](std::span<std::byte> memory) {
    pinned_bytes += memory.size();
    return std::make_unique<MemoryPin>();
  };
  StoreForTest test(parsed("lines"), {100'000, 4096, Repeats::kKept, true, 90'000}, Compression::kNone, nullptr, pin);
  test.store.expect_run(90'000);  // all of the input, so nothing will be stored
  EXPECT_EQ(pinned_bytes, 0U);
  test.store.expect_run(40'000);
  std::vector<std::unique_ptr<RunSink>> sinks;
  for (const std::size_t bytes : {40'000, 40'000, 10'000}) {
    sinks.push_back(test.store.begin_run(bytes));
    EXPECT_EQ(sinks.back()->pinned_memory().size(), bytes);
  }
  EXPECT_EQ(pinned_bytes, 90'000U);
  EXPECT_TRUE(test.store.begin_run(10'001)->in_file());
  EXPECT_FALSE(test.store.begin_run(10'000)->in_file());
}

TEST(RunStore, CountsReleasedBlocksOutOfTheScratchSpace) {
  StoreForTest test(parsed("lines"), {0, 4096, Repeats::kKept, true});
  std::uint64_t largest = 0;
  for (std::uint64_t i = 0; i < 4; ++i) {
    const auto run = test.store_run(sorted_lines(1000 + 500 * i, i));
    largest = std::max(largest, run.stored_bytes);
    for (const BlockInfo& block : run.blocks) run.storage->release(block.offset, block.stored_bytes);
  }
  EXPECT_EQ(test.scratch_peak_bytes(), largest) << "one run after another, never two";
}

TEST(RunStore, CompressesRunFilesIfAskedTo) {
  const Format format = parsed("u32");
  StoreForTest test(format, {0, 64 << 10, Repeats::kKept, true}, Compression::kZstd);
  const std::string bytes = stable_sorted(format, make_records(format, Distribution::kUniform, 100'000));
  const auto run = test.store_run(bytes, 100'000);
  EXPECT_EQ(run.blocks[0].codec, BlockCodec::kDeltaShuffleZstd);
  EXPECT_LT(run.stored_bytes, run.record_bytes * 3 / 4);
  EXPECT_TRUE(contents_of(run) == bytes);
}

TEST(RunStore, DropsDuplicatesOnTheWayIn) {
  StoreForTest test(parsed("lines"), {1 << 20, 4096, Repeats::kDropped, true});
  const auto sink = test.store.begin_run(100);
  std::string part = "a\na\nb\n";
  sink->append(as_writable(part));
  part = "b\nb\n";
  sink->append(as_writable(part));
  const auto run = sink->finish();
  EXPECT_EQ(contents_of(run), "a\nb\n");
  EXPECT_EQ(sink->dropped(), totals_of(test.format, as_bytes("a\nb\nb\n"), true));
}

std::string sorted_numbers(int from) {
  std::string lines;
  for (int i = from; i < from + 3000; ++i) lines += std::to_string(i) + "\n";
  return lines;
}

TEST(RunStore, LetsRunsShareFilesWhereFewMayBeOpen) {
  RunStore::Options options{0, 1024, Repeats::kKept, true};
  options.most_files = 2;
  StoreForTest test(parsed("lines"), options);
  const std::uint64_t free_before = free_descriptors();
  std::vector<sortie::Run> runs;
  for (int i = 1; i <= 7; ++i) runs.push_back(test.store_run(sorted_numbers(100'000 * i), 500 * i));
  EXPECT_EQ(free_descriptors(), free_before - 2);
  for (int i = 1; i <= 7; ++i) EXPECT_TRUE(contents_of(runs[i - 1]) == sorted_numbers(100'000 * i));
  for (sortie::Run& run : runs) run = {};
  EXPECT_EQ(free_descriptors(), free_before);
  EXPECT_TRUE(contents_of(test.store_run(sorted_numbers(100'000))) == sorted_numbers(100'000));
}

// While a run is written, the file of the next one gets its space.
TEST(RunStore, PreparesFilesThatLieInMemory) {
  RunStore::Options options{0, 64 << 10, Repeats::kKept, true};
  options.prepares_files = true;
  options.most_files = 100;
  const std::string bytes = sorted_lines(400'000, 1);
  options.expected_bytes = 3 * bytes.size();
  with_threads(4, [&] {
    StoreForTest test(parsed("lines"), options, Compression::kNone, nullptr, {}, "/dev/shm");
    const std::uint64_t free_before = free_descriptors();
    std::vector<sortie::Run> runs;
    for (int i = 0; i < 3; ++i) {
      runs.push_back(test.store_run(bytes, 1 << 20));
      const std::uint64_t ready = i < 2 ? 1 : 0;
      EXPECT_EQ(free_descriptors(), free_before - runs.size() - ready) << i;
    }
    EXPECT_EQ(test.scratch_peak_bytes(), 3 * runs[0].stored_bytes);
    for (const sortie::Run& run : runs) EXPECT_TRUE(contents_of(run) == bytes);
  });
}

// Fewer runs may come than were expected.
TEST(RunStore, GivesBackWhatItPreparedForARunThatDoesNotCome) {
  RunStore::Options options{0, 64 << 10, Repeats::kKept, true};
  options.prepares_files = true;
  options.most_files = 100;
  const std::string bytes = sorted_lines(50'000, 1);
  options.expected_bytes = 9 * bytes.size();
  with_threads(4, [&] {
    StoreForTest test(parsed("lines"), options, Compression::kNone, nullptr, {}, "/dev/shm");
    const std::uint64_t free_before = free_descriptors();
    const sortie::Run run = test.store_run(bytes, 1 << 20);
    EXPECT_EQ(free_descriptors(), free_before - 2) << "nothing was prepared";
    test.store.expect_no_more_runs();
    EXPECT_EQ(free_descriptors(), free_before - 1);
    const sortie::Run merged = test.store_run(bytes, 1 << 20);
    EXPECT_EQ(free_descriptors(), free_before - 2) << "a file for another run";
    for (const sortie::Run* stored : {&run, &merged}) EXPECT_TRUE(contents_of(*stored) == bytes);
  });
}

// Each file is created, and its space reserved: first that of the run, then, while threads prepare the first one, that
// of the next. Which operation comes when differs from time to time.
TEST(RunStore, DoesWithoutAFileThatCannotBePrepared) {
  constexpr std::uint64_t kFirstReserve = 2;
  constexpr int kMostRounds = 50;
  RunStore::Options options{0, 64 << 10, Repeats::kKept, true};
  options.prepares_files = true;
  options.most_files = 100;
  const std::string bytes = sorted_lines(50'000, 1);
  options.expected_bytes = 2 * bytes.size();
  const auto files = make_posix_file_system();
  std::set<std::string> survived_later;
  const auto are_all_seen = [&] {
    return survived_later.contains("create") && survived_later.contains("reserve space for");
  };
  for (int round = 0; round < kMostRounds && !are_all_seen(); ++round) {
    for (std::uint64_t operation = 1; operation <= 12; ++operation) {
      with_threads(4, [&] {
        FaultyFileSystem faulty(*files, {.first = operation});
        try {
          StoreForTest test(parsed("lines"), options, Compression::kNone, &faulty, {}, "/dev/shm");
          EXPECT_TRUE(contents_of(test.store_run(bytes, 1 << 20)) == bytes) << operation;
          if (operation > kFirstReserve) {
            survived_later.insert(faulty.first_failed());
          } else {
            EXPECT_EQ(faulty.first_failed(), "reserve space for");
          }
        } catch (const Error&) {
          EXPECT_NE(operation, kFirstReserve);
        }
      });
    }
  }
  EXPECT_TRUE(are_all_seen()) << "the next file was not prepared";
}

TEST(RunStore, RunsThatShareAFileAreWrittenSideBySide) {
  RunStore::Options options{0, 1024, Repeats::kKept, true};
  options.most_files = 1;
  StoreForTest test(parsed("lines"), options);
  const auto first = test.store.begin_run(100);
  const auto second = test.store.begin_run(100);
  std::string of_first;
  std::string of_second;
  for (int i = 10; i < 60; ++i) {
    std::string part = std::to_string(i) + "\n";
    of_first += part;
    first->append(as_writable(part));
    part = std::to_string(i) + "0\n";
    of_second += part;
    second->append(as_writable(part));
  }
  const sortie::Run first_run = first->finish();
  EXPECT_EQ(contents_of(second->finish()), of_second);
  EXPECT_EQ(contents_of(first_run), of_first);
}

TEST(RunStore, CompressesRunFilesByAProgram) {
  for (const char* program : {"gzip", "cat"}) {
    RunStore::Options options{0, 1024, Repeats::kKept, true};
    options.program = program;
    StoreForTest test(parsed("lines"), options);
    const std::string lines = sorted_numbers(100'000);
    const sortie::Run run = test.store_run(lines);
    if (std::string_view(program) == "gzip") {
      EXPECT_LT(run.stored_bytes, lines.size());
      EXPECT_TRUE(contents_of(run) == lines);
    } else {
      EXPECT_EQ(error_of([&] { contents_of(run); }), "'cat' [-d] terminated abnormally; run it by hand to see why");
    }
  }
}

}  // namespace
}  // namespace sortie

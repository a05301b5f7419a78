#include "pipeline/merge/run_merge.hpp"

#include <random>

#include "pipeline/merge/merge_support.hpp"
#include "record/record_scan.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

const RunStore::Options kInMemory{1 << 30, 256, Repeats::kKept, true};

struct Merged {
  std::string bytes;
  std::uint64_t windows = 0;
};

Merged merge_runs(StoreForTest& test, std::vector<Run> runs, std::span<const std::unique_ptr<WindowMerger>> mergers,
                  std::uint64_t arena_bytes) {
  const MemoryPlan plan = plan_with_arena(arena_bytes);
  Merged merged;
  merged.windows = merge_runs(runs, test.order, mergers, plan, test.observer, [&](std::span<std::byte> records) {
    merged.bytes += as_text(records);
    return true;
  });
  return merged;
}

Merged merge_ranges(StoreForTest& test, const std::vector<std::string>& ranges, std::uint64_t arena_bytes,
                    std::size_t merger_count) {
  const auto engine = make_cpu_engine(test.format);
  return merge_runs(test, test.store_runs(ranges), make_mergers(*engine, merger_count), arena_bytes);
}

void expect_merged(const Format& format, const std::string& bytes, std::size_t run_count) {
  const std::string expected = stable_sorted(format, bytes);
  const auto ranges = sorted_ranges(format, bytes, run_count);
  for (const RunStore::Options& options : {kInFiles, kInMemory}) {
    StoreForTest test(format, options);
    for (const std::size_t mergers : {1, 2, 3}) {
      for (const std::uint64_t arena_bytes : {2'000, 20'000, 10'000'000}) {
        SCOPED_TRACE(std::to_string(mergers) + " mergers, arenas of " + std::to_string(arena_bytes));
        EXPECT_TRUE(merge_ranges(test, ranges, arena_bytes, mergers).bytes == expected);
      }
    }
  }
}

/// Leaves of a run what lies between two of its records.
void cut_slice(Run& run, const RecordOrder& order, std::size_t begin, std::size_t end) {
  const auto position_of = [&](std::uint64_t record) {
    std::size_t block = 0;
    while (block < run.blocks.size() && record >= run.blocks[block].record_count) {
      record -= run.blocks[block++].record_count;
    }
    std::uint64_t bytes = 0;
    if (record > 0) {
      std::string records(run.blocks[block].record_bytes, '?');
      read_block(run, block, as_writable(records));
      bytes = first_records(order.layout(), as_bytes(records), record);
    }
    return std::pair(block, bytes);
  };
  const auto [first_block, bytes_before] = position_of(begin);
  const auto [last_block, bytes_of_last] = position_of(end);
  const std::size_t end_block = last_block + (bytes_of_last > 0 ? 1 : 0);
  run.slice = {first_block, bytes_before, bytes_of_last > 0 ? run.blocks[last_block].record_bytes - bytes_of_last : 0};
  run.blocks = {run.blocks.begin() + static_cast<std::ptrdiff_t>(first_block),
                run.blocks.begin() + static_cast<std::ptrdiff_t>(end_block)};
}

TEST(FinalMerge, MergesSlicesOfRuns) {
  std::mt19937 random(1);
  for (const Format& format : {parsed("lines"), parsed("fixed:24", {"u16@0"}), parsed("lines", {}, true)}) {
    StoreForTest test(format, kInFiles);
    const auto engine = make_cpu_engine(test.format);
    const Layout& layout = test.order.layout();
    for (int turn = 0; turn < 20; ++turn) {
      const auto ranges = sorted_ranges(format, make_records(format, Distribution::kFewValued, 600), 3);
      auto runs = test.store_runs(ranges);
      std::string slices;
      for (std::size_t r = 0; r < runs.size(); ++r) {
        const std::size_t begin = random() % runs[r].record_count;
        const std::size_t end = begin + 1 + random() % (runs[r].record_count - begin);
        const std::size_t from = first_records(layout, as_bytes(ranges[r]), begin);
        slices += ranges[r].substr(from, first_records(layout, as_bytes(ranges[r]), end) - from);
        cut_slice(runs[r], test.order, begin, end);
      }
      const Merged merged = merge_runs(test, std::move(runs), make_mergers(*engine, 2), turn % 2 == 0 ? 2'000 : 20'000);
      ASSERT_TRUE(merged.bytes == stable_sorted(format, slices)) << turn;
    }
  }
}

TEST(FinalMerge, IsStableOnEveryDistribution) {
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    SCOPED_TRACE(to_string(distribution));
    const Format fixed = parsed("fixed:24", {"u16@0", "i32be@5:desc"});
    expect_merged(fixed, make_records(fixed, distribution, 700), 4);
    const Format lines = parsed("lines", {}, true);
    expect_merged(lines, make_records(lines, distribution, 1000), 3);
    const Format numbers = parsed("f64");
    expect_merged(numbers, make_records(numbers, distribution, 1000), 5);
  }
}

TEST(FinalMerge, TakesRunsThatShareAFile) {
  const Format format = parsed("lines");
  const std::string bytes = make_records(format, Distribution::kUniform, 3000);
  const auto ranges = sorted_ranges(format, bytes, 3);
  RunStore::Options options = kInFiles;
  options.most_files = 1;
  // The scratch directory is in memory, where runs are merged in place, and then on a disk.
  for (const char* directory : {"/dev/shm", ""}) {
    StoreForTest test(format, options, Compression::kNone, nullptr, {}, directory);
    EXPECT_TRUE(merge_ranges(test, ranges, 20'000, 2).bytes == stable_sorted(format, bytes));
    const auto first = test.store.begin_run(1);
    const auto second = test.store.begin_run(1);
    for (int i = 1000; i < 1500; ++i) {
      std::string part = std::to_string(i) + " first\n";
      first->append(as_writable(part));
      part = std::to_string(i) + " second\n";
      second->append(as_writable(part));
    }
    std::vector<sortie::Run> runs;
    runs.push_back(first->finish());
    runs.push_back(second->finish());
    std::string expected;
    for (int i = 1000; i < 1500; ++i) {
      expected += std::to_string(i) + " first\n" + std::to_string(i) + " second\n";
    }
    const auto engine = make_cpu_engine(format);
    EXPECT_TRUE(merge_runs(test, std::move(runs), make_mergers(*engine, 1), 20'000).bytes == expected) << directory;
  }
}

TEST(FinalMerge, TakesOneRunAndManyRuns) {
  const Format format = parsed("gensort");
  expect_merged(format, make_records(format, Distribution::kFewValued, 200), 1);
  expect_merged(format, make_records(format, Distribution::kFewValued, 400), 60);
}

TEST(FinalMerge, CutsWindowsAtKeysThatTheIndexCutsOff) {
  for (const bool descending : {false, true}) {
    expect_merged(parsed("lines", {}, descending), lines_with_prefix(300, 300), 4);
    const Format fixed = parsed("fixed:300", {"bytes@0:290"}, descending);
    std::string bytes;
    for (std::size_t i = 0; i < 200; ++i) {
      std::string record(300, 'k');
      record[280] = static_cast<char>('a' + i * 7 % 5);
      record[295] = static_cast<char>(i);
      bytes += record;
    }
    expect_merged(fixed, bytes, 4);
  }
}

TEST(FinalMerge, TakesRecordsLongerThanBlocksAndArenas) {
  std::string bytes;
  for (std::size_t i = 0; i < 60; ++i) bytes += std::string(1 + i * 977 % 3000, static_cast<char>('a' + i % 3)) + "\n";
  expect_merged(parsed("lines"), bytes, 5);
}

TEST(FinalMerge, CutsTheKeySpaceIntoWindowsOfTheArena) {
  const Format format = parsed("gensort");
  const std::string bytes = make_records(format, Distribution::kConstant, 3000);
  StoreForTest test(format, kInMemory);
  const Merged merged = merge_ranges(test, sorted_ranges(format, bytes, 3), 20'000, 1);
  // A window takes the arena less two blocks for each run.
  EXPECT_GE(merged.windows, 300'000U / 20'000);
  EXPECT_LE(merged.windows, 300'000U / 16'000);
}

// A merger that takes only few bytes at once.
class SmallMerger : public WindowMerger {
 public:
  SmallMerger(std::unique_ptr<WindowMerger> merger, std::uint64_t best_bytes)
      : merger_(std::move(merger)), best_bytes_(best_bytes) {}
  std::uint64_t best_window_bytes() const override { return best_bytes_; }
  std::unique_ptr<MergedWindow> merge(std::span<const std::span<const std::byte>> ranges,
                                      const PartConsumer::Look& look, std::span<std::byte> room) override {
    std::uint64_t bytes = 0;
    for (const auto& range : ranges) bytes += range.size();
    EXPECT_LE(bytes, best_bytes_);
    return merger_->merge(ranges, look, room);
  }

 private:
  std::unique_ptr<WindowMerger> merger_;
  std::uint64_t best_bytes_;
};

TEST(FinalMerge, CutsWindowsThatEveryMergerTakesAtOnce) {
  const Format format = parsed("gensort");
  const std::string bytes = make_records(format, Distribution::kUniform, 3000);
  StoreForTest test(format, kInMemory);
  const auto engine = make_cpu_engine(format);
  auto mergers = make_mergers(*engine, 2);
  mergers[1] = std::make_unique<SmallMerger>(std::move(mergers[1]), 8'000);
  const Merged merged = merge_runs(test, test.store_runs(sorted_ranges(format, bytes, 3)), mergers, 1'000'000);
  EXPECT_TRUE(merged.bytes == stable_sorted(format, bytes));
  EXPECT_GE(merged.windows, 300'000U / 8'000);
}

TEST(FinalMerge, MergesRunsInMemoryWithRunsInFiles) {
  const Format format = parsed("lines");
  const std::string bytes = make_records(format, Distribution::kFewValued, 2000);
  const auto ranges = sorted_ranges(format, bytes, 5);
  // Memory holds only some of the runs.
  StoreForTest test(format, {ranges[0].size() + ranges[1].size() + 10, 256, Repeats::kKept, true});
  auto runs = test.store_runs(ranges);
  EXPECT_FALSE(runs.front().storage->in_file());
  EXPECT_TRUE(runs.back().storage->in_file());
  const auto engine = make_cpu_engine(format);
  EXPECT_TRUE(merge_runs(test, std::move(runs), make_mergers(*engine, 2), 6'000).bytes == stable_sorted(format, bytes));
}

// Stores runs in scratch files that lie in memory, if the store's scratch directory does. Else returns none.
std::vector<Run> runs_in_place(StoreForTest& test, const std::vector<std::string>& ranges) {
  auto runs = test.store_runs(ranges);
  const Run& first = runs.front();
  return first.storage->view(first.blocks.front().offset, first.record_bytes).empty() ? std::vector<Run>()
                                                                                      : std::move(runs);
}

TEST(FinalMerge, MergesScratchFilesInMemoryWhereTheyLie) {
  for (const char* name : {"lines", "gensort", "u64"}) {
    const Format format = parsed(name);
    const std::string bytes = make_records(format, Distribution::kFewValued, 40'000);
    StoreForTest test(format, kInFiles, Compression::kNone, nullptr, {}, "/dev/shm");
    const auto engine = make_cpu_engine(format);
    for (const std::size_t mergers : {1, 2}) {
      for (const std::uint64_t arena_bytes : {700'000, 10'000'000}) {
        auto runs = runs_in_place(test, sorted_ranges(format, bytes, 5));
        if (runs.empty()) GTEST_SKIP() << "/dev/shm is no file system in memory";
        EXPECT_TRUE(merge_runs(test, std::move(runs), make_mergers(*engine, mergers), arena_bytes).bytes ==
                    stable_sorted(format, bytes));
      }
    }
    EXPECT_LT(test.scratch_peak_bytes(), 2 * bytes.size()) << "what was merged is given back";
  }
}

TEST(FinalMerge, ChecksScratchFilesInMemory) {
  const Format format = parsed("gensort");
  StoreForTest test(format, kInFiles, Compression::kNone, nullptr, {}, "/dev/shm");
  const auto engine = make_cpu_engine(format);
  auto runs = runs_in_place(test, sorted_ranges(format, make_records(format, Distribution::kUniform, 1000), 3));
  if (runs.empty()) GTEST_SKIP() << "/dev/shm is no file system in memory";
  const BlockInfo& block = runs[1].blocks[5];
  const std::byte wrong[] = {std::byte{0xa5}};
  runs[1].storage->write(block.offset + block.stored_bytes / 2, wrong);
  const auto mergers = make_mergers(*engine, 1);
  const MemoryPlan plan = plan_with_arena(1'000'000);
  const std::string message =
      error_of([&] { merge_runs(runs, test.order, mergers, plan, test.observer, [](auto) { return true; }); });
  EXPECT_NE(message.find("block 5 of run 1"), std::string::npos) << message;
  EXPECT_NE(message.find("is damaged"), std::string::npos) << message;
}

TEST(FinalMerge, GivesScratchSpaceBack) {
  const Format format = parsed("gensort");
  StoreForTest test(format, kInFiles);
  const auto ranges = sorted_ranges(format, make_records(format, Distribution::kUniform, 3000), 4);
  for (int i = 0; i < 3; ++i) merge_ranges(test, ranges, 20'000, 1);
  EXPECT_LT(test.scratch_peak_bytes(), 2U * 300'000);
}

}  // namespace
}  // namespace sortie

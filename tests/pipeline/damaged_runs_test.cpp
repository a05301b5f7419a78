// A flipped bit anywhere in a run file is found before any byte of its block reaches the output of a merge.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/cpu/cpu_engine.hpp"
#include "pipeline/merge/run_merge.hpp"
#include "pipeline/pipeline_support.hpp"
#include "run/file_run_storage.hpp"
#include "run/run_file.hpp"
#include "run/run_writer.hpp"
#include "support/memory_file_system.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr std::uint64_t kBlockBytes = 256;

class DamagedRuns : public testing::TestWithParam<BlockCodec> {
 protected:
  /// Writes a run file for each of `ranges`, which are sorted.
  void write_runs(const Format& format, const std::vector<std::string>& ranges) {
    order_ = std::make_unique<RecordOrder>(format);
    engine_ = make_cpu_engine(format);
    mergers_.clear();
    mergers_.push_back(engine_->make_window_merger({}));
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      names_.push_back("run" + std::to_string(i));
      auto storage = std::make_shared<FileRunStorage>(files_.create(names_.back(), {}));
      RunWriter writer(*order_, {5, i}, storage, {.block_bytes = kBlockBytes, .codec = GetParam()});
      writer.append(as_bytes(ranges[i]));
      codecs_.push_back(writer.finish().blocks.at(0).codec);
    }
  }

  /// Appends the merged bytes to `merged` as they come.
  void merge(std::string& merged) {
    std::vector<sortie::Run> runs;
    for (const std::string& name : names_) runs.push_back(open_run_file(files_, name).run);
    MemoryPlan plan;
    plan.arena_bytes = 8 * kBlockBytes;
    plan.merge.block_bytes = kBlockBytes;
    merge_runs(runs, *order_, mergers_, plan, observer_, [&](std::span<std::byte> records) {
      merged += as_text(records);
      return true;
    });
  }

  void expect_every_damage_is_found(const Format& format, const std::string& records) {
    write_runs(format, sorted_ranges(format, records, 3));
    const std::string expected = stable_sorted(format, records);
    std::string merged;
    merge(merged);
    ASSERT_TRUE(merged == expected);
    for (const std::string& name : names_) {
      std::string& file = files_.contents(name);
      for (std::size_t at = first_turn(file.size()); at < file.size(); at += turn_step()) {
        file[at] ^= static_cast<char>(1 << at % 8);
        merged.clear();
        EXPECT_THROW(merge(merged), Error) << "byte " << at << " of " << name;
        EXPECT_TRUE(expected.starts_with(merged)) << "byte " << at << " of " << name;
        file[at] ^= static_cast<char>(1 << at % 8);
      }
    }
  }

  MemoryFileSystem files_;
  std::vector<std::string> names_;
  std::vector<BlockCodec> codecs_;  // codec of the first block of each run

 private:
  std::unique_ptr<RecordOrder> order_;
  std::unique_ptr<Engine> engine_;
  std::vector<std::unique_ptr<WindowMerger>> mergers_;
  SilentObserver observer_;
};

TEST_P(DamagedRuns, OfNumbers) {
  const Format format = parsed("u32");
  expect_every_damage_is_found(format, make_records(format, Distribution::kFewValued, 900));
  EXPECT_EQ(codecs_.at(0), GetParam());
}

TEST_P(DamagedRuns, OfLines) {
  expect_every_damage_is_found(parsed("lines"), lines_with_prefix(60, 20));
  EXPECT_EQ(codecs_.at(0) == BlockCodec::kRaw, GetParam() == BlockCodec::kRaw);
}

const char* name_of(BlockCodec codec) {
  if (codec == BlockCodec::kRaw) return "raw";
  return codec == BlockCodec::kZstd ? "zstd" : "delta_shuffle";
}

INSTANTIATE_TEST_SUITE_P(Codecs, DamagedRuns,
                         testing::Values(BlockCodec::kRaw, BlockCodec::kZstd, BlockCodec::kDeltaShuffleZstd),
                         [](const auto& tested) { return name_of(tested.param); });

}  // namespace
}  // namespace sortie

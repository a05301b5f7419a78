#include "pipeline/merge/run_merge.hpp"

#include <gtest/gtest.h>

#include <set>

#include "pipeline/plan/window_plan.hpp"
#include "run/memory_run_storage.hpp"
#include "run/run_writer.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using namespace test;

// Writes runs of sorted records, with one record per block.
std::vector<sortie::Run> write_runs(const RecordOrder& order, const std::vector<std::string>& contents) {
  std::vector<sortie::Run> runs;
  for (const std::string& records : contents) {
    RunWriter writer(order, {1, runs.size()}, std::make_shared<MemoryRunStorage>(),
                     RunWriterOptions{1, BlockCodec::kRaw, 1});
    writer.append(as_bytes(records));
    runs.push_back(writer.finish());
  }
  return runs;
}

std::string contents_of(const sortie::Run& run, std::size_t block) {
  std::string record(run.blocks[block].record_bytes, '?');
  read_block(run, block, as_writable(record));
  return record;
}

// All blocks must compare as their records do.
void expect_resolved(const Format& format, const std::string& bytes, std::size_t run_count) {
  const RecordOrder order(format);
  auto runs = write_runs(order, sorted_ranges(format, bytes, run_count));
  resolve_truncated_keys(order, runs);
  const auto positions = blocks_in_order(order.plan(), runs);
  for (std::size_t i = 1; i < positions.size(); ++i) {
    const auto [a, b] = std::pair(positions[i - 1], positions[i]);
    const int records =
        order.compare(as_bytes(contents_of(runs[a.run], a.block)), as_bytes(contents_of(runs[b.run], b.block)));
    const int keys = compare_first_keys(order.plan(), runs[a.run].blocks[a.block], runs[b.run].blocks[b.block]);
    ASSERT_LE(records, 0) << "block " << i;
    ASSERT_EQ(records == 0, keys == 0) << "block " << i;
  }
}

TEST(CutKeys, AreOrderedAsTheirRecords) {
  for (const bool descending : {false, true}) {
    const Format lines = parsed("lines", {}, descending);
    std::string bytes = lines_with_prefix(200, 300) + lines_with_prefix(50, 256) + lines_with_prefix(50, 255) +
                        lines_of_one_letter(200, 600);
    for (int i = 0; i < 20; ++i) bytes.append(256, 'p').append("\n").append(300, 'z').append("\n");
    for (const std::size_t runs : {1, 2, 7}) expect_resolved(lines, bytes, runs);
    const Format fixed = parsed("fixed:300", {"bytes@0:280"}, descending);
    std::string records;
    for (std::size_t i = 0; i < 100; ++i) {
      std::string record(300, 'k');
      record[270] = static_cast<char>('a' + i * 7 % 5);
      record[295] = static_cast<char>(i);
      records += record;
    }
    expect_resolved(fixed, records, 5);
  }
}

TEST(CutKeys, StayCutWhereNothingTiesWithThem) {
  const RecordOrder order(parsed("lines"));
  auto runs =
      write_runs(order, {std::string(400, 'a') + "\n" + std::string(400, 'b') + "\n", std::string(400, 'c') + "\nd\n"});
  resolve_truncated_keys(order, runs);
  EXPECT_TRUE(runs[0].blocks[0].key_is_cut);
  EXPECT_TRUE(runs[0].blocks[1].key_is_cut);
  EXPECT_TRUE(runs[1].blocks[0].key_is_cut);
  EXPECT_FALSE(runs[1].blocks[1].key_is_cut);
}

TEST(CutKeys, GrowByARankHoweverLongTheRecords) {
  const RecordOrder order(parsed("lines"));
  std::string records;
  for (int i = 0; i < 10; ++i) records.append(100'000, 'x').append("\n");
  auto runs = write_runs(order, {records, records});
  resolve_truncated_keys(order, runs);
  std::set<std::string> keys;
  for (const auto& run : runs) {
    for (const BlockInfo& block : run.blocks) {
      EXPECT_EQ(block.first_key.size(), kIndexKeyBytes + 8);
      keys.insert(std::string(as_text(block.first_key)));
    }
  }
  EXPECT_EQ(keys.size(), 1U) << "equal keys have equal ranks";
}

}  // namespace
}  // namespace sortie

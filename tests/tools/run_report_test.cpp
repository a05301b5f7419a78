#include "tools/inspect/run_report.hpp"

#include <gtest/gtest.h>

#include "run/file_run_storage.hpp"
#include "run/run_writer.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tools/gen/record_source.hpp"

namespace sortie::tools {
namespace {

constexpr std::uint64_t kReportedRecords = 5000;

class RunReport : public testing::Test {
 protected:
  RunReport() {
    std::string records;
    make_record_source({.record_count = kReportedRecords, .distribution = Distribution::kSorted})
        ->generate(0, kReportedRecords, records);
    const RecordOrder order(parse_format("gensort"));
    const auto storage = std::make_shared<FileRunStorage>(files_->create(path_));
    RunWriter writer(order, {.job_id = 0xabc, .run_number = 7}, storage,
                     {.block_bytes = 100'000, .codec = BlockCodec::kZstd});
    writer.append(std::as_bytes(std::span(records)));
    writer.finish();
  }

  void flip_byte_at(std::uint64_t offset) {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(offset));
    const char byte = static_cast<char>(file.get() ^ 1);
    file.seekp(static_cast<std::streamoff>(offset));
    file.put(byte);
  }

  test::TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  std::string path_ = directory_ / "run";
};

TEST_F(RunReport, ShowsHeaderAndTotals) {
  const std::string text = describe_run(open_run_file(*files_, path_));
  for (const char* line : {"Format version: 2\n", "Job: 0000000000000abc\n", "Run: 7\n", "Layout: 100 bytes each\n",
                           "Records: 5000\n", "Record bytes: 500000 (500 kB)\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << " is not in\n" << text;
  }
}

TEST_F(RunReport, HasALineForEachBlock) {
  const RunFile run_file = open_run_file(*files_, path_);
  const std::string text = describe_blocks(run_file.run);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), static_cast<std::ptrdiff_t>(run_file.run.blocks.size()) + 1);
  EXPECT_GE(run_file.run.blocks.size(), 5);
}

TEST_F(RunReport, AWholeFileHasNoDamage) { EXPECT_TRUE(find_damage(open_run_file(*files_, path_)).empty()); }

TEST_F(RunReport, EachDamagedBlockIsNamed) {
  const std::vector<BlockInfo> blocks = open_run_file(*files_, path_).run.blocks;
  flip_byte_at(blocks.at(1).offset + 10);
  flip_byte_at(blocks.at(3).offset);
  const std::vector<std::string> damage = find_damage(open_run_file(*files_, path_));
  ASSERT_EQ(damage.size(), 2);
  EXPECT_NE(damage[0].find("block 1"), std::string::npos) << damage[0];
  EXPECT_NE(damage[1].find("block 3"), std::string::npos) << damage[1];
}

}  // namespace
}  // namespace sortie::tools

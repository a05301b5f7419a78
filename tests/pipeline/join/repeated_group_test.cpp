// Records of a join that are kept in memory, and beyond that in scratch space, to be read again and again.
#include "pipeline/join/repeated_group.hpp"

#include "pipeline/pipeline_support.hpp"

namespace sortie {
namespace {

using namespace test;

class RepeatedGroupTest : public testing::Test {
 protected:
  std::vector<std::string> all(RepeatedGroup& group) {
    std::vector<std::string> records;
    group.for_each([&](std::string_view record) { records.emplace_back(record); });
    return records;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  SilentObserver observer_;
  ScratchSpace scratch_{*files_, {directory_.path().string()}};
};

TEST_F(RepeatedGroupTest, GivesAllRecordsAnyNumberOfTimes) {
  for (const std::size_t most_bytes : {0, 1, 64, 1000, 1 << 20}) {
    RepeatedGroup group(scratch_, most_bytes, observer_);
    for (int round = 0; round < 2; ++round) {
      std::vector<std::string> records;
      for (std::size_t i = 0; i < 200; ++i) {
        records.push_back(std::string(i % 7 == 0 ? 0 : i % 50, static_cast<char>('a' + i % 26)));
        if (i == 77) records.back() = std::string(5000, 'x');
        group.add(records.back());
        if (i % 66 == 0) {
          EXPECT_EQ(all(group), records) << most_bytes;
        }
      }
      EXPECT_EQ(all(group), records) << most_bytes;
      EXPECT_EQ(all(group), records) << most_bytes;
      group.clear();
      EXPECT_TRUE(all(group).empty());
    }
  }
}

}  // namespace
}  // namespace sortie

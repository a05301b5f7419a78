// Inputs that a record reader maps: as one piece, or as lines that are referred to.
#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "base/memory_region.hpp"
#include "pipeline/input/record_reader_support.hpp"

namespace sortie {
namespace {

using namespace test;

/// Lines of a file that is long enough to be mapped, without a final newline.
class WholeInputTest : public RecordReaderTest {
 protected:
  void SetUp() override {
    for (std::uint64_t i = 0; lines_.size() < 40'000'000; ++i) lines_ += "line " + std::to_string(i * 7919) + "\n";
    const std::string contents = lines_.substr(0, lines_.size() - 1);
    path_ = write_inputs(directory_, {contents})[0];
  }

  std::string lines_;
  std::string path_;
  MemoryRegion memory_{48 << 20};
};

TEST_F(WholeInputTest, IsOnePieceOfAllRecords) {
  RecordReader reader = open({path_}, Format());
  reader.allow_mapping(kLeastMappedBytes);
  const PieceSource::WholeInput whole = reader.whole_input();
  ASSERT_GE(whole.bytes, lines_.size());
  const RecordReader::Piece piece = reader.read_whole(memory_.bytes().first(whole.bytes), kAnyNumber);
  if (piece.status == RecordReader::Status::kTooSmall) GTEST_SKIP() << "files here cannot be mapped";
  EXPECT_EQ(piece.bytes, lines_.size());
  EXPECT_LE(piece.records, whole.records);
  EXPECT_EQ(std::memcmp(memory_.data(), lines_.data(), lines_.size()), 0);
  EXPECT_EQ(reader.totals(), totals_of(Format(), as_bytes(lines_), true));
  EXPECT_TRUE(reader.at_end());
  reader.check();
}

TEST_F(WholeInputTest, MayBeWrittenToWhenItsMemoryIsGone) {
  RecordReader reader = open({path_}, Format());
  reader.allow_mapping(kLeastMappedBytes);
  const RecordReader::Piece piece = reader.read_whole(memory_.bytes().first(reader.whole_input().bytes), kAnyNumber);
  if (piece.status == RecordReader::Status::kTooSmall) GTEST_SKIP() << "files here cannot be mapped";
  reader.finish_whole();
  memory_ = MemoryRegion();
  const int writer = ::open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  EXPECT_GE(writer, 0) << "the lease is still held";
  ::close(writer);
  reader.check();
}

TEST_F(WholeInputTest, IsReadAsUsualWhenItHoldsTooManyRecords) {
  RecordReader reader = open({path_}, Format());
  reader.allow_mapping(kLeastMappedBytes);
  const std::uint64_t bytes = reader.whole_input().bytes;
  EXPECT_EQ(reader.read_whole(memory_.bytes().first(bytes), 1000).status, RecordReader::Status::kTooSmall);
  EXPECT_EQ(reader.totals().records, 0U);
  EXPECT_EQ(read_all(reader, Format(), 10'000'000, kAnyNumber), lines_);
}

TEST_F(WholeInputTest, IsNotOneOfSeveralInputsNorOneThatHasBeenReadFrom) {
  RecordReader two = open({path_, path_}, Format());
  two.allow_mapping(kLeastMappedBytes);
  EXPECT_EQ(two.whole_input().bytes, 0U);
  RecordReader reader = open({path_}, Format());
  reader.allow_mapping(kLeastMappedBytes);
  reader.read(memory_.bytes().first(1000), kAnyNumber);
  EXPECT_EQ(reader.whole_input().bytes, 0U);
  RecordReader copying = open({path_}, Format());
  EXPECT_EQ(copying.whole_input().bytes, 0U);
  copying.allow_mapping(lines_.size());
  EXPECT_EQ(copying.whole_input().bytes, 0U) << "it is a byte shorter";
  copying.allow_mapping(kLeastMappedBytes);
  EXPECT_NE(copying.whole_input().bytes, 0U);
}

TEST_F(WholeInputTest, IsTakenInPartsWhereItIsMapped) {
  RecordReader reader = open({path_}, Format());
  reader.allow_mapping(kLeastMappedBytes);
  const std::span<const std::byte> lines = reader.map_lines();
  if (lines.empty()) GTEST_SKIP() << "files here cannot be mapped";
  EXPECT_TRUE(as_text(lines) == lines_);
  EXPECT_FALSE(reader.at_end());
  const std::vector<std::byte> sample = reader.sample(64 << 10);
  EXPECT_NE(as_text(sample).find("\nline " + std::to_string(7919 * 1'000'000ULL).substr(0, 3)), std::string::npos);
  std::size_t taken = 0;
  while (!reader.at_end()) {
    EXPECT_NE(reader.position().find("offset " + std::to_string(taken)), std::string::npos);
    const std::span<const std::byte> next = reader.next_mapped(5'000'000);
    ASSERT_EQ(next.data(), lines.data() + taken);
    ASSERT_EQ(as_text(next).back(), '\n');
    taken += next.size();
  }
  EXPECT_EQ(taken, lines_.size());
  EXPECT_EQ(reader.totals(), totals_of(Format(), as_bytes(lines_), true));
}

TEST_F(WholeInputTest, IsReadAsUsualWhenItIsMappedNoMore) {
  RecordReader reader = open({path_}, Format());
  reader.allow_mapping(kLeastMappedBytes);
  if (reader.map_lines().empty()) GTEST_SKIP() << "files here cannot be mapped";
  reader.unmap();
  EXPECT_TRUE(reader.mapped_lines().empty());
  EXPECT_EQ(read_all(reader, Format(), 10'000'000, kAnyNumber), lines_);
}

}  // namespace
}  // namespace sortie

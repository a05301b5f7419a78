#include "pipeline/input/record_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <limits>
#include <thread>

#include "base/memory_region.hpp"
#include "pipeline/pipeline_support.hpp"
#include "record/csv/csv_order.hpp"
#include "support/faulty_file_system.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();

class RecordReaderTest : public testing::Test {
 protected:
  RecordReader open(const std::vector<std::string>& paths, const Format& format) {
    return RecordReader(*files_, paths, format, true, observer_);
  }

  /// Reads everything in pieces, growing them when a record does not fit, and checks the reader's promises.
  std::string read_all(RecordReader& reader, const Format& format, std::size_t piece_bytes, std::uint64_t max_records) {
    const Layout layout = layout_of(format);
    std::string all;
    std::string piece(piece_bytes, '?');
    for (int idle = 0; idle < 40;) {
      const RecordReader::Piece read = reader.read(as_writable(piece), max_records);
      if (read.status == RecordReader::Status::kEnd) {
        EXPECT_EQ(reader.totals(), totals_of(format, as_bytes(all), true));
        EXPECT_TRUE(reader.at_end());
        return all;
      }
      if (read.status == RecordReader::Status::kTooSmall) {
        piece.resize(2 * piece.size());
        ++idle;
        continue;
      }
      EXPECT_LE(read.bytes, piece.size());
      EXPECT_LE(read.records, max_records);
      EXPECT_EQ(read.records, count_records(layout, as_bytes(piece).first(read.bytes)));
      EXPECT_EQ(whole_records(layout, as_bytes(piece).first(read.bytes)), read.bytes);
      EXPECT_GT(read.bytes, 0U);
      all += piece.substr(0, read.bytes);
      piece.resize(piece_bytes);
      idle = 0;
    }
    ADD_FAILURE() << "the reader stands still";
    return all;
  }

  /// Expects the whole input if the first pieces are read ahead, in another size than that of the pieces that take
  /// them.
  void expect_whole_input_ahead(const Format& format, const std::vector<std::string>& contents) {
    const auto paths = write_inputs(directory_, contents);
    for (const std::size_t ahead_bytes : {20, 64, 1000}) {
      for (const std::size_t piece_bytes : {10, 64, 333, 5000}) {
        for (const std::uint64_t max_records : {std::uint64_t{1}, std::uint64_t{7}, kAnyNumber}) {
          SCOPED_TRACE("ahead " + std::to_string(ahead_bytes) + ", pieces of " + std::to_string(piece_bytes) +
                       ", at most " + std::to_string(max_records));
          RecordReader reader = open(paths, format);
          for (int i = 0; i < 5 && reader.read_ahead(ahead_bytes); ++i) EXPECT_FALSE(reader.at_end());
          EXPECT_EQ(reader.totals().records, 0U);
          ASSERT_EQ(read_all(reader, format, piece_bytes, max_records), completed(format, contents));
          EXPECT_EQ(reader.ahead_memory_bytes(), 0U);
        }
      }
    }
  }

  void expect_whole_input(const Format& format, const std::vector<std::string>& contents) {
    const auto paths = write_inputs(directory_, contents);
    for (const std::size_t piece_bytes : {1, 2, 3, 7, 64, 1000, 1 << 20}) {
      for (const std::uint64_t max_records : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{100}, kAnyNumber}) {
        SCOPED_TRACE("pieces of " + std::to_string(piece_bytes) + ", at most " + std::to_string(max_records));
        RecordReader reader = open(paths, format);
        ASSERT_EQ(read_all(reader, format, piece_bytes, max_records), completed(format, contents));
      }
    }
  }

  TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  SilentObserver observer_;
};

TEST_F(RecordReaderTest, GivesTheWholeInputInPiecesOfAnySize) {
  for (const char* name : {"lines", "fixed:1", "fixed:10", "u32"}) {
    SCOPED_TRACE(name);
    const Format format = parsed(name);
    expect_whole_input(format, {make_records(format, Distribution::kUniform, 300)});
  }
}

TEST_F(RecordReaderTest, GivesCsvInPiecesOfAnySize) {
  const Format format = csv_format({});
  expect_whole_input(format, {well_formed_csv(60, 1), "", well_formed_csv(5, 2, "\r\n") + "\"a\n\",1", "b,\"\""});
  expect_whole_input_ahead(format, {well_formed_csv(300, 3)});
}

TEST_F(RecordReaderTest, CountsPiecesThatAreReadInSlices) {
  for (const char* name : {"lines", "fixed:10", "u64"}) {
    SCOPED_TRACE(name);
    const Format format = parsed(name);
    const std::string bytes = make_records(format, Distribution::kUniform, 400'000);
    const std::vector<std::string> contents = {bytes, bytes.substr(0, bytes.size() / 4000 * 1000), bytes};
    const auto paths = write_inputs(directory_, contents);
    for (const std::uint64_t max_records : {std::uint64_t{100'003}, kAnyNumber}) {
      RecordReader reader = open(paths, format);
      ASSERT_EQ(read_all(reader, format, 4'000'000, max_records), completed(format, contents));
    }
  }
}

TEST_F(RecordReaderTest, ReadsSeveralInputsOneAfterAnother) {
  for (const char* name : {"lines", "fixed:10"}) {
    SCOPED_TRACE(name);
    const Format format = parsed(name);
    expect_whole_input(
        format, {make_records(format, Distribution::kUniform, 50), "", "", make_records(format, Distribution::kZipf, 3),
                 make_records(format, Distribution::kSorted, 90), ""});
  }
}

TEST_F(RecordReaderTest, CompletesTheLastLineOfEveryInput) {
  expect_whole_input(parsed("lines"), {"one\ntwo", "three", "\n", "", "four\n", "five"});
  expect_whole_input(parsed("lines"), {"x"});
  Format zero = parsed("lines");
  zero.delimiter = '\0';
  expect_whole_input(zero, {std::string("a\0b", 3), "c\nd"});
}

TEST_F(RecordReaderTest, GivesWhatWasReadAheadFirst) {
  for (const char* name : {"lines", "fixed:10", "u32"}) {
    SCOPED_TRACE(name);
    const Format format = parsed(name);
    expect_whole_input_ahead(
        format, {make_records(format, Distribution::kUniform, 300), "", make_records(format, Distribution::kZipf, 40)});
  }
}

TEST_F(RecordReaderTest, ReadsAheadNoFurtherThanALineThatDoesNotFit) {
  const std::string long_line(100, 'x');
  const auto paths = write_inputs(directory_, {"a\nb\n" + long_line + "\nc"});
  RecordReader reader = open(paths, parsed("lines"));
  EXPECT_TRUE(reader.read_ahead(20));
  EXPECT_FALSE(reader.read_ahead(20));
  EXPECT_FALSE(reader.read_ahead(20));
  EXPECT_EQ(reader.ahead_memory_bytes(), 20U);
  EXPECT_EQ(reader.position(), "input '" + paths[0] + "' at offset 0");
  EXPECT_EQ(read_all(reader, parsed("lines"), 10, kAnyNumber), "a\nb\n" + long_line + "\nc\n");
}

TEST_F(RecordReaderTest, KnowsTheSizeOfAPipeThatWasReadAheadToItsEnd) {
  const std::string pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { write_whole_file(pipe, "one\ntwo\nthree"); });
  RecordReader reader = open({pipe}, parsed("lines"));
  EXPECT_EQ(reader.total_bytes(), std::nullopt);
  while (reader.read_ahead(10)) {
  }
  writer.join();
  EXPECT_EQ(reader.total_bytes(), 14U);
  EXPECT_FALSE(reader.at_end());
  EXPECT_EQ(read_all(reader, parsed("lines"), 10, kAnyNumber), "one\ntwo\nthree\n");
  EXPECT_EQ(reader.total_bytes(), 14U);
}

TEST_F(RecordReaderTest, ReportsWhatIsWrongWithInputThatIsReadAhead) {
  const std::string pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { write_whole_file(pipe, std::string(34, 'y')); });
  RecordReader reader = open({pipe}, parsed("fixed:10"));
  const std::string message = error_of([&] {
    while (reader.read_ahead(20)) {
    }
  });
  writer.join();
  EXPECT_NE(message.find("a stray tail of 4 bytes begins at offset 30"), std::string::npos) << message;
}

TEST_F(RecordReaderTest, GivesNothingForEmptyInputs) {
  expect_whole_input(parsed("lines"), {});
  expect_whole_input(parsed("lines"), {"", ""});
  expect_whole_input(parsed("gensort"), {""});
}

TEST_F(RecordReaderTest, GivesLongLinesOnceThePieceIsLargeEnough) {
  expect_whole_input(parsed("lines"),
                     {std::string(5000, 'x') + "\nshort\n" + std::string(3000, 'y'), std::string(10'000, 'z')});
}

TEST_F(RecordReaderTest, SaysHowMuchOfARecordThatDoesNotFitIsThere) {
  const auto paths = write_inputs(directory_, {std::string(100, 'x') + "\n"});
  RecordReader reader = open(paths, parsed("lines"));
  std::string piece(50, '?');
  const RecordReader::Piece read = reader.read(as_writable(piece), kAnyNumber);
  EXPECT_EQ(read.status, RecordReader::Status::kTooSmall);
  EXPECT_GE(read.bytes, 49U);
  EXPECT_EQ(reader.position(), "input '" + paths[0] + "' at offset 0");
  std::string larger(80, '?');
  EXPECT_EQ(reader.read(as_writable(larger), kAnyNumber).status, RecordReader::Status::kTooSmall);
  EXPECT_GE(reader.read(as_writable(piece), kAnyNumber).bytes, 79U) << "what is carried over is known, too";
}

TEST_F(RecordReaderTest, KnowsTheSizeOfPlainFiles) {
  const auto paths = write_inputs(directory_, {"abc\n", "de"});
  EXPECT_EQ(open(paths, parsed("lines")).total_bytes(), 6U);
}

TEST_F(RecordReaderTest, KnowsTheEndOfPlainFilesBeforeItReadsOn) {
  const auto paths = write_inputs(directory_, {"ab\n", "cd\n"});
  RecordReader reader = open(paths, parsed("lines"));
  std::string piece(4, '?');
  EXPECT_FALSE(reader.at_end());
  EXPECT_EQ(reader.read(as_writable(piece), kAnyNumber).bytes, 3U);
  EXPECT_FALSE(reader.at_end());
  EXPECT_EQ(reader.read(as_writable(piece), kAnyNumber).bytes, 3U);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(reader.read(as_writable(piece), kAnyNumber).status, RecordReader::Status::kEnd);
}

TEST_F(RecordReaderTest, GivesASampleAndKeepsIt) {
  const auto paths = write_inputs(directory_, {"ab\ncd\nef", "gh\n"});
  RecordReader reader = open(paths, parsed("lines"));
  const auto sample = [&](std::size_t most_bytes) { return std::string(as_text(reader.sample(most_bytes))); };
  EXPECT_EQ(sample(7), "ab\ncd\n");
  EXPECT_EQ(sample(100), "ab\ncd\n");
  EXPECT_EQ(sample(2), "");
  std::string piece(4, '?');
  EXPECT_EQ(reader.read(as_writable(piece), kAnyNumber).input_bytes, 3U);
  ASSERT_TRUE(reader.read_ahead(4));
  EXPECT_EQ(sample(100), "cd\n");
  EXPECT_EQ(sample(2), "");
}

TEST_F(RecordReaderTest, RefusesAStrayTailWithItsOffsetWhenItIsOpened) {
  const auto paths = write_inputs(directory_, {std::string(20, 'x'), std::string(34, 'y')});
  const std::string message = error_of([&] { open(paths, parsed("fixed:10")); });
  EXPECT_NE(message.find(paths[1]), std::string::npos) << message;
  EXPECT_NE(message.find("a stray tail of 4 bytes begins at offset 30"), std::string::npos) << message;
}

TEST_F(RecordReaderTest, RefusesAStrayTailOfAPipeAtItsEnd) {
  const std::string pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { write_whole_file(pipe, std::string(34, 'y')); });
  RecordReader reader = open({pipe}, parsed("fixed:10"));
  EXPECT_EQ(reader.total_bytes(), std::nullopt);
  std::string piece(16, '?');
  const std::string message = error_of([&] {
    while (reader.read(as_writable(piece), kAnyNumber).status != RecordReader::Status::kEnd) {
    }
  });
  writer.join();
  EXPECT_NE(message.find("a stray tail of 4 bytes begins at offset 30"), std::string::npos) << message;
}

TEST_F(RecordReaderTest, ReadsPipesThatGiveAByteAtATime) {
  const std::string pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Format format = parsed("lines");
  const std::string bytes = make_records(format, Distribution::kUniform, 100) + "unfinished";
  std::thread writer([&] { write_whole_file(pipe, bytes); });
  FaultPlan short_reads;
  short_reads.short_reads = true;
  FaultyFileSystem slow(*files_, short_reads);
  RecordReader reader(slow, {pipe}, format, true, observer_);
  EXPECT_FALSE(reader.at_end());
  EXPECT_EQ(read_all(reader, format, 40, kAnyNumber), bytes + "\n");
  writer.join();
}

TEST_F(RecordReaderTest, NamesAMissingInputBeforeItReadsAny) {
  const auto paths = write_inputs(directory_, {"a\n"});
  const std::string message = error_of([&] { open({paths[0], directory_ / "missing"}, parsed("lines")); });
  EXPECT_NE(message.find("missing"), std::string::npos) << message;
}

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

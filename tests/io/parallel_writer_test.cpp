#include "io/output/parallel_writer.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "base/size.hpp"
#include "io/io_support.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temporary_directory.hpp"
#include "support/turns.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using test::as_bytes;

constexpr std::size_t kMebibyte = 1 << 20;

std::string written_text(std::size_t bytes) {
  std::mt19937_64 random(17);
  std::string text(bytes, '?');
  for (char& character : text) character = static_cast<char>(random() & 0xff);
  return text;
}

class ParallelWriterTest : public testing::Test {
 protected:
  std::string contents() const { return test::read_whole_file(directory_ / "data"); }

  test::TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> posix_files_ = make_posix_file_system();
  // Counts the operations that reach the file: one for a whole part, or one per slice.
  test::FaultyFileSystem files_{*posix_files_, {}};
};

// Writes all of `text` in parts of `part_bytes`. Returns the largest number of operations that a part took.
std::uint64_t write_in_parts(test::FaultyFileSystem& files, ParallelWriter& writer, const std::string& text,
                             std::size_t part_bytes) {
  std::uint64_t most = 0;
  for (std::size_t at = 0; at < text.size(); at += part_bytes) {
    const std::uint64_t before = files.operations();
    writer.write_at(at, as_bytes(text).subspan(at, std::min(part_bytes, text.size() - at)));
    most = std::max(most, files.operations() - before);
  }
  return most;
}

TEST_F(ParallelWriterTest, WritesTheSameBytesHoweverItWritesThem) {
  const std::string text = written_text(40 * kMebibyte + 12'345);
  test::with_threads(4, [&] {
    for (const std::size_t part_bytes : test::turns_of({3 * kMebibyte + 1, 7 * kMebibyte, 13 * kMebibyte + 4095})) {
      const test::TemporaryDirectory directory;
      const auto file = files_.create(directory / "data", {});
      ParallelWriter writer(*file);
      writer.reserve(text.size());
      EXPECT_GT(write_in_parts(files_, writer, text, part_bytes), 1u) << "nothing was written in slices";
      EXPECT_TRUE(test::read_whole_file(directory / "data") == text);
    }
  });
}

TEST_F(ParallelWriterTest, ReservesWhatNobodyExpected) {
  const std::string text = written_text(30 * kMebibyte);
  test::with_threads(4, [&] {
    const auto file = files_.create(directory_ / "data", {});
    ParallelWriter writer(*file);
    writer.reserve(9 * kMebibyte);
    EXPECT_GT(write_in_parts(files_, writer, text, 5 * kMebibyte), 2u) << "nothing was written in slices";
    EXPECT_GT(writer.reserved_bytes(), 9 * kMebibyte);
  });
  EXPECT_TRUE(contents() == text);
}

TEST_F(ParallelWriterTest, MapsNothingWhereNoSpaceCanBeReserved) {
  const std::string text = written_text(30 * kMebibyte);
  test::FaultPlan plan;
  plan.cannot_reserve = true;
  test::FaultyFileSystem files(*posix_files_, plan);
  test::with_threads(4, [&] {
    const auto file = files.create(directory_ / "data", {});
    ParallelWriter writer(*file);
    EXPECT_LE(write_in_parts(files, writer, text, 5 * kMebibyte), 2u) << "more than an attempt to reserve and a write";
    EXPECT_EQ(writer.reserved_bytes(), 0u);
  });
  EXPECT_TRUE(contents() == text);
}

TEST_F(ParallelWriterTest, FewThreadsWriteEachPartInOneCall) {
  const std::string text = written_text(20 * kMebibyte);
  test::with_threads(2, [&] {
    const auto file = files_.create(directory_ / "data", {});
    ParallelWriter writer(*file);
    writer.reserve(text.size());
    EXPECT_EQ(write_in_parts(files_, writer, text, 5 * kMebibyte), 1u);
  });
  EXPECT_TRUE(contents() == text);
}

// Files that lie in memory, for as long as the test runs.
class FilesInMemory : public testing::Test {
 protected:
  static constexpr const char* kMemory = "/dev/shm";

  void SetUp() override {
    if (!files_->free_space(kMemory).lies_in_memory) GTEST_SKIP() << kMemory << " is no file system in memory";
  }

  // Announced bit by bit, as that of a pipe: pieces end in the middle of huge pages.
  static constexpr std::uint64_t kAnnounced[] = {5 * kMebibyte + 7, 6 * kMebibyte, 13 * kMebibyte + 1,
                                                 30 * kMebibyte + 12'345};

  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
};
using SpacePreparerTest = FilesInMemory;
using EarlyWrites = FilesInMemory;

// As large files in memory are written, in pieces that end in the middle of huge pages.
TEST_F(SpacePreparerTest, MakesHugePagesInMemoryAndKeepsWhatLiesThere) {
  const std::string text = written_text(kAnnounced[3]);
  for (const std::size_t most_threads : {SpacePreparer::kAnyThreads, std::size_t{1}}) {
    const test::TemporaryDirectory directory(kMemory);
    test::with_threads(4, [&] {
      const auto file = files_->create(directory / "data", {});
      SpacePreparer preparer(*file, most_threads);
      for (const std::uint64_t bytes : kAnnounced) {
        ASSERT_TRUE(file->allocate(bytes));
        preparer.extend_to(bytes, true);
        ASSERT_TRUE(preparer.wait());
        if (bytes == 5 * kMebibyte + 7) file->write_at(4 * kMebibyte, as_bytes(text).subspan(4 * kMebibyte, 100));
      }
      struct stat status;
      ASSERT_EQ(::stat((directory / "data").c_str(), &status), 0);
      EXPECT_GE(static_cast<std::uint64_t>(status.st_blocks) * 512, text.size()) << "some of the space is a hole";
      std::string expected(text.size(), '\0');
      expected.replace(4 * kMebibyte, 100, text, 4 * kMebibyte, 100);
      EXPECT_TRUE(test::read_whole_file(directory / "data") == expected);
      for (std::size_t at = 0; at < text.size(); at += 3 * kMebibyte) {
        file->write_mapped_at(at, as_bytes(text).subspan(at, std::min(3 * kMebibyte, text.size() - at)));
      }
      EXPECT_TRUE(test::read_whole_file(directory / "data") == text);
    });
  }
}

// Some parts come in their turn, while space is prepared, the others early and in any order.
TEST_F(EarlyWrites, GoToHugePagesOnceTheseAreMade) {
  constexpr std::size_t kPartBytes = 3 * kMebibyte + 5;
  const std::string text = written_text(70 * kMebibyte + 12'345);
  for (const std::uint64_t least_huge_bytes : {4 * kMebibyte, std::size_t{1} << 30}) {
    const test::TemporaryDirectory directory(kMemory);
    test::with_threads(4, [&] {
      const auto file = files_->create(directory / "data", {});
      ParallelWriter writer(*file, least_huge_bytes);
      EXPECT_FALSE(writer.write_early(kPartBytes, as_bytes(text).subspan(kPartBytes, 1))) << "nothing is prepared";
      writer.reserve(text.size());
      writer.write_at(0, as_bytes(text).first(kPartBytes));  // waits for the space
      const bool is_huge = least_huge_bytes < text.size();
      const std::size_t parts = divide_up(text.size(), kPartBytes);
      parallel_for(1, parts, [&](std::size_t i) {
        const std::size_t begin = (parts - i) * kPartBytes;
        const auto part = as_bytes(text).subspan(begin, std::min(kPartBytes, text.size() - begin));
        EXPECT_EQ(writer.write_early(begin, part), is_huge);
      });
      EXPECT_EQ(writer.takes_early(), is_huge);
      EXPECT_FALSE(writer.write_early(text.size(), as_bytes(text).first(1))) << "the page is there, the byte is not";
      EXPECT_FALSE(writer.write_early(text.size() + kHugePageBytes, as_bytes(text).first(1))) << "nothing is there";
      EXPECT_EQ(test::read_whole_file(directory / "data").substr(0, text.size()) == text, is_huge);
    });
  }
}

// Early or in their turn.
TEST_F(EarlyWrites, DoNotCopyWhatWasMadeInRoomOfTheFile) {
  const test::TemporaryDirectory directory(kMemory);
  const std::string text = written_text(70 * kMebibyte + 12'345);
  test::with_threads(4, [&] {
    const auto file = files_->create(directory / "data", {});
    ParallelWriter writer(*file, 4 * kMebibyte);
    EXPECT_TRUE(writer.early_room(0, 1, true).empty()) << "nothing is prepared";
    writer.reserve(text.size());
    const std::span<std::byte> room = writer.early_room(0, text.size(), true);
    ASSERT_EQ(room.size(), text.size());
    EXPECT_TRUE(writer.early_room(1, text.size(), false).empty()) << "the file ends";
    std::memcpy(room.data(), text.data(), text.size());
    EXPECT_TRUE(writer.write_early(5 * kMebibyte, room.subspan(5 * kMebibyte)));
    writer.finish_early(3 * kMebibyte);
    writer.write_at(0, room.first(5 * kMebibyte));
    EXPECT_TRUE(test::read_whole_file(directory / "data") == text);
    writer.write_at(7, room.subspan(8, kMebibyte));  // not where it was made
    EXPECT_TRUE(test::read_whole_file(directory / "data").substr(7, 100) == text.substr(8, 100));
  });
}

// What was announced bit by bit, as of a pipe, is all there in the end.
TEST_F(EarlyWrites, AreTakenAfterAnnouncementsThatEndInHugePages) {
  const test::TemporaryDirectory directory(kMemory);
  const std::string text = written_text(kAnnounced[3]);
  test::with_threads(4, [&] {
    const auto file = files_->create(directory / "data", {});
    ParallelWriter writer(*file, kMebibyte);
    for (const std::uint64_t bytes : kAnnounced) {
      writer.reserve(bytes);
      writer.write_at(0, as_bytes(text).first(4 * kMebibyte));  // waits for the space
      EXPECT_TRUE(writer.takes_early()) << bytes;
    }
    EXPECT_TRUE(writer.write_early(4 * kMebibyte, as_bytes(text).subspan(4 * kMebibyte)));
    EXPECT_TRUE(test::read_whole_file(directory / "data") == text);
  });
}

// If space cannot be reserved for mapped writes, the bytes are written in another way.
TEST_F(ParallelWriterTest, ReportsTheSliceThatFails) {
  const std::string text = written_text(32 * kMebibyte);
  for (std::uint64_t operation = 2; operation < 12; ++operation) {
    const test::TemporaryDirectory directory;
    test::FaultPlan plan;
    plan.first = operation;
    plan.error_number = ENOSPC;
    test::FaultyFileSystem faulty(*posix_files_, plan);
    test::with_threads(4, [&] {
      const auto file = faulty.create(directory / "data", {});
      ParallelWriter writer(*file);
      std::string message;
      try {
        writer.reserve(text.size());
        write_in_parts(faulty, writer, text, 8 * kMebibyte);
      } catch (const Error& error) {
        message = error.what();
      }
      if (faulty.first_failed() == "prepare") {
        EXPECT_TRUE(message.empty() && test::read_whole_file(directory / "data") == text) << message;
      } else {
        EXPECT_NE(message.find("No space left on device"), std::string::npos) << message;
      }
    });
  }
}

}  // namespace
}  // namespace sortie

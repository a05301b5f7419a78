#include "io/input/input.hpp"
#include "io/input/open_input.hpp"

#include <random>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/io_support.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temporary_directory.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using test::as_writable;
using test::read_all;

std::string random_text(std::size_t bytes) {
  std::mt19937_64 random(7);
  std::string text(bytes, '\0');
  for (char& character : text) character = static_cast<char>(random());
  return text;
}

class InputTest : public testing::Test {
 protected:
  test::TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
};

TEST_F(InputTest, ParallelReadEqualsSequentialRead) {
  // Sizes around the length that one thread reads at a time.
  for (const std::size_t bytes : test::turns_of({1ul, 4194303ul, 4194304ul, 4194305ul, 21000001ul})) {
    const std::string contents = random_text(bytes);
    test::write_whole_file(directory_ / "data", contents);
    EXPECT_EQ(read_all(*open_input(*files_, directory_ / "data"), 100'000'000), contents) << bytes;
    EXPECT_EQ(read_all(*open_input(*files_, directory_ / "data"), 9'999'999), contents) << bytes;
    EXPECT_EQ(read_all(*open_input(*files_, directory_ / "data"), 65'537), contents) << bytes;
  }
}

TEST_F(InputTest, TellsSizeAndWhatComesNext) {
  test::write_whole_file(directory_ / "data", "12345");
  const auto input = open_input(*files_, directory_ / "data");
  EXPECT_EQ(input->size(), 5u);
  EXPECT_EQ(input->path(), directory_ / "data");
  std::string text(3, '?');
  EXPECT_EQ(input->peek(0, as_writable(text)), 3u);
  EXPECT_EQ(text, "123");
  EXPECT_EQ(input->peek(1, as_writable(text)), 3u);
  EXPECT_EQ(text, "234");
  EXPECT_EQ(input->peek(4, as_writable(text)), 1u);
  EXPECT_EQ(input->peek(6, as_writable(text)), 0u);
  EXPECT_EQ(read_all(*input), "12345");
}

TEST_F(InputTest, PassesOverWhatWasReadBefore) {
  const std::string contents = random_text(3'000'000);
  test::write_whole_file(directory_ / "data", contents);
  const auto input = open_input(*files_, directory_ / "data");
  input->skip(1);
  input->skip(2'000'000);
  EXPECT_EQ(read_all(*input), contents.substr(2'000'001));
  EXPECT_THROW(input->skip(1), Error);

  const test::Redirection redirected(STDIN_FILENO, test::pipe_with(contents.substr(0, 60'000)));
  const auto pipe = open_input(*files_, "-");
  pipe->skip(50'000);
  EXPECT_EQ(read_all(*pipe), contents.substr(50'000, 10'000));
  EXPECT_THROW(pipe->skip(1), Error);
}

TEST_F(InputTest, AnEmptyFileIsEmpty) {
  test::write_whole_file(directory_ / "data", "");
  EXPECT_EQ(read_all(*open_input(*files_, directory_ / "data")), "");
  EXPECT_EQ(read_all(*open_input(*files_, "/dev/null")), "");
}

TEST_F(InputTest, ReadsFilesThatTellNoSize) {
  EXPECT_FALSE(read_all(*open_input(*files_, "/proc/self/status")).empty());
  // This file claims to hold a page.
  const std::string path = "/sys/kernel/mm/transparent_hugepage/enabled";
  if (::access(path.c_str(), R_OK) == 0) {
    EXPECT_FALSE(read_all(*open_input(*files_, path)).empty());
  }
}

TEST_F(InputTest, ReadsAPipe) {
  const std::string contents = random_text(60'000);
  const test::Redirection redirected(STDIN_FILENO, test::pipe_with(contents));
  const auto input = open_input(*files_, "-");
  EXPECT_EQ(input->path(), "-");
  EXPECT_EQ(input->size(), std::nullopt);
  std::byte next{};
  EXPECT_EQ(input->peek(0, {&next, 1}), 0u);
  EXPECT_EQ(read_all(*input, 1000), contents);
}

TEST_F(InputTest, FillsTheTargetFromAPipeThatGivesLittle) {
  test::FaultPlan plan;
  plan.short_reads = true;
  test::FaultyFileSystem slow(*files_, plan);
  const test::Redirection redirected(STDIN_FILENO, test::pipe_with("little by little"));
  const auto input = open_input(slow, "-");
  std::string text(10, '?');
  EXPECT_EQ(input->read(as_writable(text)), 10u);
  EXPECT_EQ(text, "little by ");
  EXPECT_EQ(input->read(as_writable(text)), 6u);
}

TEST_F(InputTest, ReadsANamedPipe) {
  ASSERT_EQ(::mkfifo((directory_ / "pipe").c_str(), 0600), 0);
  const std::string contents = random_text(3'000'000);
  std::thread writer([&] { test::write_whole_file(directory_ / "pipe", contents); });
  EXPECT_EQ(read_all(*open_input(*files_, directory_ / "pipe"), 1'000'000), contents);
  writer.join();
}

TEST_F(InputTest, ReadsTheRestOfARedirectedFile) {
  test::write_whole_file(directory_ / "data", "header\nrest\n");
  const int descriptor = ::open((directory_ / "data").c_str(), O_RDONLY);
  ::lseek(descriptor, 7, SEEK_SET);
  const test::Redirection redirected(STDIN_FILENO, descriptor);
  EXPECT_EQ(read_all(*open_input(*files_, "-")), "rest\n");
}

TEST_F(InputTest, RefusesAFileThatShrinksWhileItIsRead) {
  test::write_whole_file(directory_ / "data", random_text(10'000'000));
  const auto input = open_input(*files_, directory_ / "data");
  std::filesystem::resize_file(directory_ / "data", 9'000'000);
  std::string text(10'000'000, '?');
  EXPECT_EQ(
      test::error_of([&] { input->read(as_writable(text)); }),
      "read failed: " + (directory_ / "data") + ": it was cut short while it was read, from 10000000 bytes to 9000000");
}

TEST_F(InputTest, IgnoresWhatAFileGrowsBy) {
  test::write_whole_file(directory_ / "data", "before");
  const auto input = open_input(*files_, directory_ / "data");
  test::write_whole_file(directory_ / "data", "before and after");
  EXPECT_EQ(read_all(*input), "before");
}

TEST_F(InputTest, EveryFailedOperationIsReported) {
  test::write_whole_file(directory_ / "data", "contents");
  for (std::uint64_t first = 1;; ++first) {
    test::FaultPlan plan;
    plan.first = first;
    test::FaultyFileSystem faulty(*files_, plan);
    std::string text;
    try {
      text = read_all(*open_input(faulty, directory_ / "data"));
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("data: Input/output error"));
      continue;
    }
    EXPECT_EQ(text, "contents");
    EXPECT_GE(first, 4u) << "open, examine and reads can fail";
    break;
  }
}

TEST_F(InputTest, EveryFailedSliceIsReported) {
  const std::string contents = random_text(9'000'001);
  test::write_whole_file(directory_ / "data", contents);
  std::uint64_t first = 1;
  for (;; ++first) {
    test::FaultPlan plan;
    plan.first = first;
    test::FaultyFileSystem faulty(*files_, plan);
    std::string text(contents.size(), '?');
    try {
      open_input(faulty, directory_ / "data")->read(as_writable(text));
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("data: Input/output error"));
      continue;
    }
    EXPECT_EQ(text, contents);
    break;
  }
  EXPECT_GE(first, 6u) << "open, examine, the magic and at least three slices can fail";
}

}  // namespace
}  // namespace sortie

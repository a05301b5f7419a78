#include "pipeline/input/input_opener.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "pipeline/pipeline_support.hpp"

namespace sortie {
namespace {

using namespace test;
namespace fs = std::filesystem;

constexpr std::size_t kManyInputs = 500;

/// The number of open files in `directory`.
std::size_t count_open_in(const std::string& directory) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code closed_meanwhile;
    const std::string target = fs::read_symlink(entry.path(), closed_meanwhile).string();
    if (target.starts_with(fs::canonical(directory).string())) ++count;
  }
  return count;
}

std::string read_all(Input& input) {
  std::string text(1000, '?');
  text.resize(input.read(as_writable(text)));
  return text;
}

class InputOpenerTest : public testing::Test {
 protected:
  InputOpener opener_for(const std::vector<std::string>& paths) {
    SortOptions options;
    options.inputs = paths;
    options.header_lines = header_lines_;
    return InputOpener(*files_, options);
  }

  std::string write(const std::string& name, const std::string& contents) {
    write_whole_file(directory_ / name, contents);
    return directory_ / name;
  }

  /// Opens two inputs in turn, calls `change` with the path of the second, and then reads the second.
  std::string second_after(const std::function<void(const std::string&)>& change) {
    const std::vector<std::string> paths = {write("first", "1\n"), write("second", "22\n33\n")};
    InputOpener opener = opener_for(paths);
    opener.open(paths[0]);
    const auto second = opener.open(paths[1]);
    change(paths[1]);
    return read_all(*second);
  }

  TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  std::uint64_t header_lines_ = 0;
};

TEST_F(InputOpenerTest, HasOneInputOpenHoweverManyThereAre) {
  for (header_lines_ = 0; header_lines_ < 2; ++header_lines_) {
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < kManyInputs; ++i) paths.push_back(write("in" + std::to_string(i), "head\nline\n"));
    InputOpener opener = opener_for(paths);
    opener.find_header(paths);
    std::vector<std::unique_ptr<Input>> inputs;
    for (const std::string& path : paths) inputs.push_back(opener.open(path));
    EXPECT_LE(count_open_in(directory_ / ""), 1U);
    for (const auto& input : inputs) {
      EXPECT_EQ(input->begin(), 5 * header_lines_);
      EXPECT_EQ(read_all(*input), header_lines_ == 0 ? "head\nline\n" : "line\n");
      EXPECT_LE(count_open_in(directory_ / ""), 1U);
    }
    EXPECT_EQ(count_open_in(directory_ / ""), 0U);
  }
}

TEST_F(InputOpenerTest, OpensANamedPipeWhenItIsRead) {
  const std::string pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  InputOpener opener = opener_for({pipe});
  const auto input = opener.open(pipe);  // no writer has it open, so a blocking open would wait
  EXPECT_EQ(input->size(), std::nullopt);
  std::byte next{};
  EXPECT_EQ(input->peek(0, {&next, 1}), 0U);
  std::thread writer([&] { std::ofstream(pipe) << "what comes\n"; });
  EXPECT_EQ(read_all(*input), "what comes\n");
  writer.join();
  EXPECT_EQ(input->begin(), 0U) << "opens it no more: nobody would write to it";
}

TEST_F(InputOpenerTest, FindsAMissingInputBehindAPipeThatNobodyWritesTo) {
  const std::string pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  InputOpener opener = opener_for({pipe, directory_ / "missing"});
  const auto input = opener.open(pipe);
  EXPECT_THAT(error_of([&] { opener.open(directory_ / "missing"); }),
              testing::AllOf(testing::HasSubstr("cannot read: "), testing::HasSubstr("No such file or directory")));
}

TEST_F(InputOpenerTest, ReadsAFileAsFarAsItWentWhenItWasLookedAt) {
  EXPECT_EQ(second_after([](const std::string& path) { std::ofstream(path, std::ios::app) << "44\n"; }), "22\n33\n");
}

TEST_F(InputOpenerTest, RefusesAFileThatWasReplacedOrChangedBeforeItWasRead) {
  const auto replace = [&](const std::string& path) {
    write("new", "44\n55\n");
    fs::rename(directory_ / "new", path);
  };
  const auto rewrite = [](const std::string& path) {
    std::fstream(path, std::ios::in | std::ios::out) << "44\n55\n";
    fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1));
  };
  EXPECT_THAT(error_of([&] { second_after(replace); }),
              testing::HasSubstr("was replaced before it was read; leave inputs alone during a sort"));
  EXPECT_THAT(error_of([&] { second_after(rewrite); }), testing::HasSubstr("was changed before it was read"));
  EXPECT_THAT(error_of([&] { second_after([](const std::string& path) { fs::resize_file(path, 3); }); }),
              testing::HasSubstr("was cut short while it was read, from 6 bytes to 3"));
  EXPECT_THAT(error_of([&] { second_after([](const std::string& path) { fs::remove(path); }); }),
              testing::HasSubstr("cannot read: "));
}

}  // namespace
}  // namespace sortie

#include "io/files/child_process.hpp"

#include <csignal>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <sortie/error.hpp>

namespace sortie {
namespace {

constexpr ChildStreams kAllPipes = {ChildStream::kPipe, ChildStream::kPipe, ChildStream::kPipe};

ChildProgram shell(const std::string& commands) {
  return {{"sh", "-c", commands}, "the shell", "cannot run the shell", ""};
}

/// What comes from an end until it has ended.
std::string all_of(const ChildProcess& child, const Descriptor& end) {
  std::string said;
  std::byte piece[16];
  while (true) {
    const std::optional<std::size_t> bytes = child.read(end, piece);
    if (bytes && *bytes == 0) return said;
    if (!bytes) child.wait_until_ready(false, &end);
    said.append(reinterpret_cast<const char*>(piece), bytes.value_or(0));
  }
}

std::string message_of(ChildProgram program) {
  try {
    const ChildProcess child(std::move(program), kAllPipes);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(ChildProcess, PassesItsPipesAndTellsItsStatus) {
  ChildProcess child(shell("cat; echo done >&2; exit 7"), kAllPipes);
  constexpr std::string_view kText = "more than sixteen bytes";
  EXPECT_EQ(child.write(std::as_bytes(std::span(kText))), kText.size());
  child.input().close();
  EXPECT_EQ(all_of(child, child.output()), kText);
  EXPECT_EQ(all_of(child, child.errors()), "done\n");
  const std::optional<int> status = child.wait();
  ASSERT_TRUE(status && WIFEXITED(*status));
  EXPECT_EQ(WEXITSTATUS(*status), 7);
}

TEST(ChildProcess, GivesNullWhereItIsAskedFor) {
  ChildProcess child(shell("cat; echo lost"), {ChildStream::kNull, ChildStream::kNull, ChildStream::kPipe});
  EXPECT_FALSE(child.input().is_open() || child.output().is_open());
  EXPECT_EQ(all_of(child, child.errors()), "");
  EXPECT_EQ(child.wait(), 0);
}

TEST(ChildProcess, TellsThatNobodyReadsItsInput) {
  ChildProcess child(shell("exec <&-; echo closed; exec sleep 1000"), kAllPipes);
  child.wait_until_ready(false, &child.output());
  const std::byte piece{};
  EXPECT_EQ(child.write({&piece, 1}), std::nullopt);
  EXPECT_TRUE(child.wait_until_ready(true, nullptr).takes);
}  // and is killed

TEST(ChildProcess, StartsWithSignalsAsTheyAreAtTheStart) {
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  ChildProcess child(shell("kill -PIPE $$; echo lives"), kAllPipes);
  ::signal(SIGPIPE, before);
  EXPECT_EQ(all_of(child, child.output()), "");
  const std::optional<int> status = child.wait();
  ASSERT_TRUE(status && WIFSIGNALED(*status));
  EXPECT_EQ(WTERMSIG(*status), SIGPIPE);
}

TEST(ChildProcess, NamesWhatCannotBeRunWithTheRemedy) {
  EXPECT_EQ(message_of({{"./none"}, "it", "cannot run './none'", "make it"}),
            "cannot run './none': No such file or directory; make it");
  EXPECT_EQ(message_of({{"/"}, "it", "cannot run '/'", "make it"}), "cannot run '/': Permission denied");
}

TEST(ChildProcess, NamesTheCallAndTheRemedyWhereFilesRunOut) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  for (few.rlim_cur = 3; few.rlim_cur < 64; ++few.rlim_cur) {
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    const std::string message = message_of(shell("exit 0"));
    if (message == "none") break;
    EXPECT_THAT(message, testing::StartsWith("cannot make a pipe for the shell ("));
    EXPECT_THAT(message, testing::EndsWith("): Too many open files; raise the limit on open files with ulimit -n"));
  }
  EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_GT(few.rlim_cur, 3U);
  EXPECT_LT(few.rlim_cur, 64U);
}

}  // namespace
}  // namespace sortie

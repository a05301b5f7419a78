// What the watcher throws, and a stop that it asks for, end a job up to its last word: the output is then as it was.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include <sortie/error.hpp>
#include <sortie/join.hpp>
#include <sortie/sort.hpp>

#include "pipeline/join_support.hpp"
#include "pipeline/sort_support.hpp"

namespace sortie {
namespace {

using namespace test;

/// What a watcher is told last.
struct LastWord {
  LastWord(SortOptions& options, const std::function<void()>& run) {
    options.watch = [this](const Progress& progress) {
      phase = progress.phase;
      done_bytes = progress.done_bytes;
    };
    run();
  }

  bool is_said_by(const Progress& progress) const {
    return progress.phase == phase && progress.done_bytes == done_bytes;
  }

  std::string phase;
  std::uint64_t done_bytes = 0;
};

// `run` does the job that has these options. It need not say as much each time, but its last word is the same.
void expect_heard_to_the_end(SortOptions& options, const std::function<void()>& run) {
  const LastWord last(options, run);
  EXPECT_GT(last.done_bytes, 0U);
  const auto at_the_end = [&](const std::function<void()>& act) {
    return [&last, act](const Progress& progress) {
      if (last.is_said_by(progress)) act();
    };
  };
  write_whole_file(options.output, "as it was");
  options.watch = at_the_end([] { throw Error("seen enough"); });
  EXPECT_THROW(run(), Error);
  EXPECT_EQ(read_whole_file(options.output), "as it was");

  std::stop_source stop;
  options.stop = stop.get_token();
  options.watch = at_the_end([&] { stop.request_stop(); });
  EXPECT_THROW(run(), Stopped);
  EXPECT_EQ(read_whole_file(options.output), "as it was");
}

TEST(WatchedEnd, OfASortComesBeforeItsOutput) {
  LargeSort job;
  expect_heard_to_the_end(job.options, [&] { sort(job.options); });
  job.expect_no_scratch_files();
}

TEST(WatchedEnd, OfAChainOfSortsComesBeforeItsOutput) {
  SortForTest job(parsed("lines"), {in_random_order(lines_of_numbers(40'000, 2, "l"))});
  job.options.unique = true;
  job.options.output_order = OutputOrder::kInput;
  expect_heard_to_the_end(job.options, [&] { sort(job.options); });
  job.expect_no_scratch_files();
}

TEST(WatchedEnd, OfAJoinComesBeforeItsOutput) {
  JoinForTest job(in_random_order(lines_of_numbers(20'000, 2, "l")), in_random_order(lines_of_numbers(20'000, 3, "r")));
  expect_heard_to_the_end(job.options.sort, [&] { join(job.options); });
  job.expect_no_scratch_files();
}

}  // namespace
}  // namespace sortie

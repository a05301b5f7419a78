// Programs without standard input, output or error. Messages of a sort must not end up in the files that it writes.
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "pipeline/sort_support.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

/// Sorts in a process of its own. Each bit of `closed` stands for a standard descriptor that is closed there.
int sort_without(unsigned closed, const SortOptions& options) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (int descriptor = 0; descriptor <= STDERR_FILENO; ++descriptor) {
      if ((closed >> descriptor & 1) != 0) ::close(descriptor);
    }
    try {
      sort(options);
      ::_exit(0);
    } catch (const Error&) {
      ::_exit(2);
    }
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(SortWithoutStandardDescriptors, WritesNothingButTheRecords) {
  for (const unsigned closed : test::turns_of({1U, 2U, 3U, 4U, 5U, 6U, 7U})) {
    SCOPED_TRACE(closed);
    test::SortForTest job(parse_format("lines"), {test::lines_with_prefix(60'000, 4, 3)});
    job.options.progress = ProgressMode::kAlways;
    EXPECT_EQ(sort_without(closed, job.options), 0);
    EXPECT_EQ(job.output(), job.expected());
  }
}

TEST(SortWithoutStandardDescriptors, DoesNotReadAFileInPlaceOfStandardInput) {
  test::SortForTest job(parse_format("lines"), {"b\na\n"});
  job.options.inputs.push_back("-");
  EXPECT_EQ(sort_without(1, job.options), 2);
}

}  // namespace
}  // namespace sortie

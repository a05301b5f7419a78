// A program that sorts and has parallel work of its own keeps its threads, both while a sort with one thread runs and
// after a sort that failed for any reason.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <thread>

#include "pipeline/sort_support.hpp"
#include "support/sanitized.hpp"

namespace sortie {
namespace {

using namespace test;

rlim_t address_space_bytes() {
  std::ifstream statm("/proc/self/statm");
  rlim_t pages = 0;
  statm >> pages;
  return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

struct HostLimits {
  std::size_t parallelism = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  int arena_threads = tbb::this_task_arena::max_concurrency();

  friend bool operator==(const HostLimits&, const HostLimits&) = default;
};

TEST(HostProgram, KeepsItsThreadsWhileASortWithOneRuns) {
  const tbb::global_control many(tbb::global_control::max_allowed_parallelism, 4);
  SortForTest job(parse_format("lines"), {});
  const std::string fifo = job.directory / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  job.options.inputs = {fifo};
  job.options.threads = 1;
  const HostLimits before;
  std::thread sorting([&] { sort(job.options); });
  {
    std::ofstream input(fifo);
    input << lines_with_prefix(2000, 300) << std::flush;  // more than a pipe holds, so the sort has begun
    EXPECT_EQ(HostLimits(), before);
    input << "last\n";
  }
  sorting.join();
  EXPECT_EQ(HostLimits(), before);
}

/// Memory beyond the program's own. A sanitizer reserves more than any limit leaves, so under one nothing is limited.
constexpr rlim_t kMostLeft = kSanitized ? 0 : 64 << 20;

// Any allocation, mapping or thread may be the first to fail.
TEST(HostProgramDeathTest, KeepsItsThreadsAfterSortsThatRanOutOfMemory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto sort_with_ever_more_memory = [] {
    SortForTest job(parse_format("lines"), {lines_with_prefix(3000, 300)});
    job.options.threads = 2;
    sort(job.options);  // loads and starts everything that is loaded and started only once
    const HostLimits before;
    unsigned failed = 0;
    for (rlim_t more = 0; more < kMostLeft; more += 512 << 10) {
      const rlimit limit{address_space_bytes() + more, RLIM_INFINITY};
      ::setrlimit(RLIMIT_AS, &limit);
      try {
        sort(job.options);
      } catch (const Error&) {
        ++failed;
      } catch (...) {
        std::_Exit(2);
      }
      const rlimit no_limit{RLIM_INFINITY, RLIM_INFINITY};
      ::setrlimit(RLIMIT_AS, &no_limit);
      if (!(HostLimits() == before)) std::_Exit(3);
    }
    std::filesystem::remove_all(job.directory.path());
    std::_Exit(failed > 0 || kSanitized ? 0 : 4);
  };
  EXPECT_EXIT(sort_with_ever_more_memory(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace sortie

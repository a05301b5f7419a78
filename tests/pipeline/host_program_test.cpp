// A program that sorts has the threads that it had before, also after a sort that failed for any reason.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "pipeline/sort_support.hpp"
#include "support/sanitized.hpp"
#include "support/thread_count.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

rlim_t address_space_bytes() {
  std::ifstream statm("/proc/self/statm");
  rlim_t pages = 0;
  statm >> pages;
  return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

TEST(HostProgram, HasNoThreadMoreAfterASort) {
  SortForTest job(parse_format("lines"), {lines_with_prefix(100'000, 30)});
  const std::size_t before = thread_count();
  for (const unsigned threads : test::turns_of({1U, 2U, 3U, 4U})) {
    job.options.threads = threads;
    job.options.memory_bytes = threads % 2 == 0 ? 1 << 20 : 64 << 20;
    sort(job.options);
    EXPECT_TRUE(has_no_more_threads_than(before)) << threads << " threads";
  }
}

/// Memory beyond the program's own. A sanitizer reserves more than any limit leaves, so under one nothing is limited.
constexpr rlim_t kMostLeft = kSanitized ? 0 : 64 << 20;

// Any allocation, mapping or thread may be the first to fail.
TEST(HostProgramDeathTest, HasNoThreadMoreAfterSortsThatRanOutOfMemory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto sort_with_ever_more_memory = [] {
    SortForTest job(parse_format("lines"), {lines_with_prefix(3000, 300)});
    job.options.threads = 2;
    sort(job.options);  // loads and starts everything that is loaded and started only once
    const std::size_t before = thread_count();
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
      if (!has_no_more_threads_than(before)) std::_Exit(3);
    }
    std::filesystem::remove_all(job.directory.path());
    std::_Exit(failed > 0 || kSanitized ? 0 : 4);
  };
  EXPECT_EXIT(sort_with_ever_more_memory(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace sortie

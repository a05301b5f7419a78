// Outputs that are large enough to be written by several threads while they are checked.
#include "pipeline/sort_support.hpp"
#include "support/turns.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

TEST(SortOutput, HasTheSameBytesWithSeveralThreads) {
  for (const char* name : turns_of({"gensort", "lines", "u64"})) {
    SCOPED_TRACE(name);
    const Format format = parsed(name);
    const std::string records = make_records(format, Distribution::kUniform, 150'000);
    SortForTest job(format, {records});
    job.options.memory_bytes = 1 << 30;
    job.options.threads = 4;
    with_threads(4, [&] { expect_consistent(job.run(), job); });
    EXPECT_TRUE(job.output() == job.expected());
  }
}

TEST(SortOutput, HasTheSameBytesWithMergedWindows) {
  const Format format = parsed("gensort");
  SortForTest job(format, {make_records(format, Distribution::kUniform, 100'000)});
  job.options.memory_bytes = 10 << 20;
  job.options.threads = 4;
  SortReport report;
  with_threads(4, [&] { report = job.run(); });
  EXPECT_GT(report.windows, 1U);
  EXPECT_TRUE(job.output() == job.expected());
}

}  // namespace
}  // namespace sortie

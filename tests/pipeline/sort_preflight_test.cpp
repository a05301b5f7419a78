// A sort checks before it begins: room in its file systems, and inputs that cannot be read.
#include <gmock/gmock.h>

#include "pipeline/sort_job.hpp"
#include "pipeline/sort_support.hpp"
#include "support/faulty_file_system.hpp"

namespace sortie {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A sort that spills and collects its warnings.
class SpillingJob : public LargeSort {
 public:
  SpillingJob() {
    options.warn = [this](const std::string& message) { warnings.push_back(message); };
  }

  /// Sorts with `bytes` free in every directory. Returns the message of the error, if there is one.
  std::string sort_with_free(std::uint64_t bytes) {
    const auto files = make_posix_file_system();
    FaultyFileSystem measured(*files, FaultPlan{.free_bytes = bytes});
    try {
      SortJob(measured, options).run();
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  std::vector<std::string> warnings;
};

TEST(SortPreflight, RefusesRunsThatFindNoRoom) {
  SpillingJob job;
  job.options.compression = Compression::kNone;
  write_whole_file(job.options.output, "as it was");
  const auto names = job.directory.names();
  EXPECT_THAT(job.sort_with_free(100'000), HasSubstr("scratch space needs "));
  EXPECT_EQ(job.output(), "as it was");
  EXPECT_EQ(job.directory.names(), names);
  job.expect_no_scratch_files();
}

TEST(SortPreflight, WarnsWhereRunsMustCompressWell) {
  SpillingJob job;
  EXPECT_THAT(job.sort_with_free(100'000), IsEmpty());
  EXPECT_THAT(job.warnings, ElementsAre(HasSubstr("unless runs compress well")));
  EXPECT_EQ(job.output(), job.expected());
}

TEST(SortPreflight, SaysNothingWhereThereIsRoom) {
  SpillingJob job;
  EXPECT_THAT(job.sort_with_free(std::uint64_t{1} << 40), IsEmpty());
  EXPECT_THAT(job.warnings, IsEmpty());
}

TEST(SortPreflight, AsksForNoScratchSpaceWhereAllFits) {
  SpillingJob job;
  job.options.memory_bytes = 64 << 20;
  job.options.scratch_directories = {job.directory / "missing"};
  EXPECT_THAT(job.sort_with_free(0), IsEmpty());
  EXPECT_THAT(job.warnings, IsEmpty());
  EXPECT_EQ(job.output(), job.expected());
}

TEST(SortPreflight, FindsAMissingScratchDirectoryBeforeItIsNeeded) {
  SpillingJob job;
  job.options.scratch_directories = {job.scratch, job.directory / "missing"};
  EXPECT_THAT(job.sort_with_free(std::uint64_t{1} << 40), HasSubstr("choose another scratch directory"));
}

TEST(SortPreflight, FindsInputsOfAMergeThatCannotBeRead) {
  SortForTest job(parsed("lines"), {"a\nb\n", "b\nc\n"});
  job.options.merge_only = true;
  job.options.inputs.push_back(job.directory / "missing");
  const auto files = make_posix_file_system();
  EXPECT_THROW(SortJob(*files, job.options).run(), Error);
  EXPECT_FALSE(std::filesystem::exists(job.options.output));
}

}  // namespace
}  // namespace sortie

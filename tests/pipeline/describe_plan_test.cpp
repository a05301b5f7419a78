#include "pipeline/describe_plan.hpp"

#include <gmock/gmock.h>

#include <sortie/join.hpp>
#include <sortie/text_keys.hpp>

#include "pipeline/sort_support.hpp"
#include "support/faulty_file_system.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(DescribePlan, SaysThatASmallInputFitsInMemory) {
  const SortForTest job(parsed("lines"), {"b\na\n"});
  EXPECT_THAT(plan(job.options), AllOf(HasSubstr("format        lines\n"), HasSubstr("input         4 B\n"),
                                       HasSubstr("runs          1: all fits in memory")));
}

TEST(DescribePlan, SaysHowALargeInputIsMerged) {
  LargeSort job;
  job.options.merge_fan_in = 3;
  const std::string text = plan(job.options);
  const SortReport report = job.run();
  EXPECT_THAT(text,
              AllOf(HasSubstr("runs          about " + std::to_string(report.runs)),
                    HasSubstr("merge         " + std::to_string(report.merge_passes) + " passes, up to 3 runs at once"),
                    HasSubstr(" free in " + job.scratch + "\n")));
}

TEST(DescribePlan, SaysHowManyPassesTheSortThenMakes) {
  for (const std::uint64_t most_at_once : test::turns_of<std::uint64_t>({0, 2, 3, 7, 16})) {
    for (const std::uint64_t memory_bytes : {kMinMemoryBytes, 3 * kMinMemoryBytes / 2, 5 * kMinMemoryBytes}) {
      LargeSort job;
      job.options.merge_fan_in = most_at_once;
      job.options.memory_bytes = memory_bytes;
      const std::string text = plan(job.options);
      const std::uint64_t passes = job.run().merge_passes;
      EXPECT_THAT(text, HasSubstr("merge         " + std::to_string(passes) + (passes == 1 ? " pass," : " passes,")))
          << most_at_once << " runs at once, " << memory_bytes << " bytes";
    }
  }
}

TEST(DescribePlan, SaysThatLittleIsSortedWhereOnlyTheFirstRecordsAreWanted) {
  LargeSort job;
  job.options.top_records = 100;
  EXPECT_THAT(plan(job.options), AllOf(HasSubstr("output        the first 100 records\n"),
                                       HasSubstr("runs          1: all fits in memory")));
}

TEST(DescribePlan, SaysNothingOfRunsWhereInputsAreOnlyMerged) {
  LargeSort job;
  job.options.merge_only = true;
  EXPECT_THAT(plan(job.options),
              AllOf(HasSubstr("target        2.00 MB; "), Not(HasSubstr("runs  ")), Not(HasSubstr("scratch  "))));
}

TEST(DescribePlan, SaysHowInputsAreMerged) {
  SortForTest job(parsed("lines"), {"a\n", "a\n", "b\n"});
  job.options.merge_only = true;
  EXPECT_THAT(plan(job.options), HasSubstr("merge         1 pass over 3 sorted inputs, up to 3 at once\n"));
  job.options.merge_fan_in = 2;
  EXPECT_THAT(plan(job.options), HasSubstr("merge         2 passes over 3 sorted inputs, up to 2 at once\n"));
}

TEST(DescribePlan, SaysWhyTheCpuSortsWithoutAChoice) {
  SortForTest job(parsed("lines"), {"b 1\na 2\n", "a 2\n"});
  job.options.sample_records = 1;
  job.options.engine = EngineChoice::kAuto;
  EXPECT_THAT(plan(job.options),
              AllOf(HasSubstr("threads: a sample is drawn on the CPU\n"), HasSubstr("sample        sorted by cpu: ")));
  job.options.output_order = OutputOrder::kInput;
  EXPECT_THAT(plan(job.options), Not(HasSubstr("sample        sorted")));
  job.options.engine = EngineChoice::kCpu;
  EXPECT_THAT(plan(job.options), HasSubstr("threads: as asked\n"));
  job.options.output_order = OutputOrder::kKeys;
  job.options.sample_records = 0;
  job.options.format.text.keys = {parse_text_key("1,1")};
  JoinOptions join;
  join.sort = job.options;
  join.sort.engine = EngineChoice::kAuto;
  EXPECT_THAT(plan(join),
              AllOf(HasSubstr(": a join sorts on the CPU unless a GPU is asked for\n"), Not(HasSubstr("as asked"))));
  join.sort.engine = EngineChoice::kCpu;
  EXPECT_THAT(plan(join), HasSubstr(": as asked\n"));
}

TEST(DescribePlan, CallsRecordsWhatTheyAre) {
  SortForTest job(parsed("lines"), {"b\n"});
  job.options.format.text.csv = true;
  job.options.format.text.separator = ",";
  EXPECT_THAT(plan(job.options), HasSubstr("format        CSV\n"));
  job.options.format.text.separator = "\t";
  EXPECT_THAT(plan(job.options), HasSubstr("format        TSV\n"));
}

TEST(DescribePlan, SaysWhatItNeedsOfFileSystems) {
  const LargeSort job;
  EXPECT_THAT(plan(job.options), AllOf(HasSubstr("target        2.00 MB; "), Not(HasSubstr("error"))));
}

TEST(DescribePlan, NamesTheProgramThatCompresses) {
  LargeSort job;
  job.options.compress_program = "./own";
  EXPECT_THAT(plan(job.options), HasSubstr("; compressed by './own'\n"));
}

TEST(DescribePlan, ShowsWhatWillMakeASortFail) {
  LargeSort job;
  job.options.compression = Compression::kNone;
  const auto files = make_posix_file_system();
  FaultyFileSystem full(*files, FaultPlan{.free_bytes = 1000});
  EXPECT_THAT(describe_plan(full, job.options),
              AllOf(HasSubstr("error         scratch space needs "),
                    HasSubstr("error         the output needs 2.00 MB, and 1.00 kB are free in ")));
}

TEST(DescribePlan, TouchesNothing) {
  const SortForTest job(parsed("lines"), {"b\na\n"});
  const auto names = job.directory.names();
  plan(job.options);
  EXPECT_EQ(job.directory.names(), names);
  EXPECT_EQ(read_whole_file(job.options.inputs[0]), "b\na\n");
}

TEST(DescribePlan, RefusesWhatASortWouldRefuse) {
  const SortForTest job(parsed("gensort"), {"too short"});
  EXPECT_THROW(plan(job.options), Error);
}

}  // namespace
}  // namespace sortie

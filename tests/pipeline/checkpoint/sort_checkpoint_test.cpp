// Sorts in all formats that are interrupted and continued with other means, and what the plan says of them.
#include "pipeline/checkpoint/checkpoint_support.hpp"
#include "pipeline/describe_plan.hpp"
#include "record/prefixed/prefixed_oracle.hpp"

namespace sortie {
namespace {

using namespace test;

void expect_to_go_on(CheckpointedSort& job, const std::string& expected) {
  const auto report = job.attempt();
  ASSERT_TRUE(report);
  EXPECT_GT(report->runs_resumed, 0U);
  EXPECT_LE(report->runs_resumed, report->runs);
  EXPECT_EQ(report->runs_spilled, report->runs);
  EXPECT_EQ(report->input_records, report->output_records);
  EXPECT_TRUE(job.output() == expected);
  EXPECT_FALSE(job.disk.has_directory(kCheckpointPath));
}

TEST(SortCheckpoint, LeavesNothingBehind) {
  CheckpointedSort job = sort_of_lines();
  const std::string expected = job.expected();
  const auto report = job.attempt();
  EXPECT_EQ(report->runs_resumed, 0U);
  EXPECT_GT(report->runs, 2U);
  EXPECT_EQ(report->runs_spilled, report->runs);
  EXPECT_GE(report->scratch_peak_bytes, report->stored_bytes);
  EXPECT_TRUE(job.output() == expected);
  EXPECT_FALSE(job.disk.has_directory(kCheckpointPath));
}

TEST(SortCheckpoint, KeepsADirectoryThatItDidNotMake) {
  CheckpointedSort job = sort_of_lines();
  job.disk.directory(kCheckpointPath);
  job.interrupt_at(0.5);
  EXPECT_TRUE(job.manifest());
  EXPECT_TRUE(job.attempt());
  EXPECT_TRUE(job.disk.has_directory(kCheckpointPath));
  EXPECT_TRUE(job.disk.directory(kCheckpointPath).names.empty());
}

TEST(SortCheckpoint, KeepsNothingOfAJobThatFitsInMemory) {
  CheckpointedSort job(parsed("lines"), {"b\na\n", "c"});
  const auto report = job.attempt();
  EXPECT_EQ(report->runs, 1U);
  EXPECT_EQ(job.output(), "a\nb\nc\n");
  EXPECT_FALSE(job.disk.has_directory(kCheckpointPath));
}

TEST(SortCheckpoint, GoesOnWithOtherMemoryAndThreads) {
  CheckpointedSort job = sort_of_records();
  const std::string expected = job.expected();
  job.interrupt_at(0.5);
  job.options.memory_bytes = 700'000;
  job.options.threads = 5;
  job.options.compression = Compression::kZstd;
  expect_to_go_on(job, expected);
}

TEST(SortCheckpoint, GoesOnWhereTheRestFitsInMemory) {
  CheckpointedSort job = sort_of_records();
  const std::string expected = job.expected();
  job.interrupt_at(0.5);
  job.options.memory_bytes = 64 << 20;
  expect_to_go_on(job, expected);
}

TEST(SortCheckpoint, GoesOnWithTheFinalMerge) {
  CheckpointedSort job = sort_of_records();
  const std::string expected = job.expected();
  job.interrupt_at(0.85);
  expect_to_go_on(job, expected);
}

TEST(SortCheckpoint, GoesOnFromMergedRuns) {
  CheckpointedSort job = sort_of_records();
  job.options.merge_fan_in = 2;
  const std::string expected = job.expected();
  job.interrupt_at(0.7);
  job.options.merge_fan_in = 3;
  expect_to_go_on(job, expected);
}

TEST(SortCheckpoint, KeepsTheSeedOfAShuffle) {
  CheckpointedSort job = sort_of_lines();
  job.options.format.text.keys.push_back({.begin = {}, .end = {}, .kind = TextKind::kRandom});
  job.options.format.text.random_seed = RandomSeed{std::byte{7}};
  const std::string expected = job.expected();
  job.interrupt_at(0.6);
  job.options.format.text.random_seed = std::nullopt;
  expect_to_go_on(job, expected);

  job.interrupt_at(0.6);
  job.options.format.text.random_seed = RandomSeed{std::byte{9}};
  EXPECT_NE(job.refusal().find("other options"), std::string::npos);
}

// Where it goes on lies in one of the inputs, and the positions of runs show theirs.
TEST(SortCheckpoint, TellsInputsThatAreSetsApart) {
  const Format format = parsed("lines");
  const std::string first = make_records(format, Distribution::kUniform, 12'000);
  const std::string second = make_records(format, Distribution::kZipf, 12'000) + first.substr(0, first.size() / 3);
  CheckpointedSort job(format, {first, "", second});
  for (const SetOperation operation : {SetOperation::kExcept, SetOperation::kSymmetric}) {
    job.options.set_operation = operation;
    const std::string expected = job.expected();
    EXPECT_FALSE(expected.empty());
    for (const double share : {0.3, 0.5, 0.7}) {
      CheckpointedSort interrupted = job;
      interrupted.interrupt_at(share);
      const auto report = interrupted.attempt();
      ASSERT_TRUE(report);
      EXPECT_GT(report->runs_resumed, 0U);
      EXPECT_TRUE(interrupted.output() == expected);
    }
  }
}

TEST(SortCheckpoint, GoesOnWithLengthPrefixedRecords) {
  CheckpointedSort job(parsed("prefixed"), {random_prefixed(12'000, 1), random_prefixed(9000, 2)});
  for (const double share : {0.3, 0.6, 0.8}) {
    CheckpointedSort interrupted = job;
    interrupted.interrupt_at(share);
    expect_to_go_on(interrupted, sorted_prefixed(random_prefixed(12'000, 1) + random_prefixed(9000, 2)));
  }
}

TEST(SortCheckpoint, KeepsTheHeaderInFront) {
  const Format format = parsed("lines");
  CheckpointedSort job(format, {"head\n" + make_records(format, Distribution::kUniform, 12'000),
                                "head\n" + make_records(format, Distribution::kZipf, 12'000)});
  job.options.header_lines = 1;
  for (const double share : {0.3, 0.6, 0.8}) {
    CheckpointedSort interrupted = job;
    interrupted.interrupt_at(share);
    expect_to_go_on(interrupted, job.expected());
  }
}

std::string csv_records(int count) {
  std::string records;
  for (int i = 0; i < count; ++i) {
    records += std::to_string(i) + ",\"a \"\"quoted\"\"\nfield " + std::to_string(i * 7919 % 10007) + "\"\r\n";
  }
  return records;
}

TEST(SortCheckpoint, GoesOnWithCsv) {
  Format format = parsed("lines");
  format.text.csv = true;
  format.text.separator = ',';
  format.text.last_resort = false;
  format.text.keys.push_back({.begin = {.field = 1}, .end = {}});
  CheckpointedSort job(format, {csv_records(10'000)});
  const std::string expected = job.expected();
  job.interrupt_at(0.6);
  expect_to_go_on(job, expected);
}

TEST(SortCheckpoint, GoesOnWithLinesThatEndInNul) {
  Format format = parsed("lines");
  format.delimiter = '\0';
  CheckpointedSort job(format, {make_records(format, Distribution::kUniform, 20'000)});
  const std::string expected = job.expected();
  job.interrupt_at(0.5);
  expect_to_go_on(job, expected);
}

TEST(SortCheckpoint, GoesOnWithGroups) {
  Format format = parsed("lines");
  format.text.keys.push_back({.begin = {}, .end = TextPosition{.field = 0, .byte = 2}});
  for (const bool count : {false, true}) {
    CheckpointedSort job(format, {make_records(format, Distribution::kUniform, 20'000)});
    job.options.unique = true;
    job.options.count = count;
    job.options.keep_last = true;
    const std::string expected = job.expected();
    job.interrupt_at(0.5);
    ASSERT_TRUE(job.manifest());
    const auto report = job.attempt();
    EXPECT_GT(report->runs_resumed, 0U);
    EXPECT_TRUE(job.output() == expected);
  }
}

TEST(SortCheckpoint, GoesOnWithACompressedInput) {
  const Format format = parsed("lines");
  CheckpointedSort packing(format, {make_records(format, Distribution::kUniform, 20'000)});
  for (const char* suffix : {".gz", ".zst", ".bz2"}) {
    CheckpointedSort packed = packing;
    packed.options.output += suffix;
    ASSERT_TRUE(packed.attempt());
    CheckpointedSort job(format, {*packed.output(), make_records(format, Distribution::kZipf, 9000)});
    const std::string expected = job.expected();
    job.interrupt_at(0.3);
    expect_to_go_on(job, expected);
  }
}

TEST(SortCheckpoint, GoesOnWhereTheOutputIsItsInput) {
  CheckpointedSort job = sort_of_lines();
  const std::string expected = job.expected();
  job.options.output = job.options.inputs[0];
  job.interrupt_at(0.5);
  expect_to_go_on(job, expected);
}

TEST(SortCheckpoint, IsInThePlan) {
  CheckpointedSort job = sort_of_records();
  PowerCutFileSystem files(job.disk);
  EXPECT_NE(describe_plan(files, job.options).find("checkpoint    0 runs to take over from '/checkpoint'\n"),
            std::string::npos);
  EXPECT_FALSE(job.disk.has_directory(kCheckpointPath));
  job.interrupt_at(0.6);
  const std::string manifest = job.manifest()->contents;
  const std::string plan = describe_plan(files, job.options);
  EXPECT_EQ(plan.find("checkpoint    0 runs"), std::string::npos) << plan;
  EXPECT_NE(plan.find(" runs to take over from '/checkpoint', of the first "), std::string::npos) << plan;
  EXPECT_EQ(job.manifest()->contents, manifest);
  job.options.unique = true;
  EXPECT_NE(error_of([&] { describe_plan(files, job.options); }).find("other options"), std::string::npos);
}

TEST(SortCheckpoint, NeedsRoomOnlyForWhatIsLeft) {
  CheckpointedSort job = sort_of_records();
  job.options.compression = Compression::kNone;
  PowerCutFileSystem files(job.disk);
  const std::string whole = describe_plan(files, job.options);
  EXPECT_NE(whole.find("scratch       up to 800 kB uncompressed; "), std::string::npos) << whole;
  EXPECT_NE(whole.find(" free in /\n"), std::string::npos) << whole;
  job.interrupt_at(0.5);
  const std::string rest = describe_plan(files, job.options);
  EXPECT_EQ(rest.find("scratch       up to 800 kB"), std::string::npos) << rest;
  EXPECT_NE(rest.find(" free in /checkpoint\n"), std::string::npos) << rest;
  EXPECT_NE(rest.find("target        800 kB; "), std::string::npos) << rest;
}

}  // namespace
}  // namespace sortie

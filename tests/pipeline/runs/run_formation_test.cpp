#include "pipeline/runs/run_formation.hpp"

#include "io/files/file.hpp"
#include "pipeline/input/record_reader_support.hpp"
#include "pipeline/store_support.hpp"
#include "support/faulty_file_system.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr FormationBudget kFormation{60'000, 4'000, 0};
const RunStore::Options kInFiles{0, 4096, Repeats::kKept, true};

struct Formation {
  FormedRuns formed;
  std::string direct;
};

class RunFormationTest : public testing::Test {
 protected:
  Formation form(const std::string& bytes, std::size_t former_count, StoreForTest& test) {
    const auto paths = write_inputs(directory_, {bytes});
    RecordReader reader = reader_of(*files_, paths, test.format, observer_);
    const auto engine = make_cpu_engine(test.format);
    std::vector<std::unique_ptr<RunFormer>> formers;
    for (std::size_t i = 0; i < former_count; ++i) formers.push_back(engine->make_run_former(kFormation));
    Formation formation;
    formation.formed = form_runs(
        reader, nullptr, formers, test.store, [&](std::span<std::byte> part) { formation.direct += as_text(part); },
        observer_);
    return formation;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  SilentObserver observer_;
};

// Checks that the runs cover the input in order, and that each is sorted.
void expect_runs_of(const Format& format, const std::vector<Run>& runs, std::string_view input) {
  for (const Run& run : runs) {
    const std::string_view part = input.substr(0, run.record_bytes);
    EXPECT_TRUE(contents_of(run) == stable_sorted(format, part));
    input.remove_prefix(part.size());
  }
  EXPECT_TRUE(input.empty());
}

TEST_F(RunFormationTest, FormsRunsInInputOrderWithAnyNumberOfEngines) {
  for (const char* name : {"lines", "gensort", "i64"}) {
    for (const std::size_t formers : {1, 2, 3}) {
      SCOPED_TRACE(std::string(name) + ", " + std::to_string(formers) + " formers");
      StoreForTest test(parsed(name), kInFiles);
      const std::string bytes =
          make_records(test.format, Distribution::kUniform, 400'000 / (name[0] == 'g' ? 100 : 10));
      const Formation formation = form(bytes, formers, test);
      EXPECT_FALSE(formation.formed.direct);
      EXPECT_GE(formation.formed.runs.size(), 7U);
      EXPECT_EQ(formation.formed.spilled, formation.formed.runs.size());
      EXPECT_EQ(formation.direct, "");
      expect_runs_of(test.format, formation.formed.runs, bytes);
    }
  }
}

TEST_F(RunFormationTest, PassesTheOnlyRunStraightOn) {
  StoreForTest test(parsed("lines"), kInFiles);
  const Formation formation = form("b\na", 2, test);
  EXPECT_TRUE(formation.formed.direct);
  EXPECT_TRUE(formation.formed.runs.empty());
  EXPECT_EQ(formation.direct, "a\nb\n");
}

TEST_F(RunFormationTest, PassesTheOnlyRunStraightOnEvenIfItIsFull) {
  // The former has 60000 bytes. Records get 56000 of them less an entry for alignment, at 116 bytes each; numbers get
  // half.
  for (const auto& [name, records] : {std::pair("gensort", 482U), std::pair("u32", 30'000U / 4)}) {
    StoreForTest test(parsed(name), kInFiles);
    const std::string bytes = make_records(test.format, Distribution::kUniform, records);
    const Formation full = form(bytes, 1, test);
    EXPECT_TRUE(full.formed.direct) << name;
    EXPECT_TRUE(full.direct == stable_sorted(test.format, bytes));
    const Formation beyond = form(bytes + bytes.substr(0, test.format.record_bytes), 1, test);
    EXPECT_EQ(beyond.formed.runs.size(), 2U) << name << ": the run was not full";
  }
}

TEST_F(RunFormationTest, FormsNoRunOfNothing) {
  StoreForTest test(parsed("lines"), kInFiles);
  const Formation formation = form("", 2, test);
  EXPECT_TRUE(formation.formed.direct);
  EXPECT_TRUE(formation.formed.runs.empty());
  EXPECT_EQ(formation.direct, "");
}

TEST_F(RunFormationTest, NamesALineThatFitsNoRun) {
  StoreForTest test(parsed("lines"), kInFiles);
  const std::string message = error_of([&] { form("short\n" + std::string(100'000, 'x') + "\n", 1, test); });
  EXPECT_NE(message.find("at offset 6: a record is longer than the memory for a run; raise the memory budget"),
            std::string::npos)
      << message;
}

TEST_F(RunFormationTest, EndsWhenARunCannotBeStored) {
  const std::string bytes = make_records(parsed("gensort"), Distribution::kUniform, 4000);
  for (const std::size_t formers : {1, 3}) {
    for (std::uint64_t operation = 2; operation < 100; operation += 7) {  // the first operation makes the scratch space
      FaultPlan plan;
      plan.first = operation;
      FaultyFileSystem faulty(*files_, plan);
      StoreForTest test(parsed("gensort"), kInFiles, Compression::kNone, &faulty);
      const std::string message = error_of([&] { form(bytes, formers, test); });
      EXPECT_NE(message.find("Input/output error"), std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace sortie

// Checkpoints that a sort refuses to continue, and sorts that can have none.
#include "pipeline/checkpoint/checkpoint_support.hpp"
#include "pipeline/setup/options_check.hpp"

namespace sortie {
namespace {

using namespace test;

CheckpointedSort interrupted_sort() {
  CheckpointedSort job = sort_of_records();
  job.interrupt_at(0.6);
  EXPECT_TRUE(job.kept_run());
  return job;
}

const std::string kAnew = "remove the directory '/checkpoint' to sort anew";

TEST(SortCheckpointRefuses, OtherOptions) {
  CheckpointedSort job = interrupted_sort();
  job.options.format.descending = true;
  const std::string expected =
      "checkpoint '/checkpoint' cannot be used: it is of a sort with other options or in another locale; name another, "
      "or ";
  EXPECT_EQ(job.refusal(), expected + kAnew);
  job.options.format.descending = false;
  job.options.unique = true;
  EXPECT_EQ(job.refusal(), expected + kAnew);
  job.options.unique = false;
  EXPECT_TRUE(job.attempt());
}

TEST(SortCheckpointRefuses, OtherInputs) {
  CheckpointedSort job = interrupted_sort();
  const std::string expected =
      "checkpoint '/checkpoint' cannot be used: it is of a sort of other inputs, or they have been changed since; name "
      "another, or ";
  job.options.inputs.push_back(job.options.inputs[0]);
  EXPECT_EQ(job.refusal(), expected + kAnew);
  job.options.inputs.pop_back();
  job.disk.find(job.options.inputs[0])->contents.append(100, 'x');
  EXPECT_EQ(job.refusal(), expected + kAnew);
}

TEST(SortCheckpointRefuses, ADamagedManifest) {
  CheckpointedSort job = interrupted_sort();
  job.manifest()->contents[120] ^= 1;
  EXPECT_EQ(job.refusal(), "checkpoint '/checkpoint' cannot be used: line 1 of its manifest is damaged; " + kAnew);
}

TEST(SortCheckpointRefuses, RunsThatAreNotThoseThatWereKept) {
  const CheckpointedSort kept = interrupted_sort();
  const auto refusal_after = [&](const auto& change) {
    CheckpointedSort job = kept;
    change(job);
    const std::string message = job.refusal();
    EXPECT_TRUE(message.starts_with("checkpoint '/checkpoint' cannot be used: run ")) << message;
    EXPECT_TRUE(message.ends_with(kAnew)) << message;
    EXPECT_FALSE(job.output());
  };
  refusal_after([](CheckpointedSort& job) { job.kept_run()->contents.pop_back(); });
  refusal_after([](CheckpointedSort& job) { job.kept_run()->contents[20] ^= 1; });         // header
  refusal_after([](CheckpointedSort& job) { job.kept_run()->contents.end()[-40] ^= 1; });  // footer
  refusal_after([](CheckpointedSort& job) {
    auto& names = job.disk.directory(kCheckpointPath).names;
    names.erase(names.lower_bound("sortie-run-"));
  });
  refusal_after([](CheckpointedSort& job) {
    auto& names = job.disk.directory(kCheckpointPath).names;
    const auto first = names.lower_bound("sortie-run-");
    std::swap(first->second, std::next(first)->second);
  });
}

TEST(SortCheckpointRefuses, ADamagedBlockBeforeItReachesTheOutput) {
  CheckpointedSort job = interrupted_sort();
  job.kept_run()->contents[5000] ^= 1;
  const std::string message = job.refusal();
  EXPECT_NE(message.find("is damaged (its checksum differs); " + kAnew), std::string::npos) << message;
  EXPECT_FALSE(job.output());
}

TEST(SortCheckpointRefuses, ADirectoryThatIsInUse) {
  CheckpointedSort job = interrupted_sort();
  job.disk.directory(kCheckpointPath).is_locked = true;
  EXPECT_EQ(job.refusal(), "/checkpoint is in use");
}

TEST(SortCheckpointRefuses, WhatCannotGoOn) {
  CheckpointedSort job = sort_of_records();
  const auto refusal_of = [&](auto SortOptions::*option, auto value) {
    CheckpointedSort other = job;
    other.options.*option = value;
    const std::string message = other.refusal();
    EXPECT_FALSE(other.disk.has_directory(kCheckpointPath));
    return message;
  };
  SortOptions merge = job.options;
  merge.merge_only = true;
  EXPECT_EQ(error_of([&] { validate(merge); }), "merge and checkpoint are incompatible: leave one of the two out");
  SortOptions top = job.options;
  top.top_records = 5;
  EXPECT_EQ(error_of([&] { validate(top); }), "top and checkpoint are incompatible: leave one of the two out");
  EXPECT_EQ(refusal_of(&SortOptions::scratch_directories, std::vector<std::string>{"/output"}),
            "what a checkpoint keeps lies in its own directory: leave the scratch directories out");
  EXPECT_EQ(refusal_of(&SortOptions::inputs, std::vector<std::string>{"-"}),
            "a checkpoint needs inputs that can be read again: name files, no pipes");
}

TEST(SortCheckpointRefuses, NothingOfASortThatFailsBeforeItsFirstRun) {
  CheckpointedSort job = sort_of_records();
  job.disk.find(job.options.inputs[0])->contents.pop_back();  // no multiple of the record
  EXPECT_NE(job.refusal().find("no multiple of the record length"), std::string::npos);
  EXPECT_FALSE(job.disk.has_directory(kCheckpointPath));
}

}  // namespace
}  // namespace sortie

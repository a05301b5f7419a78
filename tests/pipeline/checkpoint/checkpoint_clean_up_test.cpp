// A sort removes the files of its own job from the directory of its checkpoint, and nothing else.
#include "pipeline/checkpoint/checkpoint_files.hpp"
#include "pipeline/checkpoint/checkpoint_support.hpp"
#include "run/run_format.hpp"

namespace sortie {
namespace {

using namespace test;

std::string in_checkpoint(const std::string& name) { return std::string(kCheckpointPath) + "/" + name; }

/// The number of the job whose runs are kept, in the form that file names have it.
std::string job_digits(CheckpointedSort& job) {
  for (const std::string& name : job.kept_names()) {
    if (name.starts_with("sortie-run-")) return name.substr(11, 16);
  }
  return "";
}

/// Names that look like those of a checkpoint. `job` is the job's number.
std::vector<std::string> lookalikes(const std::string& job) {
  return {"letter",
          "sortie-run-notes.txt",
          "sortie-run-",
          "sortie-run-0",
          "sortie-run-" + job,
          "sortie-run-" + job + "-",
          "sortie-run-" + job + "-0.bak",
          "sortie-run-" + job + "-007",
          "sortie-run-" + job + "-99",
          "sortie-run-0123456789abcdef-0",
          "sortie-manifest.bak",
          "sortie-manifest.new",
          "sortie-manifest-" + job + ".new",
          "sortie-manifest-" + job + ".new2"};
}

void add_lookalikes(CheckpointedSort& job, const std::string& digits) {
  for (const std::string& name : lookalikes(digits)) job.disk.add_file(in_checkpoint(name), "mine");
}

void expect_lookalikes_alone(CheckpointedSort& job, const std::string& digits) {
  std::vector<std::string> names = lookalikes(digits);
  std::ranges::sort(names);
  EXPECT_EQ(job.kept_names(), names);
  for (const std::string& name : names) EXPECT_EQ(job.kept_file(name)->contents, "mine") << name;
}

TEST(CheckpointCleanUp, LeavesFilesAloneThatWereThereBefore) {
  CheckpointedSort job = sort_of_lines();
  const std::string expected = job.expected();
  add_lookalikes(job, "fedcba9876543210");
  ASSERT_TRUE(job.attempt());
  EXPECT_TRUE(job.output() == expected);
  expect_lookalikes_alone(job, "fedcba9876543210");
}

TEST(CheckpointCleanUp, LeavesFilesAloneWhereAllFitsInMemory) {
  CheckpointedSort job(parsed("lines"), {"b\na\n", "c"});
  add_lookalikes(job, "fedcba9876543210");
  ASSERT_TRUE(job.attempt());
  EXPECT_EQ(job.output(), "a\nb\nc\n");
  expect_lookalikes_alone(job, "fedcba9876543210");
}

TEST(CheckpointCleanUp, LeavesFilesAloneThatCameBetweenTwoAttempts) {
  CheckpointedSort job = sort_of_lines();
  const std::string expected = job.expected();
  job.interrupt_at(0.5);
  const std::string digits = job_digits(job);
  add_lookalikes(job, digits);
  const auto report = job.attempt();
  ASSERT_TRUE(report);
  EXPECT_GT(report->runs_resumed, 0U);
  EXPECT_TRUE(job.output() == expected);
  expect_lookalikes_alone(job, digits);
}

TEST(CheckpointCleanUp, LeavesFilesAloneWhenASortFails) {
  CheckpointedSort job(parsed("gensort"), {std::string(99, 'x')});
  add_lookalikes(job, "fedcba9876543210");
  EXPECT_NE(job.refusal().find("no multiple of the record length"), std::string::npos);
  expect_lookalikes_alone(job, "fedcba9876543210");
}

/// Somebody puts a file into the checkpoint's directory when the sort has begun to write beside its target.
class BusyFileSystem : public PowerCutFileSystem {
 public:
  explicit BusyFileSystem(PowerCutDisk& disk) : PowerCutFileSystem(disk), disk_(disk) {}

  std::unique_ptr<File> create(const std::string& path, const CreateOptions& options) override {
    put_file();
    return PowerCutFileSystem::create(path, options);
  }
  std::unique_ptr<File> create_unnamed(const std::string& directory) override {
    put_file();
    return PowerCutFileSystem::create_unnamed(directory);
  }

 private:
  void put_file() {
    const std::scoped_lock lock(disk_.mutex);
    disk_.add_file(in_checkpoint("sortie-run-notes.txt"), "mine");
  }

  PowerCutDisk& disk_;
};

TEST(CheckpointCleanUp, LeavesFilesAloneThatComeWhileItSorts) {
  CheckpointedSort job = sort_of_lines();
  std::vector<std::string> warnings;
  job.options.warn = [&](const std::string& message) { warnings.push_back(message); };
  CheckpointedSort whole = job;
  ASSERT_TRUE(whole.attempt());
  BusyFileSystem files(job.disk);
  SortJob(files, job.options).run();
  EXPECT_EQ(job.kept_names(), std::vector<std::string>{"sortie-run-notes.txt"});
  EXPECT_EQ(job.kept_file("sortie-run-notes.txt")->contents, "mine");
  EXPECT_EQ(warnings, std::vector<std::string>{"checkpoint '/checkpoint' stays: it holds 'sortie-run-notes.txt', "
                                               "which the sort did not make; the output is complete"});
}

TEST(CheckpointCleanUp, SaysNothingOfADirectoryThatTheUserMade) {
  CheckpointedSort job = sort_of_lines();
  job.disk.add_file(in_checkpoint("letter"), "mine");
  job.options.warn = [](const std::string& message) { ADD_FAILURE() << message; };
  ASSERT_TRUE(job.attempt());
  EXPECT_EQ(job.kept_names(), std::vector<std::string>{"letter"});
}

// A kill leaves files of any length. A power cut leaves zeros in place of bytes.
TEST(CheckpointCleanUp, RemovesWhatAnAttemptOfTheSameJobLeftUnfinished) {
  CheckpointedSort job = sort_of_lines();
  job.interrupt_at(0.5);
  const std::string digits = job_digits(job);
  const std::string begun = job.kept_run()->contents;
  const std::string name = "sortie-run-" + digits + "-";
  const auto identity = parse_run_name(name + "40");
  ASSERT_TRUE(identity);
  RunHeader header;
  header.identity = *identity;
  const auto encoded = encode_run_header(header);
  const std::string bytes(reinterpret_cast<const char*>(encoded.data()), encoded.size());
  for (const std::string& contents : {std::string(), std::string(5000, '\0'), bytes, bytes.substr(0, 13),
                                      bytes.substr(0, 20) + std::string(80, '\0'), bytes + "records"}) {
    CheckpointedSort left = job;
    left.disk.add_file(in_checkpoint(name + "40"), contents);
    ASSERT_TRUE(left.attempt());
    EXPECT_FALSE(left.disk.has_directory(kCheckpointPath)) << contents.size();
  }
  const std::string line = job.manifest()->contents.substr(0, job.manifest()->contents.find('\n') + 1);
  for (std::size_t length = 0; length <= line.size(); length += 7) {
    CheckpointedSort left = job;
    left.disk.add_file(in_checkpoint("sortie-manifest-" + digits + ".new"), line.substr(0, length) + '\0');
    ASSERT_TRUE(left.attempt());
    EXPECT_FALSE(left.disk.has_directory(kCheckpointPath)) << length;
  }
}

TEST(CheckpointCleanUp, LeavesTheRunsOfAnotherJobAlone) {
  CheckpointedSort job = sort_of_lines();
  job.interrupt_at(0.5);
  auto& names = job.disk.directory(kCheckpointPath).names;
  names.erase("sortie-manifest");
  const std::vector<std::string> runs = job.kept_names();
  ASSERT_FALSE(runs.empty());
  ASSERT_TRUE(job.attempt());
  EXPECT_EQ(job.kept_names(), runs);
}

TEST(CheckpointCleanUp, LetsAnyJobFollowOneThatKeptNothing) {
  CheckpointedSort other = sort_of_lines();
  other.options.format.descending = true;
  const std::string expected = other.expected();
  int followed = 0;
  for (std::uint64_t cut_at = 1; followed < 5; ++cut_at) {
    CheckpointedSort job = sort_of_lines();
    ASSERT_FALSE(job.attempt(cut_at));
    job.disk.cut_power(PowerCutDisk::Loss::kNone, job.random);
    if (!job.manifest()) continue;
    ASSERT_EQ(std::ranges::count(job.manifest()->contents, '\n'), 1);
    job.options.format.descending = true;
    ASSERT_TRUE(job.attempt());
    EXPECT_TRUE(job.output() == expected);
    EXPECT_TRUE(job.kept_names().empty());
    ++followed;
  }
}

}  // namespace
}  // namespace sortie

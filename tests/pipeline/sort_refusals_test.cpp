// Jobs that sort() refuses. The target stays untouched, and the message names the cause.
#include "pipeline/sort_support.hpp"

namespace sortie {
namespace {

using namespace test;

// The message with which the job fails. Its target must stay as it was, with nothing beside it.
std::string refusal_of(SortForTest& job) {
  write_whole_file(job.options.output, "as it was");
  const std::set<std::string> names = job.directory.names();
  const std::string message = error_of([&] { sort(job.options); });
  EXPECT_EQ(job.output(), "as it was");
  EXPECT_EQ(job.directory.names(), names);
  job.expect_no_scratch_files();
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  return message;
}

void expect_names(const std::string& message, const std::string& words) {
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

TEST(SortRefusals, NameTheStrayTail) {
  SortForTest job(parsed("gensort"), {std::string(250, 'x')});
  expect_names(refusal_of(job), "a stray tail of 50 bytes begins at offset 200");
}

TEST(SortRefusals, NameAMissingInput) {
  SortForTest job(parsed("lines"), {"a\n"});
  job.options.inputs.push_back(job.directory / "missing");
  expect_names(refusal_of(job), "missing");
}

TEST(SortRefusals, NameAMissingScratchDirectoryWhereItIsNeeded) {
  SortForTest job(parsed("lines"), {lines_with_prefix(1200, 300)});
  EXPECT_GT(job.run().runs_spilled, 1U);
  job.options.scratch_directories = {job.directory / "nowhere"};
  expect_names(refusal_of(job), "nowhere");

  SortForTest small(parsed("lines"), {"a\n"});
  small.options.scratch_directories = {small.directory / "nowhere"};
  small.run();
  EXPECT_EQ(small.output(), "a\n");
}

TEST(SortRefusals, NameTheLeastMemoryBudget) {
  SortForTest job(parsed("lines"), {"a\n"});
  job.options.memory_bytes = kMinMemoryBytes - 1;
  expect_names(refusal_of(job), "is too small: at least " + std::to_string(kMinMemoryBytes) + " are needed");
}

TEST(SortRefusals, NameAFieldOutsideTheRecord) {
  SortForTest job(parsed("fixed:10", {"u32@8"}), {std::string(20, 'x')});
  expect_names(refusal_of(job), "leaves the record");
}

TEST(SortRefusals, NameAnOutputThatIsADirectory) {
  SortForTest job(parsed("lines"), {"a\n"});
  job.options.output = job.directory.path();
  expect_names(error_of([&] { sort(job.options); }), job.directory.path());
}

TEST(SortRefusals, NameDamagedCompressedInput) {
  SortForTest job(parsed("lines"), {make_records(parsed("lines"), Distribution::kUniform, 50'000)});
  SortOptions pack = job.options;
  pack.output = job.directory / "packed.zst";
  sort(pack);
  std::string packed = read_whole_file(pack.output);
  write_whole_file(pack.output, packed.substr(0, packed.size() / 2));
  job.options.inputs = {pack.output};
  expect_names(refusal_of(job), "packed.zst");
}

}  // namespace
}  // namespace sortie

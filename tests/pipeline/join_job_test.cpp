// Whole joins through files: out of core, of inputs that are in order, refused, stopped and with failing files.
#include "pipeline/join_job.hpp"

#include <stop_token>

#include "pipeline/join/join_plan.hpp"
#include "pipeline/join_support.hpp"
#include "pipeline/pipeline_support.hpp"
#include "record/csv/csv_order.hpp"
#include "support/faulty_file_system.hpp"

namespace sortie {
namespace {

using namespace test;

/// The inner join of two of lines_of_numbers().
std::string expected_pairs(int left_count, int left_step, int right_count, int right_step) {
  const std::string lefts = lines_of_numbers(left_count, left_step, "l");
  const std::string rights = lines_of_numbers(right_count, right_step, "r");
  const std::vector<std::string_view> left = records_of(layout_of(parsed("lines")), lefts);
  const std::vector<std::string_view> right = records_of(layout_of(parsed("lines")), rights);
  std::string rows;
  for (int i = 0; i < left_count; ++i) {
    const int number = i * left_step;
    if (number % right_step != 0 || number / right_step >= right_count) continue;
    const std::string_view one = left[static_cast<std::size_t>(i)];
    const std::string_view other = right[static_cast<std::size_t>(number / right_step)];
    rows.append(one.substr(0, one.size() - 1)).append(other.substr(8));
  }
  return rows;
}

TEST(JoinJob, JoinsWhatDoesNotFitInMemory) {
  JoinForTest job(in_random_order(lines_of_numbers(40'000, 2, "l")), in_random_order(lines_of_numbers(40'000, 3, "r")));
  const JoinReport report = join(job.options);
  EXPECT_GT(report.left.runs_spilled, 1U);
  EXPECT_GT(report.right.runs_spilled, 1U);
  EXPECT_TRUE(report.left.verified);
  EXPECT_TRUE(job.output() == expected_pairs(40'000, 2, 40'000, 3));
  EXPECT_EQ(report.output_records, 13'334U);
  EXPECT_EQ(report.output_bytes, job.output().size());
  job.expect_no_scratch_files();
}

TEST(JoinJob, PairsMoreEqualKeysThanMemoryHolds) {
  std::string left;
  std::string right;
  for (int i = 0; i < 20; ++i) left += "k,l" + std::to_string(i) + "\n";
  for (int i = 0; i < 9000; ++i) right += "k,r" + std::to_string(i) + std::string(50, 'x') + "\n";
  JoinForTest job("a,1\n" + left + "z,1\n", right);
  job.options.kind = JoinKind::kFull;
  join(job.options);
  std::string expected = "a,1,\n";
  for (const std::string_view l : records_of(layout_of(parsed("lines")), left)) {
    for (const std::string_view r : records_of(layout_of(parsed("lines")), right)) {
      expected.append(l.substr(0, l.size() - 1)).append(r.substr(1));
    }
  }
  EXPECT_TRUE(job.output() == expected + "z,1,\n");
  job.expect_no_scratch_files();
}

TEST(JoinJob, SortsNoInputThatIsInOrder) {
  JoinForTest job(lines_of_numbers(40'000, 2, "l"), lines_of_numbers(40'000, 3, "r"));
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  JoinJob in_order(*files, job.options, 1);
  const JoinReport report = in_order.run();
  EXPECT_EQ(in_order.attempt_count(), 1U);
  EXPECT_EQ(report.left.runs_spilled + report.right.runs_spilled, 0U);
  EXPECT_TRUE(job.output() == expected_pairs(40'000, 2, 40'000, 3));
}

TEST(JoinJob, SortsNoCsvThatIsInOrder) {
  JoinForTest job(lines_of_numbers(40'000, 2, "\"l\nl\","), lines_of_numbers(40'000, 3, "r"));
  job.options.sort.format = csv_format({{0}});
  join(job.options);
  const std::string expected = job.output();
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  JoinJob in_order(*files, job.options, 1);
  const JoinReport report = in_order.run();
  EXPECT_EQ(in_order.attempt_count(), 1U);
  EXPECT_EQ(report.left.run_bytes + report.right.run_bytes, 0U);
  EXPECT_EQ(report.left.scratch_peak_bytes + report.right.scratch_peak_bytes, 0U);
  EXPECT_EQ(report.output_records, 13'334U);
  EXPECT_TRUE(job.output() == expected);
}

// A sample does not find the one line that is far from its position.
TEST(JoinJob, BeginsAnewIfAnInputIsNotInOrderAfterAll) {
  const std::string right = lines_of_numbers(40'000, 3, "r");
  const std::size_t last = right.rfind('\n', right.size() - 2) + 1;
  const std::size_t middle = right.find('\n', right.size() / 3 + 4321) + 1;
  const std::string moved = right.substr(0, middle) + "00000000,late\n" + right.substr(middle);
  ASSERT_LT(middle, last);
  JoinForTest job(lines_of_numbers(40'000, 2, "l"), moved);
  job.options.columns = parse_join_columns("1.2,2.1");
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  JoinJob out_of_order(*files, job.options, 1);
  const JoinReport report = out_of_order.run();
  EXPECT_EQ(out_of_order.attempt_count(), 2U);
  EXPECT_EQ(report.output_records, 13'335U);
}

TEST(JoinJob, RefusesUnsortedInputsOfAMerge) {
  JoinForTest job("a,1\nc,1\nb,1\n", "b,1\n");
  job.options.sort.merge_only = true;
  EXPECT_NE(job.refusal().find("is not sorted: record 3 at offset 8 is out of order"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(job.options.sort.output));
}

TEST(JoinJob, MayReplaceAnInput) {
  JoinForTest job("b,1\na,2\n", "a,3\n");
  job.options.sort.output = job.options.sort.inputs[0];
  join(job.options);
  EXPECT_EQ(job.output(), "a,2,3\n");
}

TEST(JoinJob, GivesRowsToASink) {
  JoinForTest job("b,1\na,2\n", "a,3\n");
  std::string rows;
  job.options.sort.output = "-";
  job.options.sort.sink = [&](std::span<const std::byte> bytes) {
    rows.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  join(job.options);
  EXPECT_EQ(rows, "a,2,3\n");
  job.options.sort.sink = [](std::span<const std::byte>) { throw Error("enough"); };
  EXPECT_EQ(job.refusal(), "enough");
}

TEST(JoinJob, RefusesWhatIsNoJoin) {
  const auto refusal = [](const std::function<void(JoinOptions&)>& change) {
    JoinForTest job("a,1\n", "a,1\n");
    change(job.options);
    return job.refusal();
  };
  const auto expect = [&](const std::string& words, const std::function<void(JoinOptions&)>& change) {
    EXPECT_NE(refusal(change).find(words), std::string::npos) << refusal(change);
  };
  expect("a join is one of two inputs, not of 1", [](JoinOptions& join) { join.sort.inputs.pop_back(); });
  expect("a join is one of two inputs, not of 3", [](JoinOptions& join) { join.sort.inputs.emplace_back("x"); });
  expect("standard input is one side", [](JoinOptions& join) { join.sort.inputs = {"-", "-"}; });
  expect("a join needs a key", [](JoinOptions& join) { join.sort.format.text.keys.clear(); });
  expect("lines or CSV", [](JoinOptions& join) { join.sort.format = parsed("u32"); });
  expect("join and top are incompatible", [](JoinOptions& join) { join.sort.top_records = 1; });
  expect("join and unique are incompatible", [](JoinOptions& join) { join.sort.unique = true; });
  expect("join and sample are incompatible", [](JoinOptions& join) { join.sort.sample_records = 1; });
  expect("join and parts are incompatible", [](JoinOptions& join) {
    join.sort.parts.count = 2;
    join.sort.output += "{}";
  });
  expect("join and checkpoint are incompatible", [](JoinOptions& join) {
    join.sort.scratch_directories.clear();
    join.sort.checkpoint_directory = "x";
  });
  expect("one line or record", [](JoinOptions& join) { join.sort.header_lines = 2; });
  expect("lines that begin alike", [](JoinOptions& join) { join.sort.header_prefixes = {"#"}; });
  expect("2 keys, the left one 1", [](JoinOptions& join) {
    join.right_keys = {parse_text_key("1,1"), parse_text_key("2,2")};
  });
  expect("not of the same types", [](JoinOptions& join) { join.right_keys = {parse_text_key("1,1n")}; });
  expect("holds the end of a line", [](JoinOptions& join) { join.empty = "a\nb"; });
  expect("columns have names in CSV alone", [](JoinOptions& join) { join.columns = parse_join_columns("id"); });
  expect("goes to the end of the line", [](JoinOptions& join) { join.sort.format.text.keys = {parse_text_key("1")}; });
  expect("of more fields on one side", [](JoinOptions& join) { join.right_keys = {parse_text_key("1,2")}; });
  expect("no kind of join number 9", [](JoinOptions& join) { join.kind = static_cast<JoinKind>(9); });
  expect("No such file", [](JoinOptions& join) { join.sort.inputs[1] += "x"; });
}

TEST(JoinJob, TakesKeysThatCannotBeShownWhereNoneIs) {
  JoinForTest job("a,1\nb,2\n", "b,2\n");
  job.options.sort.format.text.keys = {parse_text_key("1")};
  job.options.columns = parse_join_columns("1.2");
  join(job.options);
  EXPECT_EQ(job.output(), "2\n");
}

// What the join has in its memory is of no use any more: the input is read once more.
TEST(JoinJob, NamesTheRecordThatHasTooManyFields) {
  std::string left = "id,a\n";
  for (int i = 0; i < 20'000; ++i) left += std::to_string(i * 7 % 20'000) + (i == 12'345 ? ",\"q\nr\",b\n" : ",x\n");
  for (const bool is_right : {false, true}) {
    JoinForTest job(is_right ? "id,b\n6415,x\n" : left, is_right ? left : "id,b\n6415,x\n");
    Format& format = job.options.sort.format;
    format.text.csv = true;
    format.text.keys.front().column = "id";
    EXPECT_NE(job.refusal().find("input '" + job.options.sort.inputs[is_right ? 1 : 0] +
                                 "': record 12347 has 3 fields, and the input 2 columns"),
              std::string::npos)
        << job.refusal();
  }
}

TEST(JoinJob, EndsWhenItIsStopped) {
  JoinForTest job(in_random_order(lines_of_numbers(40'000, 2, "l")), in_random_order(lines_of_numbers(40'000, 3, "r")));
  write_whole_file(job.options.sort.output, "as it was");
  std::stop_source stop;
  job.options.sort.stop = stop.get_token();
  job.options.sort.watch = [&](const Progress& progress) {
    if (progress.phase == "joining") stop.request_stop();
  };
  EXPECT_THROW(join(job.options), Stopped);
  EXPECT_EQ(job.output(), "as it was");
  job.expect_no_scratch_files();
}

TEST(JoinJob, LosesNothingWhereFilesFail) {
  JoinForTest job(in_random_order(lines_of_numbers(5000, 2, "l")), in_random_order(lines_of_numbers(5000, 3, "r")));
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  FaultyFileSystem counting(*files, {});
  JoinJob(counting, job.options).run();
  const std::string expected = job.output();
  const std::uint64_t operations = counting.operations();
  for (std::uint64_t first = 1; first <= operations; first += 1 + operations / 40) {
    write_whole_file(job.options.sort.output, "as it was");
    FaultyFileSystem faulty(*files, {.first = first});
    std::string error;
    try {
      JoinJob(faulty, job.options).run();
    } catch (const Error& thrown) {
      error = thrown.what();
    }
    EXPECT_TRUE(job.output() == (output_is_complete(error) ? expected : "as it was")) << first << ": " << error;
    job.expect_no_scratch_files();
  }
}

}  // namespace
}  // namespace sortie

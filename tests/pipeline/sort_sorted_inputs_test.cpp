// Sorts of inputs each of which is in order already: they are merged while they are read, without runs. And of those
// that only seem to be in order.
#include <sortie/text_keys.hpp>

#include <functional>

#include "pipeline/keyed_lines.hpp"
#include "pipeline/runs/ordered_delivery.hpp"
#include "pipeline/sort_job.hpp"
#include "pipeline/sort_support.hpp"
#include "record/csv/csv_order.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

/// `contents`, each sorted by itself.
std::vector<std::string> each_sorted(const Format& format, std::vector<std::string> contents) {
  for (std::string& bytes : contents) {
    SortForTest job(format, {bytes});
    job.run();
    bytes = job.output();
  }
  return contents;
}

/// What the sort gives that takes nothing for sorted, because inputs are small.
std::string expected_of(SortForTest& job) {
  SortOptions options = job.options;
  options.output = job.directory / "expected";
  sort(options);
  const std::string bytes = read_whole_file(options.output);
  std::filesystem::remove(options.output);
  return bytes;
}

SortReport run(SortForTest& job) {
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  SortJob sort(*files, job.options, {}, {.lets_ordered_lines_pass = true, .least_mapped_bytes = 1});
  const SortReport report = sort.run();
  job.expect_no_scratch_files();
  return report;
}

bool has_streamed(const SortReport& report) {
  return report.run_bytes == 0 && report.merge_passes == 1 && report.scratch_peak_bytes == 0;
}

Format json_format(const char* key) {
  Format format = parsed("lines");
  format.text.json = true;
  format.text.keys = {make_text_key(parse_json_key(key), {})};
  return format;
}

Format entries_format() {
  Format format = parsed("lines");
  format.text.record_start = RecordStart("[0-9]");
  format.text.keys = {parse_text_key("1,1n")};
  return format;
}

std::string json_lines(int count, int step) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    lines += R"({"at": {"id": )" + std::to_string(i * step % 7919) + R"(}, "x": ")" + std::to_string(i) + "\"}\n";
  }
  return lines;
}

/// Most records have newlines within quotes, and begin with what seems to be one.
std::string csv_records(int count, int step) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i * step % 7919);
    text +=
        number + ",\"said \"\"" + number + "\"\",\n" + std::string(static_cast<std::size_t>(i % 50), 'x') + "\n1,\"\n";
  }
  return text;
}

std::string entries(int count, int step) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i * step % 7919) + " event\n  at line\n";
  return text;
}

struct Inputs {
  Format format;
  std::vector<std::string> contents;
};

std::vector<Inputs> inputs_of_every_format() {
  std::vector<Inputs> all;
  const std::vector<std::pair<const char*, std::vector<std::string>>> kinds = {
      {"lines", {}}, {"fixed:30", {"u16be@0"}}, {"u32", {}}, {"gensort", {}}};
  for (const auto& [name, fields] : kinds) {
    const Format format = parsed(name, fields);
    all.push_back({format, sorted_ranges(format, make_records(format, Distribution::kZipf, 40'000), 3)});
  }
  for (const LineOrder& order : kOrdersOfEveryKind) {
    const Format format = format_of(order);
    all.push_back({format, each_sorted(format, {lines_with_fields(20'000, 1), lines_with_fields(30'000, 2)})});
  }
  const Format csv = csv_format({{0, true}});
  all.push_back({csv, each_sorted(csv, {csv_records(20'000, 17), csv_records(30'000, 23)})});
  const Format json = json_format(".at.id:n");
  all.push_back({json, each_sorted(json, {json_lines(20'000, 17), json_lines(20'000, 23)})});
  const Format started = entries_format();
  all.push_back({started, each_sorted(started, {entries(20'000, 17), entries(20'000, 23)})});
  return all;
}

TEST(SortSortedInputs, MergesThemWhileTheyAreReadInEveryFormat) {
  for (const auto& [format, contents] : turns_of(inputs_of_every_format())) {
    SCOPED_TRACE(to_string(format) + ": " + contents[0].substr(0, 40));
    for (const bool unique : turns_of({false, true})) {
      SortForTest job(format, contents);
      job.options.unique = unique;
      const std::string expected = expected_of(job);
      const SortReport report = run(job);
      EXPECT_TRUE(has_streamed(report));
      EXPECT_TRUE(job.output() == expected);
      EXPECT_TRUE(report.verified);
    }
  }
}

TEST(SortSortedInputs, GivesWhatTheSortGivesWhateverIsMadeOfEqualKeys) {
  const Format format = format_of({{{0}}, false});
  const std::vector<std::string> contents =
      each_sorted(format, {lines_with_fields(9000, 1), lines_with_fields(9000, 2), lines_with_fields(9000, 3)});
  const std::vector<std::function<void(SortOptions&)>> demands = {
      [](SortOptions& options) { options.count = true; },
      [](SortOptions& options) { options.unique = options.keep_last = true; },
      [](SortOptions& options) { options.key_filter = KeyFilter::kRepeated; },
      [](SortOptions& options) { options.key_filter = KeyFilter::kOnce; },
      [](SortOptions& options) { options.set_operation = SetOperation::kUnion; },
      [](SortOptions& options) { options.set_operation = SetOperation::kIntersect; },
      [](SortOptions& options) { options.set_operation = SetOperation::kExcept; },
      [](SortOptions& options) { options.set_operation = SetOperation::kSymmetric; },
      [](SortOptions& options) { options.grouping = Grouping{{Aggregate{AggregateKind::kCount}}}; },
      [](SortOptions& options) { options.header_lines = 1; },
      [](SortOptions& options) { options.verify = false; },
  };
  for (std::size_t i = 0; i < demands.size(); ++i) {
    SCOPED_TRACE("demand " + std::to_string(i));
    std::vector<std::string> bytes = contents;
    SortForTest job(format, bytes);
    demands[i](job.options);
    if (job.options.header_lines > 0) {
      for (std::size_t n = 0; n < bytes.size(); ++n) write_whole_file(job.options.inputs[n], "zz head\n" + bytes[n]);
    }
    const std::string expected = expected_of(job);
    EXPECT_TRUE(has_streamed(run(job)));
    EXPECT_TRUE(job.output() == expected);
  }
}

TEST(SortSortedInputs, TakesOneFileThatDoesNotFitMemory) {
  const Format csv = csv_format({{0}});
  SortForTest job(csv, each_sorted(csv, {well_formed_csv(90'000, 3)}));
  EXPECT_TRUE(has_streamed(run(job)));
  EXPECT_TRUE(job.output() == sorted_csv({{0}}, job.input(), false));
  SortForTest in_memory(csv, {job.output()});
  in_memory.options.memory_bytes = 512 << 20;
  EXPECT_FALSE(has_streamed(run(in_memory)));
  EXPECT_TRUE(in_memory.output() == job.output());
}

TEST(SortSortedInputs, ReplacesAnInputAndCompletesLastLines) {
  const Format format = parsed("lines");
  std::string odd;
  for (int i = 0; i < 30'000; ++i) odd += std::to_string(100'001 + 2 * i) + "\n";
  std::string even;
  for (int i = 0; i < 30'000; ++i) even += std::to_string(100'000 + 2 * i) + "\n";
  odd.pop_back();
  SortForTest job(format, {odd, even});
  job.options.output = job.options.inputs[0];
  EXPECT_TRUE(has_streamed(run(job)));
  EXPECT_TRUE(job.output() == stable_sorted(format, job.input()));
}

// Lines of numbers, with `late` somewhere that no sample looks at.
std::string nearly_all_in_order(int count, const std::string& late) {
  std::string lines;
  for (int i = 0; i < count; ++i) lines += std::to_string(10'000'000 + i) + "\n";
  const std::size_t middle = lines.find('\n', lines.size() / 3 + 12'345) + 1;
  return lines.insert(middle, late);
}

TEST(SortSortedInputs, ReportsALateRecordAndLeavesTheTargetAlone) {
  SortForTest job(parsed("lines"), {nearly_all_in_order(200'000, "late\n"), "1\n2\n"});
  write_whole_file(job.options.inputs[1], nearly_all_in_order(9000, ""));
  write_whole_file(job.options.output, "before");
  EXPECT_THROW(run(job), NeedsRuns);
  EXPECT_EQ(job.output(), "before");
  job.expect_no_scratch_files();
}

TEST(SortSortedInputs, BeginsAnewWithoutAWordIfTheyOnlySeemedToBe) {
  const int count = static_cast<int>(kLeastMappedBytes / 9);
  const std::vector<std::string> contents = {nearly_all_in_order(count, "0late\n"), nearly_all_in_order(9000, "")};
  for (const SetOperation operation : turns_of({SetOperation::kNone, SetOperation::kExcept})) {
    SortForTest job(parsed("lines"), contents);
    job.options.memory_bytes = 8 << 20;
    job.options.set_operation = operation;
    std::vector<std::string> warnings;
    job.options.warn = [&](const std::string& warning) { warnings.push_back(warning); };
    const SortReport report = job.run();
    EXPECT_GT(report.run_bytes, 0U);
    EXPECT_EQ(warnings, std::vector<std::string>());
    EXPECT_EQ(read_whole_file(job.options.inputs[0]), contents[0]);
    if (operation == SetOperation::kExcept) {
      EXPECT_EQ(report.output_records, static_cast<std::uint64_t>(count) - 8999);
    } else {
      EXPECT_TRUE(job.output() == stable_sorted(parsed("lines"), job.input()));
    }
  }
}

TEST(SortSortedInputs, SortsWhatASampleShowsToBeUnsortedOrHasFewerRecords) {
  const std::string in_order = nearly_all_in_order(30'000, "");
  const std::vector<std::vector<std::string>> unsorted = {
      {in_order, "2\n" + in_order},
      {in_order, in_order + "1\n"},
      {in_order, in_order + "1"},
      {in_order, make_records(parsed("lines"), Distribution::kUniform, 9000)},
      {std::string(200'000, 'x') + "\n" + std::string(200'000, 'y') + "\n", in_order}};
  for (std::size_t i = 0; i < unsorted.size(); ++i) {
    SCOPED_TRACE("inputs " + std::to_string(i));
    SortForTest job(parsed("lines"), unsorted[i]);
    job.options.memory_bytes = 4 << 20;
    EXPECT_FALSE(has_streamed(run(job)));
    EXPECT_TRUE(job.output() == stable_sorted(parsed("lines"), job.input()));
  }
}

TEST(SortSortedInputs, SortsWhereOnlyTheFirstRecordsAreWanted) {
  SortForTest job(parsed("lines"), {nearly_all_in_order(30'000, ""), nearly_all_in_order(30'000, "")});
  job.options.top_records = 10;
  EXPECT_FALSE(has_streamed(run(job)));
  EXPECT_EQ(job.output().size(), 90U);
}

TEST(SortSortedInputs, SortsMoreThanMayBeMergedAtOnce) {
  SortForTest job(parsed("lines"), std::vector<std::string>(20, nearly_all_in_order(3000, "")));
  job.options.merge_fan_in = 4;
  EXPECT_FALSE(has_streamed(run(job)));
  EXPECT_TRUE(job.output() == stable_sorted(parsed("lines"), job.input()));
}

}  // namespace
}  // namespace sortie

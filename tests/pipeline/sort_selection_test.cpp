// Whole sorts that write only a part: the first records, or one record per key, with counts.
#include "pipeline/keyed_lines.hpp"
#include "pipeline/sort_job.hpp"
#include "pipeline/sort_support.hpp"
#include "record/record_scan.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr std::uint64_t kAmpleMemory = 64 << 20;

/// Every format, and orders in which lines are encoded.
std::vector<Format> selected_formats() {
  std::vector<Format> all = {parsed("lines"),
                             parsed("lines", {}, true),
                             parsed("u32"),
                             parsed("f64", {}, true),
                             parsed("gensort"),
                             parsed("fixed:12", {"u8@0"}),
                             format_of({{{0}}, true}),
                             format_of({{{1, true, true}}, false})};
  all[6].delimiter = '\0';
  return all;
}

std::string input_of(const Format& format) {
  if (!format.text.keys.empty()) return lines_with_fields(30'000, 1, format.delimiter);
  return make_records(format, Distribution::kZipf, 60'000);
}

/// The output of the same sort without a selection.
std::string sorted_without_selection(const Format& format, const std::string& bytes, bool unique) {
  SortForTest job(format, {bytes});
  job.options.unique = unique;
  job.options.memory_bytes = kAmpleMemory;
  if (unique) job.options.format.text.last_resort = false;
  job.run();
  return job.output();
}

std::string first_of(const Format& format, const std::string& sorted, std::uint64_t count) {
  return sorted.substr(0, first_records(layout_of(format), as_bytes(sorted), count));
}

TEST(SortSelection, WritesTheFirstRecordsOfEveryFormat) {
  for (const Format& format : turns_of(selected_formats())) {
    SCOPED_TRACE(to_string(format));
    const std::string bytes = input_of(format);
    for (const bool unique : {false, true}) {
      const std::string sorted = sorted_without_selection(format, bytes, unique);
      for (const std::uint64_t count : {1, 100, 20'000, 1'000'000}) {
        for (const std::uint64_t memory_bytes : turns_of({kMinMemoryBytes, std::uint64_t{1} << 20, kAmpleMemory})) {
          SCOPED_TRACE(std::to_string(count) + " in " + std::to_string(memory_bytes));
          SortForTest job(format, {bytes});
          job.options.unique = unique;
          if (unique) job.options.format.text.last_resort = false;
          job.options.top_records = count;
          job.options.memory_bytes = memory_bytes;
          const SortReport report = job.run();
          const std::string expected = first_of(format, sorted, count);
          EXPECT_TRUE(job.output() == expected);
          EXPECT_EQ(report.output_records, count_records(layout_of(format), as_bytes(expected)));
          EXPECT_EQ(report.input_bytes, bytes.size());
        }
      }
    }
  }
}

TEST(SortSelection, FewRecordsOfManyNeedNoScratchSpace) {
  SortForTest job(parsed("lines"), {make_records(parsed("lines"), Distribution::kUniform, 200'000)});
  job.options.memory_bytes = 1 << 20;
  job.options.top_records = 100;
  const SortReport report = job.run();
  EXPECT_EQ(report.runs, 1U);
  EXPECT_EQ(report.scratch_peak_bytes, 0U);
}

TEST(SortSelection, CutsOffMergedInputs) {
  SortForTest job(parsed("lines"), {"a\nc\ne\n", "b\nd\n"});
  job.options.merge_only = true;
  job.options.top_records = 3;
  job.run();
  EXPECT_EQ(job.output(), "a\nb\nc\n");
}

TEST(SortSelection, LeavesTheHeaderOutOfTheCount) {
  SortForTest job(parsed("lines"), {"title\nc\nb\n", "title\na\n"});
  job.options.header_lines = 1;
  job.options.top_records = 2;
  job.run();
  EXPECT_EQ(job.output(), "title\na\nb\n");
  job.options.count = true;
  job.run();
  EXPECT_EQ(job.output(), "title\n      1 a\n      1 b\n");
}

TEST(SortSelection, CountsLinesWithEqualKeys) {
  const std::string bytes = make_records(parsed("lines"), Distribution::kZipf, 60'000);
  const std::string sorted = stable_sorted(parsed("lines"), bytes);
  const auto lines = records_of(layout_of(parsed("lines")), sorted);
  std::string expected;
  for (std::size_t begin = 0; begin < lines.size();) {
    std::size_t end = begin;
    while (end < lines.size() && lines[end] == lines[begin]) ++end;
    const std::string count = std::to_string(end - begin);
    expected += std::string(7 - count.size(), ' ') + count + ' ' + std::string(lines[begin]);
    begin = end;
  }
  for (const std::uint64_t memory_bytes : {kMinMemoryBytes, kAmpleMemory}) {
    SortForTest job(parsed("lines"), {bytes});
    job.options.count = true;
    job.options.memory_bytes = memory_bytes;
    const SortReport report = job.run();
    EXPECT_TRUE(job.output() == expected);
    EXPECT_EQ(report.output_records, static_cast<std::uint64_t>(std::ranges::count(expected, '\n')));
    job.options.top_records = 100;
    job.run();
    EXPECT_TRUE(job.output() == first_of(parsed("lines"), expected, 100));
  }
}

TEST(SortSelection, KeepsTheLastOfRecordsWithEqualKeys) {
  const std::vector<Format> formats = {parsed("fixed:12", {"u16@0"}), parsed("gensort"), format_of({{{0}}, false}),
                                       parsed("lines"), parsed("u32")};
  for (const Format& format : turns_of(formats)) {
    SCOPED_TRACE(to_string(format));
    const std::string bytes = input_of(format);
    // A sort of the reversed input with `unique` keeps the last record of each key.
    std::vector<std::string_view> records = records_of(layout_of(format), bytes);
    std::ranges::reverse(records);
    const std::string expected = sorted_without_selection(format, joined(records), true);
    for (const std::uint64_t count : {0, 7, 200}) {
      for (const std::uint64_t memory_bytes : {kMinMemoryBytes, kAmpleMemory}) {
        SortForTest job(format, {bytes});
        job.options.unique = true;
        job.options.keep_last = true;
        job.options.format.text.last_resort = false;
        job.options.top_records = count;
        job.options.memory_bytes = memory_bytes;
        job.run();
        EXPECT_TRUE(job.output() == (count == 0 ? expected : first_of(format, expected, count)));
      }
    }
  }
}

TEST(SortSelection, KeepsTheLastOfMergedInputs) {
  SortForTest job(format_of({{{0}}, false}), {"a 1\nb 1\n", "a 2\nc 2\n", "a 3\nb 3\n"});
  job.options.merge_only = true;
  job.options.unique = true;
  job.options.keep_last = true;
  job.run();
  EXPECT_EQ(job.output(), "a 3\nb 3\nc 2\n");
  job.options.count = true;
  job.run();
  EXPECT_EQ(job.output(), "      3 a 3\n      2 b 3\n      1 c 2\n");
}

TEST(SortSelection, RefusesWhatMakesNoSense) {
  SortForTest numbers(parsed("u32"), {"1234"});
  numbers.options.count = true;
  EXPECT_EQ(error_of([&] { numbers.run(); }), "records of format 'u32' cannot be counted: only lines can");
  SortForTest last(parsed("lines"), {"a\n"});
  last.options.keep_last = true;
  EXPECT_EQ(error_of([&] { last.run(); }), "keep=last needs unique or count");
  SortForTest csv(parsed("lines"), {"a\n"});
  csv.options.format.text.csv = true;
  csv.options.format.text.separator = ',';
  csv.options.count = true;
  EXPECT_NE(error_of([&] { csv.run(); }).find("records of CSV cannot be counted"), std::string::npos);
}

TEST(SortUnique, DropsDuplicatesOfAnInputThatIsMappedAndInOrder) {
  for (const char* name : {"lines", "gensort"}) {
    SCOPED_TRACE(name);
    const Format format = parsed(name);
    const std::string sorted = stable_sorted(format, make_records(format, Distribution::kZipf, 30'000));
    SortForTest job(format, {sorted});
    job.options.unique = true;
    job.options.memory_bytes = kAmpleMemory;
    const std::unique_ptr<FileSystem> files = make_posix_file_system();
    const SortReport report = SortJob(*files, job.options, {}, {.least_mapped_bytes = 1}).run();
    EXPECT_LT(report.output_records, report.input_records);
    EXPECT_TRUE(job.output() == job.expected());
  }
}

/// One record of each key that has several or, for kOnce, one. `sorted`: by their keys.
std::string filtered(const Format& format, const std::string& sorted, KeyFilter filter, bool keep_last) {
  const RecordOrder order(format);
  const std::vector<std::string_view> records = records_of(layout_of(format), sorted);
  const auto are_equal = [&](std::string_view a, std::string_view b) {
    return order.compare(as_bytes(a), as_bytes(b)) == 0;
  };
  std::string output;
  for (std::size_t begin = 0, end = 0; begin < records.size(); begin = end) {
    while (end < records.size() && are_equal(records[begin], records[end])) ++end;
    if ((end - begin > 1) == (filter == KeyFilter::kRepeated)) output += records[keep_last ? end - 1 : begin];
  }
  return output;
}

TEST(SortSelection, ShowsWhatComesSeveralTimesOrOnce) {
  for (const char* const word : {"lines", "u32", "gensort"}) {
    const Format format = parsed(word);
    const std::string bytes = make_records(format, Distribution::kZipf, 60'000);
    const std::string sorted = sorted_without_selection(format, bytes, false);
    for (const KeyFilter filter : {KeyFilter::kRepeated, KeyFilter::kOnce}) {
      for (const bool keep_last : turns_of({false, true})) {
        if (keep_last && filter == KeyFilter::kOnce) continue;
        for (const std::uint64_t memory_bytes : turns_of({kMinMemoryBytes, kAmpleMemory})) {
          SCOPED_TRACE(std::string(word) + ", " + std::to_string(memory_bytes));
          SortForTest job(format, {bytes});
          job.options.key_filter = filter;
          job.options.keep_last = keep_last;
          job.options.memory_bytes = memory_bytes;
          job.run();
          const std::string expected = filtered(format, sorted, filter, keep_last);
          EXPECT_FALSE(expected.empty());
          EXPECT_TRUE(job.output() == expected);
        }
      }
    }
  }
}

TEST(SortSelection, ShowsTheFirstOfWhatComesOnce) {
  const Format format = parsed("lines");
  const std::string bytes = make_records(format, Distribution::kZipf, 60'000);
  const std::string all = filtered(format, sorted_without_selection(format, bytes, false), KeyFilter::kOnce, false);
  for (const std::uint64_t count : {1, 100, 1'000'000}) {
    SortForTest job(format, {bytes});
    job.options.key_filter = KeyFilter::kOnce;
    job.options.top_records = count;
    job.run();
    EXPECT_TRUE(job.output() == first_of(format, all, count)) << count;
  }
}

// Counts say which lines come several times.
TEST(SortSelection, FiltersByKeysInLines) {
  const Format format = format_of({{{1}}, false});
  const std::string bytes = lines_with_fields(3000, 1, '\n');
  SortForTest counted(format, {bytes});
  counted.options.count = true;
  counted.run();
  const std::string counts = counted.output();
  for (const KeyFilter filter : {KeyFilter::kRepeated, KeyFilter::kOnce}) {
    std::string expected;
    for (const std::string_view line : records_of(layout_of(format), counts)) {
      const bool is_one = std::stoul(std::string(line.substr(0, 7))) == 1;
      if (is_one == (filter == KeyFilter::kOnce)) expected += line;
    }
    SortForTest job(format, {bytes});
    job.options.count = true;
    job.options.key_filter = filter;
    job.run();
    EXPECT_FALSE(expected.empty());
    EXPECT_TRUE(job.output() == expected);
  }
}

}  // namespace
}  // namespace sortie

// Whole sorts that count what they assume, on every way that lines take.
#include <gmock/gmock.h>

#include <sortie/genome_order.hpp>
#include <sortie/text_keys.hpp>

#include "pipeline/sort_support.hpp"

namespace sortie {
namespace {

using namespace test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Format lines_by(const std::string& key) {
  Format format = parsed("lines");
  format.text.keys = {parse_text_key(key)};
  return format;
}

Format json_by(const std::string& path) {
  Format format = parsed("lines");
  format.text.keys = {make_text_key(parse_json_key(path), {})};
  format.text.json = true;
  return format;
}

Format csv_by(const std::string& column) {
  Format format = parsed("lines");
  format.text.keys = {make_text_key(parse_column_key(column), {})};
  format.text.csv = true;
  format.text.separator = ",";
  return format;
}

/// Times, of which each seventh line has none.
std::string log_of(std::size_t count, bool sorted) {
  std::string lines;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t moment = sorted ? i : (i * 7919) % count;
    lines += i % 7 == 3 ? "never" : std::to_string(1'000'000'000 + moment);
    lines += " " + std::string(40, 'x') + "\n";
  }
  return lines;
}

struct AssumingSort : SortForTest {
  AssumingSort(const Format& format, const std::vector<std::string>& contents) : SortForTest(format, contents) {
    options.warn = [this](const std::string& message) { warnings.push_back(message); };
  }

  Assumption only() {
    const std::vector<Assumption> list = run().assumptions;
    EXPECT_EQ(list.size(), 1U);
    EXPECT_EQ(warnings.size(), 1U);
    if (list.empty()) return {};
    EXPECT_THAT(warnings, ElementsAre(list[0].message));
    return list[0];
  }

  std::string refusal() {
    options.strict = true;
    write_whole_file(options.output, "as it was");
    std::string message;
    try {
      sort(options);
    } catch (const Error& error) {
      message = error.what();
    }
    EXPECT_EQ(output(), "as it was");
    return message;
  }

  std::vector<std::string> warnings;
};

constexpr std::size_t kLines = 20'000;
constexpr std::size_t kUnread = 2857;

TEST(SortAssumptions, CountTimesThatCannotBeRead) {
  AssumingSort job(lines_by("1,1:time(s)"), {log_of(kLines, false)});
  const Assumption found = job.only();
  EXPECT_EQ(found.kind, "unread-time");
  EXPECT_EQ(found.count, kUnread);
  EXPECT_EQ(found.of, kLines);
  EXPECT_EQ(found.first_place, job.options.inputs[0] + ":4");
  EXPECT_THAT(found.message, HasSubstr("'never'"));
}

TEST(SortAssumptions, AreTheSameWithThreadsAndAnyMemory) {
  for (const unsigned threads : {1U, 3U}) {
    for (const std::uint64_t memory : {std::uint64_t{kMinMemoryBytes}, std::uint64_t{64} << 20}) {
      AssumingSort job(lines_by("1,1:time(s)"), {log_of(kLines, false), log_of(10, false)});
      job.options.threads = threads;
      job.options.memory_bytes = memory;
      EXPECT_EQ(job.only().count, kUnread + 1);
    }
  }
}

TEST(SortAssumptions, AreCountedOnceInMergesSetsAndSelections) {
  const std::string lines = "1 a\nx b\n2 c\n";
  const auto count_with = [&](const auto& change) {
    AssumingSort job(lines_by("1,1:time(s)"), {lines, "1 a\n"});
    change(job.options);
    const Assumption found = job.only();
    EXPECT_EQ(found.of, 4U);
    EXPECT_EQ(found.first_place, job.options.inputs[0] + ":2");
    return found.count;
  };
  EXPECT_EQ(count_with([](SortOptions& options) { options.unique = true; }), 1U);
  EXPECT_EQ(count_with([](SortOptions& options) { options.count = true; }), 1U);
  EXPECT_EQ(count_with([](SortOptions& options) { options.top_records = 1; }), 1U);
  EXPECT_EQ(count_with([](SortOptions& options) { options.key_filter = KeyFilter::kRepeated; }), 1U);
  EXPECT_EQ(count_with([](SortOptions& options) { options.set_operation = SetOperation::kExcept; }), 1U);
  EXPECT_EQ(count_with([](SortOptions& options) { options.grouping.emplace(); }), 1U);
  EXPECT_EQ(count_with([](SortOptions& options) {
              options.unique = true;
              options.output_order = OutputOrder::kInput;
            }),
            1U);
}

TEST(SortAssumptions, AreCountedInMergesOfInputs) {
  AssumingSort job(lines_by("1,1:time(s)"), {"x b\n1 a\n2 c\n", "y\n1 a\n"});
  job.options.merge_only = true;
  EXPECT_EQ(job.only().count, 2U);
}

TEST(SortAssumptions, OfASampleHaveNoPlace) {
  AssumingSort job(lines_by("1,1:time(s)"), {"x b\n1 a\n2 c\n"});
  job.options.sample_records = 3;
  const Assumption found = job.only();
  EXPECT_EQ(found.count, 1U);
  EXPECT_EQ(found.first_place, "");
}

TEST(SortAssumptions, CountYearsThatNobodyHasSaid) {
  const std::vector<std::string> lines = {"2000-10-10 10:00:00\nOct 10 13:55:36\n"};
  AssumingSort job(lines_by("1,3:time"), lines);
  const Assumption found = job.only();
  EXPECT_EQ(found.kind, "assumed-year");
  EXPECT_EQ(found.first_place, job.options.inputs[0] + ":2");
  AssumingSort told(lines_by("1,3:time"), lines);
  told.options.format.text.last_day = last_day_of_year(2000);
  EXPECT_THAT(told.run().assumptions, IsEmpty());
  EXPECT_THAT(told.warnings, IsEmpty());
}

TEST(SortAssumptions, CountValuesThatJsonLacks) {
  AssumingSort some(json_by(".a"), {"{\"a\":1}\n{\"b\":1}\n{\"a\":null}\n"});
  EXPECT_EQ(some.only().first_place, some.options.inputs[0] + ":2");
  AssumingSort none(json_by(".tiem"), {"{\"a\":1}\n{\"b\":1}\n"});
  EXPECT_THAT(none.only().message, HasSubstr("value '.tiem': none of 2 records has such a value"));
  AssumingSort null(json_by(".a"), {"{\"a\":null}\n{\"a\":null}\n"});
  EXPECT_EQ(null.only().kind, "empty-key");
  AssumingSort time(json_by(".a:time"), {"{\"a\":\"x\"}\n{\"a\":null}\n{\"a\":\"2000-01-01\"}\n"});
  EXPECT_EQ(time.only().count, 1U);
}

TEST(SortAssumptions, CountColumnsOfCsvThatHoldNoNumber) {
  AssumingSort job(csv_by("price:n"), {"id,price\n1,2\n2,n/a\n3,\n"});
  const Assumption found = job.only();
  EXPECT_EQ(found.kind, "unread-number");
  EXPECT_EQ(found.count, 2U);
  EXPECT_EQ(found.first_place, job.options.inputs[0] + ": record 3");
  EXPECT_THAT(found.message, HasSubstr("column 'price': "));
  AssumingSort cut(csv_by("price:n"), {"id,price\n1,2\n2,1e5\n"});
  EXPECT_EQ(cut.only().kind, "cut-number");
  AssumingSort empty(csv_by("price"), {"id,price\n1,\n2,\n"});
  EXPECT_EQ(empty.only().kind, "empty-key");
}

TEST(SortAssumptions, CountPlacesInGenomesThatCannotBeRead) {
  Format format = parsed("lines");
  format.text = genome_order(GenomeFile::kBed, ChromosomeOrder::kNatural);
  AssumingSort job(format, {"chr1\t1\t2\nchr1\tx\t3\nchr2\t1\t2\n"});
  job.options.header_prefixes = genome_header_prefixes(GenomeFile::kBed);
  EXPECT_THAT(job.only().message, HasSubstr("the start: no number could be read in 1 of 3 records"));
}

TEST(SortAssumptions, CountAggregatesOfNoValue) {
  AssumingSort job(json_by(".a"), {"{\"a\":1}\n{\"a\":2}\n"});
  job.options.grouping.emplace().aggregates.push_back(parse_aggregate("sum:.vv", job.options.format.text));
  EXPECT_THAT(job.only().message, HasSubstr("value '.vv': none of 2 records has a value to aggregate"));
}

TEST(SortAssumptions, AreNoneOfKeysThatGnuSortHas) {
  AssumingSort job(lines_by("1,1n"), {"x\n1\n"});
  EXPECT_THAT(job.run().assumptions, IsEmpty());
  EXPECT_THAT(AssumingSort(lines_by("1,1n"), {"x\n1\n"}).refusal(),
              HasSubstr("key 1: no number could be read in 1 of 2"));
}

TEST(SortAssumptions, AreRefusedByAStrictSort) {
  for (const bool sorted : {false, true}) {
    AssumingSort job(lines_by("1,1:time(s)"), {log_of(kLines, sorted)});
    EXPECT_THAT(job.refusal(), HasSubstr("no time could be read in 2857 of 20000 records"));
  }
  AssumingSort merge(lines_by("1,1:time(s)"), {"x\n1\n", "2\n"});
  merge.options.merge_only = true;
  EXPECT_THAT(merge.refusal(), HasSubstr("1 of 3 records"));
  AssumingSort sample(lines_by("1,1:time(s)"), {"x\n1\n", "2\n"});
  sample.options.sample_records = 3;
  EXPECT_THAT(sample.refusal(), HasSubstr("1 of 3 records"));
}

TEST(SortAssumptions, LetAStrictSortPassThatAssumesNothing) {
  AssumingSort job(lines_by("1,1:time(s)"), {"2\n1\n"});
  job.options.strict = true;
  job.run();
  EXPECT_EQ(job.output(), "1\n2\n");
}

TEST(SortAssumptions, OfAHeaderAreThatSomeInputsHaveNone) {
  AssumingSort job(parsed("lines"), {"#z\nb\n", "a\n", ""});
  job.options.header_prefixes = {"#"};
  const Assumption found = job.only();
  EXPECT_THAT(found.message, HasSubstr("1 of 2 inputs have no header"));
  EXPECT_EQ(found.first_place, job.options.inputs[1]);
  AssumingSort none(parsed("lines"), {"a\n"});
  none.options.header_prefixes = {"#"};
  EXPECT_THAT(none.only().message, HasSubstr("none of 1 inputs has a header"));
}

TEST(SortAssumptions, OfAHeaderAreToldOnceWithASample) {
  AssumingSort job(parsed("lines"), {"a\n"});
  job.options.header_prefixes = {"#"};
  job.options.sample_records = 1;
  EXPECT_EQ(job.only().first_place, job.options.inputs[0]);
}

TEST(CheckAssumptions, AreWarnedOf) {
  AssumingSort job(lines_by("1,1:time(s)"), {"x\n1\n2\n"});
  EXPECT_FALSE(check(job.options).has_value());
  EXPECT_THAT(job.warnings, ElementsAre(HasSubstr("1 of 3 records")));
  job.options.strict = true;
  EXPECT_THROW(check(job.options), Error);
}

// Lines of one moment stay as they came, and are in order.
TEST(SortByOwnKeys, IsStableByItself) {
  const std::string log = "1 b\n1 a\n0 c\n";
  SortForTest times(lines_by("1,1:time(s)"), {log});
  times.run();
  EXPECT_EQ(times.output(), "0 c\n1 b\n1 a\n");
  SortForTest sorted(lines_by("1,1:time(s)"), {"1 b\n1 a\n2\n"});
  EXPECT_FALSE(check(sorted.options).has_value());
  SortForTest json(json_by(".a"), {"{\"a\":1,\"b\":2}\n{\"a\":1,\"b\":1}\n"});
  json.run();
  EXPECT_EQ(json.output(), json.input());
  SortForTest gnu(lines_by("1,1n"), {log});
  gnu.run();
  EXPECT_EQ(gnu.output(), "0 c\n1 a\n1 b\n");
  Format mixed = lines_by("1,1:time(s)");
  mixed.text.keys.push_back(lines_by("1,1n").text.keys[0]);
  SortForTest both(mixed, {log});
  both.run();
  EXPECT_EQ(both.output(), "0 c\n1 b\n1 a\n");
}

}  // namespace
}  // namespace sortie

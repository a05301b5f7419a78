// Whole sorts that group: combined in runs, merges and at the output, whatever the memory, and verified.
#include <functional>
#include <map>

#include <sortie/error.hpp>
#include <sortie/grouping.hpp>
#include <sortie/text_keys.hpp>

#include "pipeline/sort_job.hpp"
#include "pipeline/sort_support.hpp"

namespace sortie {
namespace {

using namespace test;
using enum AggregateKind;

Format keyed_lines(const char* key = "1,1") {
  Format format = parsed("lines");
  format.text.separator = '\t';
  format.text.keys.push_back(parse_text_key(key));
  format.text.last_resort = false;
  return format;
}

Grouping grouping_of(const Format& format, std::initializer_list<std::pair<AggregateKind, const char*>> aggregates) {
  Grouping grouping;
  for (const auto& [kind, column] : aggregates) {
    Aggregate& aggregate = grouping.aggregates.emplace_back();
    aggregate.kind = kind;
    if (kind != kCount) aggregate.field = parse_aggregate_field(column, format.text);
  }
  return grouping;
}

struct GroupedSort : SortForTest {
  GroupedSort(const Format& format, const std::vector<std::string>& contents,
              std::initializer_list<std::pair<AggregateKind, const char*>> aggregates)
      : SortForTest(format, contents) {
    options.grouping = grouping_of(format, aggregates);
  }
};

/// Lines "kN<tab>value", and what becomes of them.
struct Sample {
  std::string text;
  std::string expected;  // key, count, sum, first, last
};

Sample sample_of(std::size_t lines, unsigned keys) {
  struct Group {
    std::uint64_t count = 0;
    long long sum = 0;
    long long first = 0;
    long long last = 0;
  };
  std::mt19937_64 random(keys);
  std::map<std::string, Group> groups;
  Sample sample;
  for (std::size_t i = 0; i < lines; ++i) {
    const std::string key = "k" + std::to_string(random() % keys);
    const auto value = static_cast<long long>(random() % 2'000'000) - 1'000'000;
    sample.text += key + "\t" + std::to_string(value) + "\n";
    Group& group = groups[key];
    if (group.count++ == 0) group.first = value;
    group.sum += value;
    group.last = value;
  }
  for (const auto& [key, group] : groups) {
    sample.expected += key;
    for (const std::string& text : {std::to_string(group.count), std::to_string(group.sum), std::to_string(group.first),
                                    std::to_string(group.last)}) {
      sample.expected += "\t" + text;
    }
    sample.expected += "\n";
  }
  return sample;
}

TEST(SortGroups, AreTheSameWhateverTheMemoryAndThreads) {
  for (const unsigned keys : {1U, 3U, 2000U, 1U << 30}) {
    const Sample sample = sample_of(40'000, keys);
    for (const std::uint64_t memory_bytes : {std::uint64_t{256} << 20, kMinMemoryBytes}) {
      for (const unsigned threads : {1U, 3U}) {
        GroupedSort job(keyed_lines(), {sample.text}, {{kCount, ""}, {kSum, "2"}, {kFirst, "2"}, {kLast, "2"}});
        job.options.memory_bytes = memory_bytes;
        job.options.threads = threads;
        job.options.merge_fan_in = 2;
        const SortReport report = job.run();
        EXPECT_TRUE(report.verified);
        EXPECT_EQ(report.input_records, 40'000U);
        EXPECT_TRUE(job.output() == sample.expected) << keys << " keys, " << memory_bytes << " bytes";
        EXPECT_EQ(report.runs > 1, memory_bytes == kMinMemoryBytes && keys >= 2000);
      }
    }
  }
}

TEST(SortGroups, OfFewKeysNeedNoScratchSpace) {
  GroupedSort job(keyed_lines(), {sample_of(40'000, 3).text}, {{kSum, "2"}});
  EXPECT_EQ(job.run().runs_spilled, 0U);
}

TEST(SortGroups, ReachRunsCombined) {
  const Sample sample = sample_of(400'000, 2000);
  GroupedSort job(keyed_lines(), {sample.text}, {{kSum, "2"}});
  job.options.compression = Compression::kNone;
  const SortReport report = job.run();
  EXPECT_GT(report.runs, 1U);
  EXPECT_LT(report.run_bytes, sample.text.size());
}

// The sum of a line and one that is read much later has far more digits than both, so that it does not fit in their
// place.
/// Rows that are much longer than the lines: they are written text by text.
TEST(SortGroups, ShowALongTextAsOftenAsItIsAskedFor) {
  const std::string a(1'500'000, 'a');
  const std::string b(1'600'000, 'b');
  GroupedSort job(keyed_lines(), {"k\t" + a + "\nj\t1\nk\t" + b + "\n"},
                  {{kFirst, "2"}, {kLast, "2"}, {kFirst, "2"}, {kCount, ""}, {kLast, "2"}});
  job.run();
  EXPECT_TRUE(job.output() == "j\t1\t1\t1\t1\t1\nk\t" + a + "\t" + b + "\t" + a + "\t2\t" + b + "\n");
  job.options.top_records = 1;
  job.run();
  EXPECT_EQ(job.output(), "j\t1\t1\t1\t1\t1\n");
}

TEST(SortGroups, RefuseARowThatIsTooLongForParts) {
  const std::string text(2 << 20, 'a');
  GroupedSort job(keyed_lines(), {"k\t" + text + "\nj\t1\n"},
                  {{kFirst, "2"},
                   {kFirst, "2"},
                   {kFirst, "2"},
                   {kFirst, "2"},
                   {kFirst, "2"},
                   {kFirst, "2"},
                   {kFirst, "2"},
                   {kFirst, "2"},
                   {kFirst, "2"}});
  job.options.parts.count = 2;
  job.options.output = job.directory / "part-{}";
  EXPECT_EQ(error_of([&] { job.run(); }),
            "the record of a group has 18.9 MB of text, which is too long for an output in parts: ask for fewer "
            "aggregates, write one output, or raise the memory budget");
}

TEST(SortGroups, MayHaveSumsThatAreLongerThanTheirAddends) {
  constexpr int kKeys = 10'000;
  constexpr int kKeysOfBlock = 500;
  const std::string sum = std::string("1").append(900, '0').append(".").append(899, '0').append("1");
  std::string text;
  std::string expected;
  for (int begin = kKeys; begin < 2 * kKeys; begin += kKeysOfBlock) {
    for (const char* const number : {"1e900", "1e-900"}) {
      for (int key = begin; key < begin + kKeysOfBlock; ++key) text += std::to_string(key) + "\t" + number + "\n";
    }
    for (int key = begin; key < begin + kKeysOfBlock; ++key) expected += std::to_string(key) + "\t" + sum + "\t2\n";
  }
  GroupedSort job(keyed_lines(), {text}, {{kSum, "2"}, {kCount, ""}});
  EXPECT_GT(job.run().runs, 1U);
  EXPECT_TRUE(job.output() == expected);
}

TEST(SortGroups, TakeKeysThatHoldDelimitersOfStates) {
  Format format = keyed_lines();
  format.delimiter = '\0';
  std::string text;
  for (int i = 0; i < 300; ++i) text += std::string("a\nb\x01\x1e") + "\t" + std::to_string(i % 10) + '\0';
  GroupedSort job(format, {text}, {{kSum, "2"}, {kMax, "2"}});
  job.run();
  EXPECT_EQ(job.output(), std::string("a\nb\x01\x1e\t1350\t9") + '\0');
}

TEST(SortGroups, TakeTheWholeLineAsTheKey) {
  GroupedSort job(parsed("lines"), {"b\na b\nb\n"}, {{kCount, ""}});
  job.run();
  EXPECT_EQ(job.output(), "a b\t1\nb\t2\n");
}

TEST(SortGroups, MakeNothingOfNothing) {
  GroupedSort job(keyed_lines(), {"", ""}, {{kCount, ""}});
  EXPECT_EQ(job.run().output_records, 0U);
  EXPECT_EQ(job.output(), "");
}

TEST(SortGroups, CountAsManyLinesAsCameIn) {
  const Sample sample = sample_of(5000, 10);
  GroupedSort job(keyed_lines(), {sample.text}, {});
  job.options.top_records = 2;
  const SortReport report = job.run();
  EXPECT_TRUE(report.verified);
  EXPECT_EQ(report.output_records, 2U);
  EXPECT_EQ(report.output_bytes, job.output().size());
  EXPECT_EQ(job.output(), "k0\nk1\n");
}

TEST(SortGroups, AreMadeOfMergedInputsAsTheyCome) {
  GroupedSort job(keyed_lines("1,1n"), {"1\t1\n2\t1\n", "1.0\t2\n", "01\t3\n3\t1\n"}, {{kSum, "2"}, {kLast, "1"}});
  job.options.merge_only = true;
  EXPECT_TRUE(job.run().verified);
  EXPECT_EQ(job.output(), "1\t6\t01\n2\t1\t2\n3\t1\t3\n");
}

// Lines that come in order pass without runs.
TEST(SortGroups, AreMadeOfLinesInOrder) {
  std::string text;
  for (int i = 0; i < 400'000; ++i) text += std::to_string(1'000'000 + i / 4) + "\t" + std::to_string(i % 4) + "\n";
  GroupedSort job(keyed_lines(), {text}, {{kSum, "2"}});
  const std::unique_ptr<FileSystem> files = make_posix_file_system();
  SortJob sort(*files, job.options, {}, {.lets_ordered_lines_pass = true, .least_mapped_bytes = 1});
  const SortReport report = sort.run();
  for (const StageReport& stage : report.stages) EXPECT_NE(stage.name, "gather");
  std::string expected;
  for (int i = 0; i < 100'000; ++i) expected += std::to_string(1'000'000 + i) + "\t6\n";
  EXPECT_TRUE(job.output() == expected);
}

TEST(SortGroups, GoOnAfterAnInterruption) {
  const Sample sample = sample_of(60'000, 500);
  GroupedSort job(keyed_lines(), {sample.text}, {{kCount, ""}, {kSum, "2"}, {kFirst, "2"}, {kLast, "2"}});
  job.options.scratch_directories.clear();
  job.options.checkpoint_directory = job.directory / "kept";
  std::stop_source stop;
  job.options.stop = stop.get_token();
  std::uint64_t calls = 0;
  job.options.watch = [&](const Progress& progress) {
    if (progress.phase != "forming runs" && ++calls == 1) stop.request_stop();
  };
  EXPECT_THROW(sort(job.options), Stopped);
  job.options.stop = {};
  job.options.watch = {};
  const SortReport report = sort(job.options);
  EXPECT_GT(report.runs_resumed, 0U);
  EXPECT_TRUE(report.verified);
  EXPECT_TRUE(job.output() == sample.expected);
}

TEST(SortGroups, AreNotContinuedAsOthers) {
  const Sample sample = sample_of(60'000, 500);
  GroupedSort job(keyed_lines(), {sample.text}, {{kSum, "2"}});
  job.options.scratch_directories.clear();
  job.options.checkpoint_directory = job.directory / "kept";
  std::stop_source stop;
  job.options.stop = stop.get_token();
  job.options.watch = [&](const Progress& progress) {
    if (progress.phase != "forming runs") stop.request_stop();
  };
  EXPECT_THROW(sort(job.options), Stopped);
  job.options.stop = {};
  job.options.watch = {};
  job.options.grouping->aggregates[0].kind = kMean;
  EXPECT_THROW(sort(job.options), Error);
}

std::string refusal(const std::function<void(SortOptions&)>& change) {
  GroupedSort job(keyed_lines(), {"a\t1\n"}, {{kSum, "2"}});
  change(job.options);
  try {
    sort(job.options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SortGroups, AreRefusedWhereTheyMakeNoSense) {
  const auto alone = [](const char* other) {
    return "group and " + std::string(other) + " are incompatible: leave one of the two out";
  };
  EXPECT_EQ(refusal([](SortOptions&) {}), "");
  EXPECT_EQ(refusal([](SortOptions& options) { options.unique = true; }), alone("unique"));
  EXPECT_EQ(refusal([](SortOptions& options) { options.count = true; }),
            "groups have their counts as aggregates: ask for no other count");
  EXPECT_EQ(refusal([](SortOptions& options) { options.key_filter = KeyFilter::kRepeated; }), alone("repeated"));
  EXPECT_EQ(refusal([](SortOptions& options) {
              options.format.text = {};
              options.format.shuffle = true;
            }),
            alone("shuffle"));
  const char* const lines = "only lines, CSV and JSON Lines are grouped: ask for no groups of other records";
  EXPECT_EQ(refusal([](SortOptions& options) { options.format = parsed("u32"); }), lines);
  EXPECT_EQ(refusal([](SortOptions& options) { options.format = parsed("prefixed"); }), lines);
  EXPECT_EQ(refusal([](SortOptions& options) { options.format.text.record_start = RecordStart("x"); }), lines);
  EXPECT_EQ(refusal([](SortOptions& options) {
              options.format.text.csv = true;
              options.format.text.keys.clear();
            }),
            "records of CSV are grouped by columns: give a key, for example by its name");
  EXPECT_NE(refusal([](SortOptions& options) { options.grouping->aggregates[0].field.column = "x"; }), "");
  GroupedSort checked(keyed_lines(), {"a\t1\n"}, {});
  checked.options.output = "-";
  EXPECT_THROW(check(checked.options), Error);
}

TEST(SortGroups, NameTheLineOfAValueThatIsNoNumber) {
  for (const bool merges : {false, true}) {
    GroupedSort job(keyed_lines(), {"h\th\na\t1\nb\t2\n", "h\th\na\t1\nb\tx\nc\ty\n"}, {{kMax, "2"}});
    job.options.header_lines = 1;
    job.options.merge_only = merges;
    try {
      sort(job.options);
      FAIL();
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("line 3 has 'x' as field 2, which is no decimal number"),
                std::string::npos)
          << error.what();
    }
    EXPECT_FALSE(std::filesystem::exists(job.options.output));
  }
}

}  // namespace
}  // namespace sortie

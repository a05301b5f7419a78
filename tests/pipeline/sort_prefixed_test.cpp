// Whole sorts of length-prefixed records: every option that they take, and damaged inputs.
#include <sortie/sorter.hpp>

#include "pipeline/record_stream_support.hpp"
#include "pipeline/sort_job.hpp"
#include "pipeline/sort_support.hpp"
#include "record/prefixed/prefixed_oracle.hpp"
#include "record/record_scan.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

Format prefixed_format(bool descending = false) { return parsed("prefixed", {}, descending); }

struct PrefixedSort : SortForTest {
  explicit PrefixedSort(const std::vector<std::string>& contents, bool descending = false, bool unique = false)
      : SortForTest(prefixed_format(descending), contents) {
    options.unique = unique;
  }

  SortReport expect_sorted() {
    const SortReport report = run();
    EXPECT_TRUE(output() == sorted_prefixed(input(), options.format.descending, options.unique, options.keep_last));
    expect_consistent(report, *this);
    return report;
  }
};

TEST(SortPrefixed, InOneRun) {
  for (const bool descending : {false, true}) {
    for (const bool unique : {false, true}) {
      PrefixedSort job({random_prefixed(20'000, 1)}, descending, unique);
      job.options.memory_bytes = 64 << 20;
      EXPECT_EQ(job.expect_sorted().runs, 1U);
    }
  }
}

TEST(SortPrefixed, InRunsThatAreSpilledAndMerged) {
  for (const bool descending : {false, true}) {
    for (const bool unique : turns_of({false, true})) {
      for (const std::size_t most_key : {1, 12}) {
        PrefixedSort job({random_prefixed(30'000, 2, most_key)}, descending, unique);
        EXPECT_GT(job.expect_sorted().runs_spilled, 2U);
      }
    }
  }
}

TEST(SortPrefixed, InSeveralPassesWithoutChecksums) {
  PrefixedSort job({random_prefixed(60'000, 3)});
  job.options.merge_fan_in = 2;
  job.options.verify = false;
  EXPECT_GT(job.expect_sorted().merge_passes, 1U);
}

TEST(SortPrefixed, KeepsEqualKeysInInputOrder) {
  std::string text;
  for (int i = 0; i < 40'000; ++i) text += prefixed_record(i % 3 == 0 ? "a" : "b", std::to_string(40'000 - i));
  for (const bool descending : {false, true}) PrefixedSort({text}, descending).expect_sorted();
}

TEST(SortPrefixed, KeepsTheLastOfEqualKeys) {
  for (const std::uint64_t memory_bytes : {kMinMemoryBytes, std::uint64_t{64} << 20}) {
    PrefixedSort job({random_prefixed(30'000, 4, 2)}, false, true);
    job.options.keep_last = true;
    job.options.memory_bytes = memory_bytes;
    job.expect_sorted();
  }
}

TEST(SortPrefixed, OfSeveralInputs) {
  PrefixedSort({random_prefixed(3000, 6), "", random_prefixed(1, 7), random_prefixed(3000, 8)}).expect_sorted();
}

TEST(SortPrefixed, OfRecordsLongerThanPieces) {
  std::mt19937_64 random(9);
  std::string text;
  for (int i = 0; i < 20; ++i) {
    text +=
        prefixed_record(random_bytes(random, 3000, kBytesThatMatter), random_bytes(random, 90'000, kBytesThatMatter));
    text += random_prefixed(50, i);
  }
  for (const bool descending : {false, true}) PrefixedSort({text}, descending).expect_sorted();
}

TEST(SortPrefixed, OfNothing) {
  EXPECT_EQ(PrefixedSort({""}).expect_sorted().runs, 0U);
  PrefixedSort({prefixed_record("", "")}).expect_sorted();
}

TEST(SortPrefixed, GivesTheFirstRecords) {
  for (const bool unique : {false, true}) {
    for (const std::uint64_t wanted : {1, 100, 25'000}) {
      PrefixedSort job({random_prefixed(30'000, 10, 3)}, true, unique);
      job.options.top_records = wanted;
      const SortReport report = job.run();
      const std::string all = sorted_prefixed(job.input(), true, unique);
      EXPECT_TRUE(job.output() == all.substr(0, first_records(layout_of(job.options.format), as_bytes(all), wanted)));
      EXPECT_EQ(report.input_records, 30'000U);
    }
  }
}

TEST(SortPrefixed, MergesWhatIsSorted) {
  for (const bool descending : {false, true}) {
    PrefixedSort job({sorted_prefixed(random_prefixed(8000, 11), descending), "",
                      sorted_prefixed(random_prefixed(3000, 12), descending)},
                     descending);
    job.options.merge_only = true;
    EXPECT_EQ(job.expect_sorted().runs, 2U);
  }
}

TEST(SortPrefixed, InPlaceInAMappedFile) {
  for (const bool descending : {false, true}) {
    for (const bool unique : turns_of({false, true})) {
      PrefixedSort job({random_prefixed(30'000, 13) + prefixed_record("k\x1e", std::string(17 << 20, '\x1e')) +
                        random_prefixed(3000, 14)},
                       descending, unique);
      job.options.memory_bytes = 512 << 20;
      const std::unique_ptr<FileSystem> files = make_posix_file_system();
      SortJob sort(*files, job.options, {}, {.least_mapped_bytes = 1});
      expect_consistent(sort.run(), job);
      EXPECT_TRUE(job.output() == sorted_prefixed(job.input(), descending, unique));
    }
  }
}

TEST(SortPrefixed, OfRecordsThatAreStreamed) {
  const std::string text = random_prefixed(20'000, 15);
  SortOptions options;
  options.format = prefixed_format();
  options.memory_bytes = 1 << 20;
  std::string sorted;
  options.source = source_of(text, 1001);
  options.sink = sink_to(sorted);
  sort(options);
  EXPECT_TRUE(sorted == sorted_prefixed(text));

  options.source = {};
  options.sink = {};
  Sorter sorter(options);
  for (const PrefixedText& record : read_prefixed(text)) sorter.push(as_bytes(record.raw));
  std::string pulled;
  for (auto part = sorter.pull(); !part.empty(); part = sorter.pull()) pulled += as_text(part);
  EXPECT_TRUE(pulled == sorted);
}

TEST(SortPrefixed, ChecksTheOrder) {
  const std::string sorted = sorted_prefixed(random_prefixed(5000, 16));
  EXPECT_FALSE(check(PrefixedSort({sorted}).options));
  const std::string first = prefixed_record("b", "payload");
  const PrefixedSort wrong({first + first + prefixed_record("a", "") + first});
  const auto disorder = check(wrong.options);
  ASSERT_TRUE(disorder);
  EXPECT_EQ(disorder->record, 3U);
  EXPECT_EQ(disorder->offset, 2 * first.size());
  EXPECT_EQ(disorder->text, prefixed_record("a", ""));
  EXPECT_EQ(check(PrefixedSort({first + first}, false, true).options)->record, 2U);
}

TEST(SortPrefixed, RefusesWhatIsForLines) {
  PrefixedSort job({""});
  job.options.header_lines = 1;
  EXPECT_EQ(error_of([&] { job.run(); }), "records of format 'prefixed' have no header lines: ask for none");
  job.options.header_lines = 0;
  job.options.count = true;
  EXPECT_EQ(error_of([&] { job.run(); }), "records of format 'prefixed' cannot be counted: only lines can");
}

// A header that is cut off, a length beyond the end, and one that would take all memory.
TEST(SortPrefixed, RefusesADamagedInputWithItsPlace) {
  const std::string good = random_prefixed(3000, 17);
  const std::string rest[] = {std::string(5, '\0'), prefixed_record("key", "payload").substr(0, 12),
                              std::string("\xff\xff\xff\xff\xff\xff\xff\xff", 8) + good};
  const std::string finding[] = {
      " has no whole header: 5 of its 8 bytes are there",
      " leaves the input: its header says 3 bytes of key and 7 of payload, and 4 are left",
      " leaves the input: its header says 4294967295 bytes of key and 4294967295 of payload, and " +
          std::to_string(good.size()) + " are left"};
  for (std::size_t i = 0; i < std::size(rest); ++i) {
    for (const bool merge : {false, true}) {
      for (const bool is_mapped : {false, true}) {
        if (merge && is_mapped) continue;
        PrefixedSort job({good + rest[i]});
        job.options.merge_only = merge;
        if (is_mapped) job.options.memory_bytes = 512 << 20;
        const std::unique_ptr<FileSystem> files = make_posix_file_system();
        EXPECT_EQ(error_of([&] {
                    SortJob(*files, job.options, {}, {.least_mapped_bytes = is_mapped ? 1U : 1U << 30}).run();
                  }),
                  "input '" + job.options.inputs[0] + "' at offset " + std::to_string(good.size()) + ": the record" +
                      finding[i] + "; is the file damaged, or of another format?");
      }
    }
  }
}

TEST(SortPrefixed, RefusesADamagedStream) {
  SortOptions options;
  options.format = prefixed_format();
  const std::string text = random_prefixed(100, 18) + std::string(9, '\x01');
  std::string sorted;
  options.source = source_of(text, 100);
  options.sink = sink_to(sorted);
  EXPECT_NE(
      error_of([&] { sort(options); }).find("at offset " + std::to_string(text.size() - 9) + ": the record leaves"),
      std::string::npos);
  EXPECT_EQ(sorted, "");
}

}  // namespace
}  // namespace sortie

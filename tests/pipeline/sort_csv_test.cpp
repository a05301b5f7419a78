// Whole sorts of CSV: records with newlines in them, ordered by the values of fields.
#include "pipeline/sort_support.hpp"
#include "record/csv/csv_order.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

struct CsvSort : SortForTest {
  CsvSort(std::vector<ColumnKey> wanted, const std::vector<std::string>& contents, bool unique = false)
      : SortForTest(csv_format(wanted), contents), keys(std::move(wanted)) {
    options.unique = unique;
  }

  SortReport expect_sorted() {
    const SortReport report = run();
    EXPECT_TRUE(output() == sorted_csv(keys, input(), options.unique));
    expect_consistent(report, *this);
    return report;
  }

  std::vector<ColumnKey> keys;
};

const std::vector<std::vector<ColumnKey>> kColumnOrders = {
    {{0}}, {{1, true, true}}, {{2}, {1, true}}, {{2, false, true}}};

TEST(SortCsv, InOneRun) {
  for (const std::vector<ColumnKey>& keys : kColumnOrders) {
    for (const bool unique : {false, true}) {
      CsvSort job(keys, {well_formed_csv(20'000, 1)}, unique);
      job.options.memory_bytes = 64 << 20;
      EXPECT_EQ(job.expect_sorted().runs, 1U);
    }
  }
}

TEST(SortCsv, InRunsThatAreSpilled) {
  for (const std::vector<ColumnKey>& keys : turns_of(kColumnOrders)) {
    for (const bool unique : {false, true}) {
      CsvSort job(keys, {well_formed_csv(60'000, 2, "\r\n")}, unique);
      job.options.memory_bytes = 1 << 20;
      EXPECT_GT(job.expect_sorted().runs, 2U);
    }
  }
}

TEST(SortCsv, InSeveralPassesWithoutChecksums) {
  CsvSort job({{1, true}}, {well_formed_csv(90'000, 3)}, true);
  job.options.verify = false;
  job.options.merge_fan_in = 2;
  EXPECT_GT(job.expect_sorted().merge_passes, 1U);
}

TEST(SortCsv, OfSeveralInputsWithUnfinishedLastRecords) {
  const std::vector<std::string> contents = {"\"b\n\",1",       "",   well_formed_csv(3000, 4),
                                             "\"x,\"\"y\"\"\"", "\n", "a,\"2\""};
  CsvSort({{0}, {1, true}}, contents).expect_sorted();
}

TEST(SortCsv, OfRecordsLongerThanPieces) {
  std::string text;
  for (int i = 20; i-- > 0;) text += std::to_string(i) + ",\"" + random_csv(9000, 7, "abc,\n") + "\"\n";
  CsvSort({{0, true}}, {text}).expect_sorted();
}

TEST(SortCsv, OfNothing) { EXPECT_EQ(CsvSort({{0}}, {""}).expect_sorted().runs, 0U); }

TEST(SortCsv, WithoutKeysComparesWholeRecords) {
  CsvSort job({}, {"b,\"1\n\"\n\"b\",0\na,9\n"});
  job.run();
  EXPECT_EQ(job.output(), "a,9\n\"b\",0\nb,\"1\n\"\n");
}

TEST(SortCsv, MergesWhatIsSorted) {
  const std::vector<ColumnKey> keys = {{2}, {1, true}};
  const std::string text = well_formed_csv(8000, 5);
  const std::string more = well_formed_csv(3000, 6);
  CsvSort job(keys, {sorted_csv(keys, text), "", sorted_csv(keys, more)});
  job.options.merge_only = true;
  EXPECT_EQ(job.expect_sorted().runs, 2U);
}

TEST(SortCsv, RefusesAQuoteThatIsNotClosed) {
  for (const bool merge : {false, true}) {
    CsvSort job({{0}}, {"a,1\n", "a,1\r\n\"b\n\",2\n\"c,3\nd,4\n"});
    job.options.merge_only = merge;
    EXPECT_EQ(error_of([&] { job.run(); }),
              "input '" + job.options.inputs[1] +
                  "': line 4, column 1: an opening quote without a closing one; close it, or let quotes mean nothing");
  }
}

TEST(SortCsv, RefusesTextBehindAClosingQuoteHoweverMuchIsInFront) {
  const std::string records = well_formed_csv(60'000, 8);
  const auto lines = std::to_string(std::ranges::count(records, '\n') + 2);
  for (const bool reads_source : {false, true}) {
    CsvSort job({{0}}, {records + "x,1\ny,\"2\" \n" + records});
    std::string text = job.input();
    if (reads_source) {
      job.options.inputs.clear();
      job.options.source = [&](std::span<std::byte> target) {
        const std::size_t bytes = std::min(target.size(), text.size());
        std::ranges::copy(as_bytes(text).first(bytes), target.begin());
        text.erase(0, bytes);
        return bytes;
      };
    }
    const std::string message = error_of([&] { job.run(); });
    EXPECT_NE(message.find(": line " + lines +
                           ", column 6: text behind the closing quote of the field that begins in "
                           "line " +
                           lines + ", column 3; double"),
              std::string::npos)
        << message;
    EXPECT_FALSE(std::filesystem::exists(job.options.output));
  }
}

TEST(SortCsv, WithoutQuotesHasARecordInEveryLine) {
  CsvSort job({{0}}, {"\"b,1\na\",2\n\"a\",3\n"});
  job.options.format.text.quoting = Quoting::kNone;
  job.run();
  EXPECT_EQ(job.output(), "\"a\",3\n\"b,1\na\",2\n");
}

TEST(SortCsv, WithBackslashesInFrontOfQuotes) {
  CsvSort job({{0}}, {"\"b\\\"\n\",1\n\"b\\\\\",2\nb!,3\n"});
  job.options.format.text.quoting = Quoting::kBackslash;
  job.run();
  EXPECT_EQ(job.output(), "b!,3\n\"b\\\"\n\",1\n\"b\\\\\",2\n");
}

TEST(SortCsv, ChecksTheOrder) {
  CsvSort job({{0}, {1, true}}, {sorted_csv({{0}, {1, true}}, well_formed_csv(5000, 7))});
  EXPECT_FALSE(check(job.options));
  CsvSort wrong({{0}, {1, true}}, {"\"a\n\",2\n\"b\n\",10\n\"b\n\",\"9\"\r\nc,1\n"});
  const auto disorder = check(wrong.options);
  ASSERT_TRUE(disorder);
  EXPECT_EQ(disorder->record, 3U);
  EXPECT_EQ(disorder->offset, 15U);
  EXPECT_EQ(disorder->text, "\"b\n\",\"9\"\r");
  CsvSort repeated({{0}}, {"\"a\"\na\n"}, true);
  EXPECT_TRUE(check(repeated.options));
  repeated.options.unique = false;
  EXPECT_FALSE(check(repeated.options));
}

TEST(SortCsv, KeepsAByteOrderMarkInFront) {
  CsvSort job({{0}}, {"\xEF\xBB\xBF\"b,\n\",1\nc\n",
                      "\xEF\xBB\xBF"
                      "a\n"});
  job.run();
  EXPECT_EQ(job.output(),
            "\xEF\xBB\xBF"
            "a\n\"b,\n\",1\nc\n");
}

}  // namespace
}  // namespace sortie

// Whole sorts of inputs with a header, and keys by the names in it.
#include "pipeline/sort_support.hpp"
#include "record/csv/csv_order.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr const char* kNames = "name,\"unit\nprice\"\n";

struct HeaderSort : SortForTest {
  HeaderSort(const Format& format, const std::vector<std::string>& contents, std::uint64_t lines = 1)
      : SortForTest(format, contents) {
    options.header_lines = lines;
  }

  std::string sorted() {
    run();
    return output();
  }
};

Format by_column(const std::string& name, bool number = false) {
  Format format = csv_format({});
  format.text.keys.emplace_back().column = name;
  if (number) format.text.keys[0].kind = TextKind::kNumber;
  return format;
}

TEST(SortHeader, StaysInFront) {
  for (const bool merge : {false, true}) {
    HeaderSort job(parsed("lines"), {"z\na\nb\n", "z\nA"});
    job.options.merge_only = merge;
    EXPECT_EQ(job.sorted(), "z\nA\na\nb\n");
  }
  EXPECT_EQ(HeaderSort(parsed("lines"), {"z\ny\nb\na\n"}, 2).sorted(), "z\ny\na\nb\n");
}

TEST(SortHeader, StaysInFrontOfWhatIsSpilled) {
  const std::string lines = make_records(parsed("lines"), Distribution::kUniform, 100'000);
  HeaderSort job(parsed("lines"), {"zz\n" + lines});
  EXPECT_GT(job.run().runs_spilled, 0U);
  EXPECT_TRUE(job.output() == "zz\n" + stable_sorted(parsed("lines"), lines));
}

TEST(SortHeader, IsAllOfAShortInput) {
  EXPECT_EQ(HeaderSort(parsed("lines"), {"z"}).sorted(), "z\n");
  EXPECT_EQ(HeaderSort(parsed("lines"), {"z\na\n"}, 3).sorted(), "z\na\n");
  EXPECT_EQ(HeaderSort(parsed("lines"), {""}).sorted(), "");
  EXPECT_EQ(HeaderSort(parsed("lines"), {"", "z\nb\na\n", ""}).sorted(), "z\na\nb\n");
}

TEST(SortHeader, MustBeTheSameInAllInputs) {
  for (const bool merge : {false, true}) {
    HeaderSort job(parsed("lines"), {"z\na\n", "y\nb\n"});
    job.options.merge_only = merge;
    EXPECT_EQ(error_of([&] { job.run(); }),
              "input " + job.options.inputs[1] + " has another header than " + job.options.inputs[0] +
                  ": its line 1 is 'y', not 'z'; sort inputs with the same header " + "together, or ask for none");
  }
}

TEST(SortHeader, IsLongerThanWhatIsReadAtOnce) {
  const std::string header = std::string(100'000, 'z') + "\n";
  EXPECT_TRUE(HeaderSort(parsed("lines"), {header + "b\na\n"}).sorted() == header + "a\nb\n");
}

TEST(SortHeader, MayHoldNewlinesInCsv) {
  EXPECT_EQ(HeaderSort(csv_format({{1, true}}), {std::string(kNames) + "a,10\nb,9\n"}).sorted(),
            std::string(kNames) + "b,9\na,10\n");
}

TEST(SortHeader, NamesColumns) {
  for (const std::string mark : {"", "\xEF\xBB\xBF"}) {
    HeaderSort job(by_column("unit\nprice", true), {mark + kNames + "a,10\nb,\"9\"", kNames + std::string("c,-1\n")},
                   0);
    EXPECT_EQ(job.sorted(), mark + kNames + "c,-1\nb,\"9\"\na,10\n");
    job.options.merge_only = true;
    EXPECT_EQ(job.sorted(), mark + kNames + "c,-1\na,10\nb,\"9\"\n") << "10 is before 9 in the first input";
  }
  EXPECT_EQ(HeaderSort(by_column("name"), {"\xEF\xBB\xBF\"name\"\nb\na\n"}, 0).sorted(),
            "\xEF\xBB\xBF\"name\"\na\nb\n");
}

TEST(SortHeader, NamesColumnsOfMergedInputs) {
  HeaderSort job(by_column("unit\nprice", true),
                 {"", kNames + std::string("b,9\na,10\n"), kNames + std::string("c,9\n")}, 0);
  job.options.merge_only = true;
  EXPECT_EQ(job.sorted(), kNames + std::string("b,9\nc,9\na,10\n"));
}

TEST(SortHeader, MustHaveTheNamesOfKeys) {
  HeaderSort job(by_column("prize"), {"name,price\nb,1\n"}, 0);
  const std::string named = job.options.inputs.front() + ": ";
  EXPECT_EQ(error_of([&] { job.run(); }), named + "no column is called 'prize': there are 'name', 'price'");
  EXPECT_EQ(error_of([&] { check(job.options); }), named + "no column is called 'prize': there are 'name', 'price'");
  EXPECT_EQ(error_of([&] { plan(job.options); }), named + "no column is called 'prize': there are 'name', 'price'");
  EXPECT_EQ(HeaderSort(by_column("prize"), {"", ""}, 0).sorted(), "");
}

TEST(SortHeader, CountsWhereOrderIsChecked) {
  HeaderSort job(csv_format({{0}}), {"\"z\n\"\nb\na\n"});
  const auto disorder = check(job.options);
  ASSERT_TRUE(disorder);
  EXPECT_EQ(disorder->record, 3U);
  EXPECT_EQ(disorder->offset, 7U);
  EXPECT_EQ(disorder->text, "a");
}

TEST(SortHeader, IsForLines) {
  HeaderSort job(parsed("u64"), {"12345678"});
  EXPECT_EQ(error_of([&] { job.run(); }), "records of format 'u64' have no header lines: ask for none");
}

TEST(SortHeader, ThatNeverEndsIsRefused) {
  HeaderSort job(csv_format({}), {"a,\"b\n1,2\n"});
  EXPECT_EQ(error_of([&] { job.run(); }),
            "input '" + job.options.inputs[0] +
                "': line 1, column 3: an opening quote without a closing one; close it, or let quotes mean nothing");
}

}  // namespace
}  // namespace sortie

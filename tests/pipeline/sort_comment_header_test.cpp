// Whole sorts of inputs whose header are all lines that begin with a mark.
#include <gmock/gmock.h>

#include "pipeline/sort_support.hpp"

namespace sortie {
namespace {

using namespace test;

struct CommentedSort : SortForTest {
  explicit CommentedSort(const std::vector<std::string>& contents, const std::vector<std::string>& prefixes = {"#"})
      : SortForTest(parsed("lines"), contents) {
    options.header_prefixes = prefixes;
  }

  std::string sorted() {
    run();
    return output();
  }
};

TEST(SortCommentHeader, IsAsLongAsItHasMarks) {
  EXPECT_EQ(CommentedSort({"#z\n##y\nb\na\n#x\n"}).sorted(), "#z\n##y\n#x\na\nb\n");
  EXPECT_EQ(CommentedSort({"b\n#z\na"}).sorted(), "#z\na\nb\n");
  EXPECT_EQ(CommentedSort({""}).sorted(), "");
  EXPECT_EQ(CommentedSort({"#z\n#y"}).sorted(), "#z\n#y\n");
  EXPECT_EQ(CommentedSort({"#z\nb\na"}).sorted(), "#z\na\nb\n");
}

TEST(SortCommentHeader, HasOneOfSeveralMarks) {
  EXPECT_EQ(CommentedSort({"track 1\n#\nbrowser\ntrac\nbrow\n"}, {"#", "track", "browser"}).sorted(),
            "track 1\n#\nbrowser\nbrow\ntrac\n");
  EXPECT_EQ(CommentedSort({"track\nb\ntr"}, {"#", "track"}).sorted(), "track\nb\ntr\n");
  EXPECT_EQ(CommentedSort({"track\ntr"}, {"#", "track"}).sorted(), "track\ntr\n");
}

// A mark may lie across the end of what is read first.
TEST(SortCommentHeader, IsLongerThanWhatIsReadAtOnce) {
  for (std::size_t length = (16 << 10) - 8; length < (16 << 10) + 8; ++length) {
    const std::string header = "#" + std::string(length - 2, 'z') + "\ntrack\n";
    EXPECT_TRUE(CommentedSort({header + "b\na\n"}, {"#", "track"}).sorted() == header + "a\nb\n") << length;
    EXPECT_TRUE(CommentedSort({header + "tra"}, {"#", "track"}).sorted() == header + "tra\n") << length;
  }
}

TEST(SortCommentHeader, IsThatOfTheFirstInputThatIsNotEmpty) {
  for (const bool merge : {false, true}) {
    const auto sorted = [&](const std::vector<std::string>& contents) {
      CommentedSort job(contents);
      job.options.merge_only = merge;
      return job.sorted();
    };
    EXPECT_EQ(sorted({"#z\nb\n", "a\n", "", "#z\nc\n"}), "#z\na\nb\nc\n");
    EXPECT_EQ(sorted({"", "#z\nb\n", "a\n", "#z"}), "#z\na\nb\n");
    EXPECT_EQ(sorted({"b\n", "a\n"}), "a\nb\n");
  }
}

TEST(SortCommentHeader, IsTheSameInAllInputsThatHaveOne) {
  for (const bool merge : {false, true}) {
    CommentedSort job({"#z\na\n", "#y\nb\n"});
    job.options.merge_only = merge;
    EXPECT_EQ(error_of([&] { job.run(); }),
              "input " + job.options.inputs[1] + " has another header than " + job.options.inputs[0] +
                  ": its line 1 is '#y', not '#z'; sort inputs with the same header " + "together, or ask for none");
    CommentedSort late({"a\n", "#y\nb\n"});
    late.options.merge_only = merge;
    EXPECT_EQ(error_of([&] { late.run(); }), "input " + late.options.inputs[1] + " has a header, and " +
                                                 late.options.inputs[0] +
                                                 ", which comes first, has none: let one with that header come first");
  }
}

TEST(SortCommentHeader, StaysInFrontOfWhatIsSpilled) {
  const std::string lines = make_records(parsed("lines"), Distribution::kUniform, 100'000);
  CommentedSort job({"#zz\n" + lines});
  EXPECT_GT(job.run().runs_spilled, 0U);
  EXPECT_TRUE(job.output() == "#zz\n" + stable_sorted(parsed("lines"), lines));
}

TEST(SortCommentHeader, CountsWhereOrderIsChecked) {
  CommentedSort job({"#z\n#y\nb\na\n"});
  const auto disorder = check(job.options);
  ASSERT_TRUE(disorder);
  EXPECT_EQ(disorder->record, 4U);
  EXPECT_EQ(disorder->offset, 8U);
}

TEST(SortCommentHeader, CountsInEachMergedInputThatHasOne) {
  CommentedSort job({"#z\n#y\nb\na\n", "d\nc\n"});
  job.options.merge_only = true;
  std::vector<std::string> warnings;
  job.options.warn = [&](const std::string& message) { warnings.push_back(message); };
  EXPECT_EQ(job.sorted(), "#z\n#y\nb\na\nd\nc\n");
  ASSERT_EQ(warnings.size(), 3U);
  EXPECT_THAT(warnings[0], testing::HasSubstr("record 4 at offset 8"));
  EXPECT_THAT(warnings[1], testing::HasSubstr("record 2 at offset 2"));
  EXPECT_THAT(warnings[2], testing::HasSubstr("1 of 2 inputs have no header"));
}

TEST(SortCommentHeader, IsForLinesWithoutAFormOfTheirOwn) {
  const auto refusal = [](const Format& format, auto change) {
    SortOptions options;
    options.format = format;
    options.header_prefixes = {"#"};
    change(options);
    return error_of([&] { sort(options); });
  };
  const auto nothing = [](SortOptions&) {};
  EXPECT_EQ(refusal(parsed("u64"), nothing), "records of format 'u64' have no header lines: ask for none");
  Format json = parsed("lines");
  json.text.json = true;
  json.text.keys.emplace_back().column = ".a";
  EXPECT_EQ(refusal(json, nothing), "JSON Lines have no header: ask for none");
  EXPECT_EQ(refusal(parsed("lines"), [](SortOptions& options) { options.header_lines = 1; }),
            "a header is told by its prefixes and by a number of lines: choose one");
  EXPECT_EQ(refusal(parsed("lines"),
                    [](SortOptions& options) {
                      options.header_prefixes = {"#", ""};
                    }),
            "lines of a header cannot begin with '': give one character or more of a line");
  EXPECT_EQ(refusal(parsed("lines"), [](SortOptions& options) { options.header_prefixes = {"a\nb"}; }),
            "lines of a header cannot begin with 'a\\nb': give one character or more of a line");
}

}  // namespace
}  // namespace sortie

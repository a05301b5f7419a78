#include <sortie/sort.hpp>

#include "pipeline/pipeline_support.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using namespace test;

class CheckJob : public testing::Test {
 protected:
  std::optional<Disorder> check_of(const Format& format, const std::vector<std::string>& contents,
                                   bool unique = false) {
    SortOptions options;
    options.format = format;
    options.inputs = paths_ = write_inputs(directory_, contents);
    options.memory_bytes = kMinMemoryBytes;
    options.unique = unique;
    return check(options);
  }

  TemporaryDirectory directory_;
  std::vector<std::string> paths_;
};

TEST_F(CheckJob, FindsNothingInWhatIsSorted) {
  for (const char* name : test::turns_of({"lines", "gensort", "f32"})) {
    for (const bool descending : {false, true}) {
      const Format format = parsed(name, {}, descending);
      const std::string sorted = stable_sorted(format, make_records(format, Distribution::kUniform, 50'000));
      EXPECT_FALSE(check_of(format, {sorted})) << name;
    }
  }
  EXPECT_FALSE(check_of(parsed("lines"), {"", ""}));
}

TEST_F(CheckJob, NamesTheFirstRecordOutOfOrder) {
  const Format format = parsed("lines");
  std::string bytes;
  for (int i = 0; i < 60'000; ++i) bytes += std::to_string(1'000'000 + (i == 54'321 ? 0 : i)) + "\n";
  const auto disorder = check_of(format, {bytes});
  ASSERT_TRUE(disorder);
  EXPECT_EQ(disorder->input, paths_[0]);
  EXPECT_EQ(disorder->record, 54'322U);
  EXPECT_EQ(disorder->offset, 8U * 54'321);
  EXPECT_EQ(disorder->text, "1000000");
}

TEST_F(CheckJob, ComparesTheInputsWithOneAnother) {
  EXPECT_FALSE(check_of(parsed("lines"), {"a\nb", "b\nc\n"}));
  EXPECT_TRUE(check_of(parsed("lines"), {"a\nb", "b\nc\n"}, true));
  const auto disorder = check_of(parsed("lines"), {"a\nc", "b\n"});
  ASSERT_TRUE(disorder);
  EXPECT_EQ(disorder->input, paths_[1]);
  EXPECT_EQ(disorder->record, 1U);
}

TEST_F(CheckJob, RefusesWhatItMakesNothingOf) {
  SortOptions plain;
  plain.inputs = write_inputs(directory_, {"a\na\n"});
  const auto error_with = [&](const auto& change) {
    SortOptions options = plain;
    change(options);
    return error_of([&] { check(options); });
  };
  EXPECT_EQ(error_with([](SortOptions& options) { options.count = true; }),
            "check and count are incompatible: leave one of the two out");
  EXPECT_NE(error_with([](SortOptions& options) { options.top_records = 1; }), "");
  EXPECT_NE(error_with([](SortOptions& options) { options.key_filter = KeyFilter::kRepeated; }), "");
  EXPECT_NE(error_with([](SortOptions& options) { options.sample_records = 1; }), "");
  EXPECT_NE(error_with([&](SortOptions& options) { options.stats_json_path = directory_ / "report"; }), "");
}

TEST_F(CheckJob, TakesLinesOfAnyLength) {
  for (const std::uint64_t bytes : {kMinMemoryBytes / 2 - 10, 5 * kMinMemoryBytes}) {
    const std::string line(bytes, 'x');
    EXPECT_FALSE(check_of(parsed("lines"), {"a\n" + line + "\n" + line + "\nz"}));
    EXPECT_TRUE(check_of(parsed("lines"), {line + "\n" + line.substr(1) + "\n"}));
  }
}

TEST_F(CheckJob, RefusesAStrayTail) {
  const std::string message = error_of([&] { check_of(parsed("u32"), {"123456"}); });
  EXPECT_NE(message.find("begins at offset 4"), std::string::npos) << message;
}

}  // namespace
}  // namespace sortie

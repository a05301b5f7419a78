#include "cli/options/command_line.hpp"

#include <gtest/gtest.h>

#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

#include "cli/command_line_support.hpp"
#include "option/door.hpp"

namespace sortie::cli {
namespace {

using test::refusal;
using test::Words;

SortOptions parse(const Words& words, const char* program = "sortie") {
  return parse_command_line(words, program).options;
}

TEST(CommandLine, SortsWholeLinesWithoutKeys) {
  EXPECT_EQ(parse({}).format, Format());
  const Format reverse = parse({"-rs"}).format;
  EXPECT_TRUE(reverse.descending);
  EXPECT_TRUE(reverse.text.keys.empty());
}

TEST(CommandLine, CollectsKeysAndSeparator) {
  const Format format = parse({"-t:", "-k3,3nr", "--key=1", "-f"}).format;
  ASSERT_EQ(format.text.keys.size(), 2u);
  EXPECT_EQ(format.text.keys[0], parse_text_key("3,3nr"));
  EXPECT_EQ(format.text.keys[1], parse_text_key("1f"));
  EXPECT_EQ(format.text.separator, ":");
  EXPECT_EQ(parse({"-t", "\\0", "-k2"}).format.text.separator, std::string(1, '\0'));
  EXPECT_EQ(parse({"-t", "\\t", "-k2"}).format.text.separator, "\t");
  EXPECT_EQ(parse({"-t", "||", "-k2"}).format.text.separator, "||");
}

TEST(CommandLine, GivesTablesAHeaderUnlessToldOtherwise) {
  for (const char* const form : {"--csv", "--tsv"}) {
    for (const Words& job :
         {Words{}, {"-k2,2nr"}, {"-u"}, {"--shuffle"}, {"--sample=2"}, {"-c"}, {"-m"}, {"--top=1"}}) {
      Words words = job;
      words.emplace_back(form);
      EXPECT_EQ(parse(words).header_lines, 1U) << job.size() << form;
      words.emplace_back("--no-header");
      EXPECT_EQ(parse(words).header_lines, 0U) << job.size() << form;
    }
    EXPECT_EQ(parse({form, "--header=3"}).header_lines, 3U);
  }
  EXPECT_EQ(parse({"-t,"}).header_lines, 0U);
}

TEST(CommandLine, KnowsWhatQuotesMean) {
  EXPECT_EQ(parse({"--csv"}).format.text.quoting, Quoting::kCsv);
  EXPECT_EQ(parse({"--tsv"}).format.text.quoting, Quoting::kNone);
  EXPECT_TRUE(parse({"--tsv"}).format.text.quoting_is_assumed);
  EXPECT_FALSE(parse({"--tsv", "--quote=none"}).format.text.quoting_is_assumed);
  EXPECT_EQ(parse({"--tsv", "--quote=csv", "--shuffle"}).format.text.quoting, Quoting::kCsv);
  EXPECT_EQ(parse({"--csv", "--quote=backslash"}).format.text.quoting, Quoting::kBackslash);
}

TEST(CommandLine, ReversesKeysAndTheLastResortNotTheFormat) {
  const Format format = parse({"-r", "-k1,1n"}).format;
  EXPECT_FALSE(format.descending);
  EXPECT_FALSE(format.text.keys[0].descending);
  EXPECT_TRUE(format.text.last_resort_descending);
}

TEST(CommandLine, HasNoLastResortInAStableOrUniqueSort) {
  EXPECT_TRUE(parse({"-k1"}).format.text.last_resort);
  EXPECT_FALSE(parse({"-k1", "-s"}).format.text.last_resort);
  EXPECT_FALSE(parse({"-k1", "-u"}).format.text.last_resort);
}

TEST(CommandLine, TakesOrdersByName) {
  EXPECT_EQ(parse({"--sort=version"}).format, parse({"-V"}).format);
  EXPECT_EQ(parse({"--sort=gen"}).format, parse({"-g"}).format);
}

TEST(CommandLine, TakesTheLargestOfSeveralBufferSizes) {
  EXPECT_EQ(parse({"-S2M", "-S1M"}).memory_bytes, 2u << 20);
  EXPECT_EQ(parse({"-S1b"}).memory_bytes, kMinMemoryBytes);
}

TEST(CommandLine, TakesUsualCompressorsByNameAndOthersToBeRun) {
  EXPECT_EQ(parse({"--compress-program=/usr/bin/gzip"}).compression, Compression::kZstd);
  EXPECT_EQ(parse({"--compress-program=/usr/bin/gzip"}).compress_program, std::nullopt);
  EXPECT_EQ(parse({"--compress-program=./own"}).compress_program, "./own");
  EXPECT_EQ(parse({"--compress-program=./gzip"}).compress_program, "./gzip");
  EXPECT_EQ(parse({"--compress-program=./own", "--compress=none"}).compress_program, std::nullopt);
  EXPECT_EQ(parse({"--compress-program="}).compress_program, "");
  EXPECT_EQ(refusal<Error>({"--compress-program=gzip", "--compress-program=xz"}),
            "multiple compress programs specified");
}

TEST(CommandLine, LimitsTheMergeToBatches) {
  EXPECT_EQ(parse({"--batch-size=5"}).merge_fan_in, 5u);
  EXPECT_EQ(refusal<Error>({"--batch-size=1"}),
            "invalid --batch-size argument '1'\nminimum --batch-size argument is '2'");
}

TEST(CommandLine, SelectsWhatIsWritten) {
  EXPECT_EQ(parse({}).top_records, 0u);
  EXPECT_EQ(parse({"--top=12"}).top_records, 12u);
  EXPECT_EQ(parse({"--top", "99999999999999999999"}).top_records, ~std::uint64_t{0});
  const SortOptions counted = parse({"--count", "-k1,1", "--keep=last"});
  EXPECT_TRUE(counted.count);
  EXPECT_TRUE(counted.unique);
  EXPECT_TRUE(counted.keep_last);
  EXPECT_FALSE(counted.format.text.last_resort);
  EXPECT_FALSE(parse({"-u", "--keep=first"}).keep_last);
}

TEST(CommandLine, RefusesToSelectWhereNothingIsSorted) {
  EXPECT_EQ(refusal<Error>({"--top=0"}), "invalid value '0' for --top: give 1 or more");
  EXPECT_EQ(refusal<Error>({"-c", "--top=1"}), "options -c and --top are incompatible: leave one of the two out");
  EXPECT_EQ(refusal<Error>({"-C", "--count"}), "options -C and --count are incompatible: leave one of the two out");
  EXPECT_EQ(refusal<Error>({"-c", "-u", "--keep=last"}),
            "options -c and --keep=last are incompatible: leave one of the two out");
  EXPECT_EQ(refusal<Error>({"--debug", "--count"}),
            "options --debug and --count are incompatible: leave one of the two out");
}

TEST(CommandLine, KeepsToPlainFilesAndSilenceAsSort) {
  EXPECT_TRUE(parse({}, "sortie").unpack);
  EXPECT_EQ(parse({}, "sortie").progress, ProgressMode::kAuto);
  EXPECT_FALSE(parse({}, "sort").unpack);
  EXPECT_EQ(parse({}, "sort").progress, ProgressMode::kNever);
}

TEST(CommandLine, ReadsASeedForARandomOrderOnly) {
  EXPECT_EQ(parse({"-n"}).format.text.random_seed, std::nullopt);
  EXPECT_EQ(parse({"-R"}).format.text.random_seed, std::nullopt);
  EXPECT_EQ(parse({"-R", "--random-source=/dev/zero"}).format.text.random_seed, RandomSeed{});
  EXPECT_EQ(refusal<Error>({"-R", "--random-source=/dev/null"}), "'/dev/null': end of file");
  EXPECT_NO_THROW(parse({"--random-source=/nonexistent"}));
}

TEST(CommandLine, RefusesWhatGnuSortRefuses) {
  EXPECT_EQ(refusal<Error>({"-nd"}), "options '-dn' are incompatible");
  EXPECT_EQ(refusal<Error>({"-t", ""}), "empty tab");
  EXPECT_EQ(refusal<Error>({"-t", "ab"}), "multi-character tab 'ab'");
  EXPECT_EQ(refusal<Error>({"-ta", "-tb"}), "incompatible tabs");
  EXPECT_EQ(refusal<Error>({"-cC"}), "options '-cC' are incompatible");
  EXPECT_EQ(refusal<Error>({"-C", "-o", "x"}), "options '-Co' are incompatible");
  EXPECT_EQ(refusal<Error>({"-c", "a", "b"}), "extra operand 'b' not allowed with -c");
  EXPECT_EQ(refusal<Error>({"-oa", "-ob"}), "multiple output files specified");
  EXPECT_EQ(refusal<Error>({"--debug", "-c"}), "options '-c --debug' are incompatible");
  EXPECT_EQ(refusal<Error>({"--debug", "-ox"}), "options '-o --debug' are incompatible");
  EXPECT_EQ(refusal<Error>({"--parallel=0"}), "number in parallel must be nonzero");
  EXPECT_EQ(refusal<Error>({"--files0-from=/dev/null"}), "no input from '/dev/null'");
  EXPECT_EQ(refusal<option::UsageError>({"--files0-from=/dev/null", "x"}),
            "extra operand 'x'\nfile operands cannot be combined with --files0-from");
}

TEST(CommandLine, RefusesWordsAsGnuProgramsDo) {
  EXPECT_EQ(refusal<option::WordError>({"--check=x"}),
            "invalid argument 'x' for '--check'\nValid arguments are:\n  - 'quiet', 'silent'\n  - 'diagnose-first'");
  EXPECT_EQ(refusal<option::WordError>({"--sort="}),
            "ambiguous argument '' for '--sort'\nValid arguments are:\n  - 'general-numeric'\n  - 'human-numeric'\n"
            "  - 'month'\n  - 'numeric'\n  - 'random'\n  - 'version'");
}

TEST(CommandLine, RefusesOrdersOfLinesForOtherRecords) {
  EXPECT_NE(refusal<Error>({"--format=u32", "-n"}), "");
  EXPECT_NE(refusal<Error>({"--format=u32", "-k1"}), "");
  EXPECT_NE(refusal<Error>({"--format=u32", "-z"}), "");
  EXPECT_TRUE(parse({"--format=u32", "-rs"}).format.descending);
}

TEST(CommandLine, WarnsIfAskedToOnly) {
  EXPECT_TRUE(parse_command_line({"-k2n"}, "sort").warnings.empty());
  EXPECT_EQ(parse_command_line({"-k2n", "--debug"}, "sort").warnings,
            (Words{"text ordering performed using simple byte comparison", "key 1 is numeric and spans multiple fields",
                   "note numbers use '.' as a decimal point in this locale"}));
}

TEST(CommandLine, ShowsHelpInTheFormAskedFor) {
  EXPECT_EQ(parse_command_line({"--help"}, "sort").help_form, option::HelpForm::kText);
  EXPECT_EQ(parse_command_line({"--help=zsh", "--foo"}, "sort").help_form, option::HelpForm::kZsh);
}

}  // namespace
}  // namespace sortie::cli

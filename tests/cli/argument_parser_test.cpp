#include "cli/options/argument_parser.hpp"

#include <gtest/gtest.h>

#include "cli/command_line_support.hpp"
#include "option/door.hpp"

namespace sortie::cli {
namespace {

using test::Words;

/// Turns arguments back into words: options by their long name, keys in brackets.
Words read_all(const Words& words, ArgumentRules rules = {.obsolete_keys = true}) {
  ArgumentReader reader(words, rules);
  Words found;
  while (const std::optional<Argument> argument = reader.next()) {
    switch (argument->kind) {
      case Argument::Kind::kOperand:
        found.push_back(argument->value);
        break;
      case Argument::Kind::kObsoleteKey:
        found.push_back("[" + argument->value + argument->key_end + "]");
        break;
      case Argument::Kind::kOption:
        found.push_back(argument->name + (argument->option->takes_value() ? "=" + argument->value : ""));
    }
  }
  return found;
}

std::string refusal(const Words& words) {
  try {
    read_all(words);
  } catch (const option::UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(ArgumentReader, SplitsJoinedShortOptions) {
  EXPECT_EQ(read_all({"-nrk2,2", "-ofile", "-t", ","}), (Words{"-n", "-r", "-k=2,2", "-o=file", "-t=,"}));
}

TEST(ArgumentReader, TakesOptionsBehindOperands) {
  EXPECT_EQ(read_all({"a", "-r", "-", "--", "-u", "+1"}), (Words{"a", "-r", "-", "-u", "+1"}));
}

TEST(ArgumentReader, TakesShortenedLongOptions) {
  EXPECT_EQ(read_all({"--rev", "--buf", "1M", "--out=x"}), (Words{"--reverse", "--buffer-size=1M", "--output=x"}));
  EXPECT_EQ(read_all({"--check", "a"}), (Words{"--check=", "a"}));
}

TEST(ArgumentReader, PrefersGnuNamesWhereAShortenedOneIsMeant) {
  EXPECT_EQ(read_all({"--compr=gzip"}), (Words{"--compress-program=gzip"}));
  EXPECT_EQ(read_all({"--compress=none"}), (Words{"--compress=none"}));
  EXPECT_EQ(read_all({"--compress=gzip", "--field=,"}, {.gnu_names_first = true}),
            (Words{"--compress-program=gzip", "--field-separator=,"}));
  EXPECT_EQ(read_all({"--eng=cpu"}, {.gnu_names_first = true}), (Words{"--engine=cpu"}));
}

TEST(ArgumentReader, EndsOptionsAtAnOperandIfToldTo) {
  const ArgumentRules posix{.operands_end_options = true};
  EXPECT_EQ(read_all({"-r", "a", "-u"}, posix), (Words{"-r", "a", "-u"}));
  EXPECT_EQ(read_all({"-r", "a", "-ob"}, posix), (Words{"-r", "a", "-ob"}));
}

TEST(ArgumentReader, TakesOutputLastWhereObsoleteKeysAreKnown) {
  const ArgumentRules posix{.operands_end_options = true, .obsolete_keys = true};
  EXPECT_EQ(read_all({"a", "-ob", "c", "-u"}, posix), (Words{"a", "-o=b", "c", "-u"}));
  EXPECT_EQ(read_all({"-c", "a", "-ob"}, posix), (Words{"-c", "a", "-ob"}));
}

TEST(ArgumentReader, FindsObsoleteKeys) {
  EXPECT_EQ(read_all({"+1", "-2", "+3", "a"}), (Words{"[+1-2]", "[+3]", "a"}));
  EXPECT_EQ(read_all({"+x", "+1x"}), (Words{"+x", "+1x"}));
}

TEST(ArgumentReader, NeedsAnEndOfAnObsoleteKeyWhereTheseAreNotKnown) {
  EXPECT_EQ(read_all({"+1"}, {}), (Words{"+1"}));
  EXPECT_EQ(read_all({"+1", "-2", "+3"}, {}), (Words{"[+1-2]", "[+3]"}));
}

TEST(ArgumentReader, KnowsObsoleteKeysByThePosixVersion) {
  const auto known = [](const char* version) {
    const test::ScopedVariable variable("_POSIX2_VERSION", version);
    return ArgumentRules::from_environment("sort").obsolete_keys;
  };
  EXPECT_TRUE(known("199209"));
  EXPECT_FALSE(known("200112"));
  EXPECT_TRUE(known("200809"));
  EXPECT_TRUE(known("new"));
}

TEST(ArgumentReader, RefusesAsGnuProgramsDo) {
  EXPECT_EQ(refusal({"-q"}), "invalid option -- 'q'");
  EXPECT_EQ(refusal({"-1"}), "invalid option -- '1'");
  EXPECT_EQ(refusal({"-k"}), "option requires an argument -- 'k'");
  EXPECT_EQ(refusal({"--foo=3"}), "unrecognized option '--foo=3'");
  EXPECT_EQ(refusal({"--output"}), "option '--output' requires an argument");
  EXPECT_EQ(refusal({"--rev=4"}), "option '--reverse' doesn't allow an argument");
  EXPECT_EQ(refusal({"--r=3"}),
            "option '--r=3' is ambiguous; possibilities: '--random-sort' '--random-source' '--reverse'");
}

TEST(ArgumentReader, ReportsMistakesInTheirOrder) {
  ArgumentReader reader({"-k0", "--foo"}, {});
  EXPECT_EQ(reader.next()->value, "0");
  EXPECT_THROW(reader.next(), option::UsageError);
}

}  // namespace
}  // namespace sortie::cli

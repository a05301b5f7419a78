// Which keys guesses are counted about, which orders are stable by themselves, and what of a text is a number.
#include "record/text/guess_subjects.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sortie/genome_order.hpp>
#include <sortie/grouping.hpp>
#include <sortie/text_keys.hpp>

#include "record/text/number_key.hpp"
#include "record/text/text_locale.hpp"

namespace sortie {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TextOrder order_by(const std::vector<std::string>& keys) {
  TextOrder order;
  for (const std::string& key : keys) order.keys.push_back(parse_text_key(key));
  return order;
}

TEST(GuessSubjects, AreKeysThatGnuSortLacks) {
  EXPECT_THAT(guess_subjects(order_by({"1,1n", "2,3:time"}), nullptr, false), ElementsAre("", "key 2"));
  EXPECT_THAT(guess_subjects(order_by({"1,1n", "2,3:time"}), nullptr, true), ElementsAre("key 1", "key 2"));
  SortOptions options;
  options.format.text = order_by({"1,1n"});
  EXPECT_FALSE(counts_guesses(options));
  options.strict = true;
  EXPECT_TRUE(counts_guesses(options));
  options.format.kind = RecordKind::kPrefixed;
  EXPECT_FALSE(counts_guesses(options));
  TextOrder csv = order_by({"1,1n"});
  csv.csv = true;
  EXPECT_THAT(guess_subjects(csv, nullptr, false), ElementsAre("key 1"));
  EXPECT_THAT(guess_subjects({}, nullptr, true), IsEmpty());
}

TEST(GuessSubjects, AFieldOfSeveralAggregatesIsCountedOnce) {
  Grouping grouping;
  for (const AggregateKind kind : {AggregateKind::kSum, AggregateKind::kMin}) {
    Aggregate aggregate;
    aggregate.kind = kind;
    aggregate.field = parse_text_key("2,2");
    grouping.aggregates.push_back(aggregate);
  }
  EXPECT_THAT(guess_subjects(order_by({"1,1"}), &grouping, false), ElementsAre("key 1", "field 2", ""));
}

TEST(GuessSubjects, KeysOfOneColumnAreToldApart) {
  TextOrder order = order_by({"1,1n", "1,1"});
  order.csv = true;
  for (TextKey& key : order.keys) key.column = "a";
  EXPECT_THAT(guess_subjects(order, nullptr, false), ElementsAre("column 'a'", "column 'a', key 2"));
}

TEST(GuessSubjects, OfGenomesHaveNamesInEveryOrder) {
  using enum ChromosomeOrder;
  for (const ChromosomeOrder order : {kNatural, kKaryotype}) {
    EXPECT_THAT(guess_subjects(genome_order(GenomeFile::kBed, order), nullptr, false),
                ElementsAre("the chromosome", "", "the start", "the end"));
  }
  TextOrder vcf = genome_order(GenomeFile::kVcf, kHeader);
  vcf.keys.push_back(parse_text_key("4,4n"));
  EXPECT_THAT(guess_subjects(vcf, nullptr, false), ElementsAre("the chromosome", "", "the position", "", "", ""));
  EXPECT_THAT(guess_subjects(genome_order(GenomeFile::kVcf, kBytes), nullptr, false),
              ElementsAre("the chromosome", "the position", "", ""));
  EXPECT_THAT(guess_subjects(genome_order(GenomeFile::kGff, kUsual), nullptr, false),
              ElementsAre("the chromosome", "", "the start", "the end"));
}

TEST(HasLastResort, IsFalseWithOneKeyThatGnuSortLacks) {
  EXPECT_TRUE(has_last_resort(order_by({"1,1n"})));
  EXPECT_TRUE(has_last_resort({}));
  EXPECT_FALSE(has_last_resort(order_by({"1,1n", "2:time"})));
  TextOrder stable = order_by({"1"});
  stable.last_resort = false;
  EXPECT_FALSE(has_last_resort(stable));
}

TEST(NumberExtent, IsThatOfTheWholeTextOrAPart) {
  const TextLocale locale = c_text_locale();
  const auto extent = [&](std::string_view text, bool has_suffix = false) {
    return extent_of_number(text, locale, has_suffix);
  };
  for (const char* const text : {"1", " -1.5 ", ".5", "5.", "-0"}) EXPECT_EQ(extent(text), NumberExtent::kAll) << text;
  for (const char* const text : {"", " ", "-", ".", "+1", "x1", "- 1"})
    EXPECT_EQ(extent(text), NumberExtent::kNone) << text;
  for (const char* const text : {"1e5", "1,234", "1 x", "1.2.3"}) EXPECT_EQ(extent(text), NumberExtent::kPart) << text;
  EXPECT_EQ(extent("2K"), NumberExtent::kPart);
  EXPECT_EQ(extent("2K", true), NumberExtent::kAll);
  EXPECT_EQ(extent("2Kx", true), NumberExtent::kPart);
  EXPECT_EQ(extent("5\r"), NumberExtent::kAll);
  EXPECT_EQ(extent("5\rx"), NumberExtent::kPart);
}

TEST(NumberExtent, OfGeneralNumbersIsThatOfWhatIsRead) {
  const TextLocale locale = c_text_locale();
  for (const char* const text : {"1e3", " -0x1p3 ", "inf", "nan", "5\r"})
    EXPECT_EQ(extent_of_general_number(text, locale), NumberExtent::kAll) << text;
  for (const char* const text : {"", "x", "-"})
    EXPECT_EQ(extent_of_general_number(text, locale), NumberExtent::kNone) << text;
  for (const char* const text : {"9,000", "12abc", "1.2.3", "1 234"})
    EXPECT_EQ(extent_of_general_number(text, locale), NumberExtent::kPart) << text;
}

}  // namespace
}  // namespace sortie

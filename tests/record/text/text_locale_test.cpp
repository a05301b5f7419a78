// The properties taken from a locale.
#include <gtest/gtest.h>

#include <clocale>

#include "record/text/text_locale.hpp"

namespace sortie {
namespace {

class CurrentLocale : public testing::Test {
 protected:
  ~CurrentLocale() override { std::setlocale(LC_ALL, "C"); }
};

TEST_F(CurrentLocale, IsTheBuiltInTablesInC) {
  const TextLocale built_in = c_text_locale();
  const TextLocale current = current_text_locale();
  EXPECT_EQ(current.decimal_point, built_in.decimal_point);
  EXPECT_EQ(current.thousands_separator, built_in.thousands_separator);
  EXPECT_EQ(current.blank, built_in.blank);
  EXPECT_EQ(current.printable, built_in.printable);
  EXPECT_EQ(current.alphanumeric, built_in.alphanumeric);
  EXPECT_EQ(current.upper_case, built_in.upper_case);
  for (std::size_t i = 0; i < built_in.months.size(); ++i) {
    EXPECT_EQ(current.months[i].name, built_in.months[i].name);
    EXPECT_EQ(current.months[i].number, built_in.months[i].number);
  }
  EXPECT_FALSE(current.collates);
  EXPECT_FALSE(current.transforms);
  EXPECT_FALSE(built_in.collates);
  EXPECT_FALSE(built_in.transforms);
}

TEST_F(CurrentLocale, FollowsTheCLibrary) {
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) GTEST_SKIP() << "no German locale";
  const TextLocale locale = current_text_locale();
  EXPECT_EQ(locale.decimal_point, ',');
  EXPECT_EQ(locale.thousands_separator, '.');
  EXPECT_EQ(find_month("Mai", locale).number, 5U);
  EXPECT_TRUE(locale.collates);
  EXPECT_FALSE(c_text_locale().collates) << "the built-in one must not follow";
}

TEST_F(CurrentLocale, CollatesByItsOwnCategory) {
  if (std::setlocale(LC_NUMERIC, "de_DE.UTF-8") == nullptr) GTEST_SKIP() << "no German locale";
  EXPECT_EQ(current_text_locale().decimal_point, ',');
  EXPECT_FALSE(current_text_locale().collates);
}

}  // namespace
}  // namespace sortie

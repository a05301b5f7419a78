// Keys of months.
#include <gtest/gtest.h>

#include <string>

#include "record/text/month_key.hpp"

namespace sortie {
namespace {

TEST(MonthKey, OrdersTheMonthsBehindWhatIsNone) {
  const TextLocale locale = c_text_locale();
  std::byte before = month_key("", locale);
  for (const char* const month : {"jan", "FEB", "Mar", "aPR", "May", "jun", "jul", "Aug", "sep", "oct", "nov", "dec"}) {
    EXPECT_LT(before, month_key(month, locale)) << month;
    before = month_key(month, locale);
  }
}

TEST(MonthKey, TakesThreeLettersBehindBlanks) {
  const TextLocale locale = c_text_locale();
  EXPECT_EQ(month_key(" \t December 24", locale), month_key("DEC", locale));
  EXPECT_EQ(month_key("decx", locale), month_key("DEC", locale));
  for (const char* const text : {"", " ", "de", "xdec", "1dec", "d ec"}) {
    EXPECT_EQ(month_key(text, locale), month_key("", locale)) << text;
  }
}

TEST(MonthKey, TakesNamesOfTheLocale) {
  TextLocale locale = c_text_locale();
  locale.months[2] = "M\xc3\xa4RZ";
  EXPECT_EQ(month_key("m\xc3\xa4rz", locale), std::byte{0x23});
  EXPECT_EQ(month_key("mar", locale), month_key("", locale));
}

}  // namespace
}  // namespace sortie
